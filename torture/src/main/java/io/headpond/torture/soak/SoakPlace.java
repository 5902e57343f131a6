// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.soak;

import io.headpond.cli.demo.DemoPlace;
import io.headpond.harness.process.Mount;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The folders of one soak and, as root, a small file system in memory for its fast tier. All of it
 * is gone when it is closed, or when the JVM is ended by Ctrl-C, unless it is kept.
 */
final class SoakPlace implements AutoCloseable {
  private final DemoPlace folders;
  private final Optional<Mount> device;
  private boolean kept;
  private boolean interrupted;
  private boolean removed;
  private Closeable running = () -> {};

  private SoakPlace(DemoPlace folders, Optional<Mount> device, boolean kept) {
    this.folders = folders;
    this.device = device;
    this.kept = kept;
  }

  /**
   * Makes it.
   *
   * @param fast parent of the fast tier's folder, or null: memory, and if that is possible a device
   *     of its own
   * @param home parent of everything else, or null: disk
   * @param deviceMiB size of that device, MiB
   * @param homeBytes that must be free at home
   */
  static SoakPlace create(Path fast, Path home, boolean keep, int deviceMiB, long homeBytes)
      throws IOException, InterruptedException {
    DemoPlace folders = DemoPlace.create("soak", fast, home);
    try {
      folders.checkRoom((long) deviceMiB << 20, homeBytes);
      Optional<Mount> device =
          fast == null && Mount.possible()
              ? Optional.of(
                  Mount.tmpfs(Files.createDirectory(folders.home().resolve("fast")), deviceMiB))
              : Optional.empty();
      SoakPlace place = new SoakPlace(folders, device, keep);
      Runtime.getRuntime().addShutdownHook(new Thread(place::interrupt, "soak-cleanup"));
      return place;
    } catch (IOException | InterruptedException | RuntimeException e) {
      folders.remove();
      throw e;
    }
  }

  DemoPlace folders() {
    return folders;
  }

  /** The fast tier's own device, which may be filled. */
  Optional<Mount> device() {
    return device;
  }

  /** The fast tier's directory. */
  Path fast() throws IOException {
    return device.isPresent()
        ? Files.createDirectories(device.get().folder().resolve("tier"))
        : folders.tier();
  }

  /** The fast device in words. */
  String text() throws IOException {
    return device.isPresent()
        ? "on a tmpfs of its own: VOLATILE, memory stands in for persistent memory here"
        : "on " + folders.fastText() + "; it can't be filled here";
  }

  /** Ctrl-C ends this first, so that nothing writes into what is removed. */
  synchronized void runs(Closeable engines) {
    running = engines;
  }

  synchronized void keep() {
    kept = true;
  }

  synchronized boolean interrupted() {
    return interrupted;
  }

  private synchronized void interrupt() {
    if (removed) {
      return;
    }
    interrupted = true;
    try {
      running.close();
      remove();
    } catch (IOException e) {
      System.err.println("headpond-lab: not everything could be removed: " + e);
    }
  }

  private void remove() throws IOException {
    if (!removed && !kept) {
      removed = true;
      if (device.isPresent()) {
        device.get().close();
      }
      folders.remove();
    }
  }

  @Override
  public synchronized void close() throws IOException {
    remove();
  }
}
