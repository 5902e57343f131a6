// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.place;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The engine's {@code .log} files that lie in its own folders themselves, on the slow device, not
 * behind links that lead to the fast one.
 *
 * @param folders that hold them
 */
public record LogsAtHome(List<Path> folders) {

  /** A call between two looks of a wait. */
  public interface Tick {
    void tick() throws IOException, InterruptedException;
  }

  public LogsAtHome {
    folders = List.copyOf(folders);
  }

  /** The logs of one folder. */
  public static LogsAtHome in(Path folder) {
    return new LogsAtHome(List.of(folder));
  }

  private List<Path> files() throws IOException {
    List<Path> files = new ArrayList<>();
    for (Path folder : folders) {
      try (Stream<Path> all = Files.list(folder)) {
        all.filter(path -> path.toString().endsWith(".log"))
            .filter(path -> Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS))
            .forEach(files::add);
      }
    }
    return files;
  }

  /** Size of all of them. */
  public long bytes() throws IOException {
    long bytes = 0;
    for (Path file : files()) {
      bytes += Files.size(file);
    }
    return bytes;
  }

  /** Waits until they have {@code bytes}; an error if that takes longer than {@code limit}. */
  public void await(long bytes, Duration limit, Tick tick)
      throws IOException, InterruptedException {
    long deadline = System.nanoTime() + limit.toNanos();
    for (long there = bytes(); there < bytes; there = bytes()) {
      if (System.nanoTime() - deadline > 0) {
        throw new IOException(
            String.format(
                "only %d of %d MiB of the backlog lie in %s after %d s; is its device too slow?",
                there >> 20, bytes >> 20, folders, limit.toSeconds()));
      }
      tick.tick();
    }
  }

  /** Forces them and drops the kernel's copies: who reads them meets the device. */
  public void forget() throws IOException, InterruptedException {
    for (Path file : files()) {
      PageCache.forget(file);
    }
  }
}
