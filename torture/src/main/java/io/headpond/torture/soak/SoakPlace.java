// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.soak;

import io.headpond.cli.demo.DemoPlace;
import io.headpond.harness.process.Mount;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The folders of one soak and, as root, a small file system in memory for its fast tier. All of it
 * is gone when it is closed, or when the JVM is ended by Ctrl-C, unless it is kept.
 */
final class SoakPlace implements AutoCloseable {
  private static final int DEVICE_MIB = 64;

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
   * @param home parent of everything but the fast tier's folder, or null: disk
   * @param keep its files in the end
   * @param homeBytes that must be free at home
   */
  static SoakPlace create(Path home, boolean keep, long homeBytes)
      throws IOException, InterruptedException {
    DemoPlace folders = DemoPlace.create("soak", home);
    try {
      folders.checkRoom((long) DEVICE_MIB << 20, homeBytes);
      Optional<Mount> device =
          Mount.possible()
              ? Optional.of(
                  Mount.tmpfs(Files.createDirectory(folders.home().resolve("fast")), DEVICE_MIB))
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

  /** The devices in words. */
  String text() throws IOException {
    return device.isPresent()
        ? "fast tier on a tmpfs of its own: VOLATILE, memory stands in for persistent memory here"
        : "fast tier on " + folders.fastText() + "; it can't be filled here";
  }

  /** Where the files are that were kept, and how they go, in words. */
  String keptText() {
    List<String> roots = keptRoots();
    String where = "all files are kept in " + String.join(" and ", roots);
    String removal = "rm -r " + String.join(" ", roots);
    return device
        .map(mount -> where + "; to remove them: umount -l " + mount.folder() + " && " + removal)
        .orElse(where);
  }

  /** With a device of its own the fast tier's first folder is a bookie's journal's, or empty. */
  private List<String> keptRoots() {
    String home = folders.home().toString();
    String[] fast = folders.fast().toFile().list();
    return fast == null || fast.length == 0
        ? List.of(home)
        : List.of(home, folders.fast().toString());
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
    if (!removed && kept) {
      folders.fast().toFile().delete(); // does so only if it is empty
    } else if (!removed) {
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
