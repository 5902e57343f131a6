// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.place;

import io.headpond.harness.process.FolderRemoval;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.function.Consumer;

/** The folders of one benchmark, {@code headpond-bench-*} on either device, removed at the end. */
public final class BenchFolders {

  private static final String PREFIX = "headpond-bench-";

  private static final int TOUCHED_BLOCK_BYTES = 1 << 20;

  private final Path fast;
  private final Path home;

  private BenchFolders(Path fast, Path home) {
    this.fast = fast;
    this.home = home;
  }

  /** Makes them; both devices get one of their own. */
  public static BenchFolders create(Path fast, Path home) throws IOException {
    Path fastFolder = Files.createTempDirectory(fast.toRealPath(), PREFIX);
    return new BenchFolders(fastFolder, Files.createTempDirectory(home.toRealPath(), PREFIX));
  }

  /** A folder on the fast device. */
  public Path fast(String name) throws IOException {
    return Files.createDirectories(fast.resolve(name));
  }

  /** A folder on disk. */
  public Path home(String name) throws IOException {
    return Files.createDirectories(home.resolve(name));
  }

  /**
   * Writes as much memory as the loads will use, and gives it back. A virtual machine gets a page
   * of its host's memory when it first touches it, which takes longer than all that is measured
   * here; whoever came first would pay for all.
   */
  public void touchMemory(long bytes, Consumer<String> progress) throws IOException {
    Path file = fast.resolve("touched");
    ByteBuffer block = ByteBuffer.allocateDirect(TOUCHED_BLOCK_BYTES);
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      for (long written = 0; written < bytes; written += TOUCHED_BLOCK_BYTES) {
        channel.write(block.clear());
        progress.accept("touching memory, " + (written >> 20) + " of " + (bytes >> 20) + " MiB");
      }
    } finally {
      Files.deleteIfExists(file);
    }
  }

  /** Removes all of it. */
  public void remove() throws IOException {
    for (Path root : List.of(fast, home)) {
      FolderRemoval.remove(root, true);
    }
  }
}
