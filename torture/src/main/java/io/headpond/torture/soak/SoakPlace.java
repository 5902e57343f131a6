// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.soak;

import io.headpond.cli.demo.DemoPlace;
import io.headpond.harness.process.Mount;
import io.headpond.harness.slowdisk.DiskLimit;
import io.headpond.harness.slowdisk.LimitedHome;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The folders of one soak and, as root, a small file system in memory for its fast tier. All of it
 * is gone when it is closed, or when the JVM is ended by Ctrl-C, unless it is kept.
 */
final class SoakPlace implements AutoCloseable {
  /** Each of the measurements of a limited home. */
  private static final Duration MEASURED = Duration.ofMillis(1500);

  private final DemoPlace folders;
  private final Optional<Mount> device;
  private final Optional<LimitedHome> limited;
  private boolean kept;
  private boolean interrupted;
  private boolean removed;
  private Closeable running = () -> {};

  private SoakPlace(
      DemoPlace folders, Optional<Mount> device, Optional<LimitedHome> limited, boolean kept) {
    this.folders = folders;
    this.device = device;
    this.limited = limited;
    this.kept = kept;
  }

  /**
   * What is wanted.
   *
   * @param fast parent of the fast tier's folder, or null: memory, and if that is possible a device
   *     of its own
   * @param home parent of everything else, or null: disk
   * @param limit of home's disk, which gets a file system of its own; null: none
   * @param keep its files in the end
   * @param deviceMiB size of the fast tier's device, MiB
   * @param homeBytes that must be free at home
   */
  record Wanted(
      Path fast, Path home, DiskLimit limit, boolean keep, int deviceMiB, long homeBytes) {}

  /**
   * Makes it.
   *
   * @param progress told what goes on
   */
  static SoakPlace create(Wanted wanted, Consumer<String> progress)
      throws IOException, InterruptedException {
    Optional<LimitedHome> limited = limited(wanted, progress);
    try {
      Path home = limited.isPresent() ? limited.get().folder() : wanted.home;
      return create(wanted, DemoPlace.create("soak", wanted.fast, home), limited);
    } catch (IOException | InterruptedException | RuntimeException e) {
      if (limited.isPresent()) {
        limited.get().close();
      }
      throw e;
    }
  }

  private static SoakPlace create(Wanted wanted, DemoPlace folders, Optional<LimitedHome> limited)
      throws IOException, InterruptedException {
    try {
      folders.checkRoom((long) wanted.deviceMiB << 20, wanted.homeBytes);
      Optional<Mount> device =
          wanted.fast == null && Mount.possible()
              ? Optional.of(
                  Mount.tmpfs(
                      Files.createDirectory(folders.home().resolve("fast")), wanted.deviceMiB))
              : Optional.empty();
      SoakPlace place = new SoakPlace(folders, device, limited, wanted.keep);
      Runtime.getRuntime().addShutdownHook(new Thread(place::interrupt, "soak-cleanup"));
      return place;
    } catch (IOException | InterruptedException | RuntimeException e) {
      folders.remove();
      throw e;
    }
  }

  /** Half as large again as what must be free. */
  private static Optional<LimitedHome> limited(Wanted wanted, Consumer<String> progress)
      throws IOException, InterruptedException {
    if (wanted.limit == null) {
      return Optional.empty();
    }
    Path home = DemoPlace.homeParent(wanted.home);
    LimitedHome limited =
        new LimitedHome(
            new LimitedHome.Settings(home, wanted.limit, wanted.homeBytes * 3 / 2, 0, MEASURED),
            progress);
    try {
      limited.start();
      return Optional.of(limited);
    } catch (IOException | InterruptedException | RuntimeException e) {
      limited.close();
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

  /** Where the limited home is mounted, if home is one; it may be filled. */
  Optional<Path> limitedHome() {
    return limited.map(LimitedHome::folder);
  }

  /** The devices that can be filled here. */
  Set<KafkaSoakEvent> devices() {
    Set<KafkaSoakEvent> devices = EnumSet.noneOf(KafkaSoakEvent.class);
    if (device.isPresent()) {
      devices.add(KafkaSoakEvent.FULL_DEVICE);
      if (limited.isPresent()) {
        devices.add(KafkaSoakEvent.FULL_HOME);
      }
    }
    return devices;
  }

  /** The fast tier's directory. */
  Path fast() throws IOException {
    return device.isPresent()
        ? Files.createDirectories(device.get().folder().resolve("tier"))
        : folders.tier();
  }

  /** The devices in words. */
  String text() throws IOException {
    return "fast tier " + fastText() + limited.map(home -> "; LIMITED: " + home.text()).orElse("");
  }

  /** Where the files are that were kept, and how they go, in words. */
  String keptText() {
    List<String> roots = keptRoots();
    String where = "all files are kept in " + String.join(" and ", roots);
    if (limited.isPresent()) {
      return where
          + "; copy what you need: the next headpond-lab that root starts takes that disk down";
    }
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

  private String fastText() throws IOException {
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
    if (!removed && kept) {
      folders.fast().toFile().delete(); // does so only if it is empty
    } else if (!removed) {
      removed = true;
      if (device.isPresent()) {
        device.get().close();
      }
      folders.remove();
      if (limited.isPresent()) {
        limited.get().close();
      }
    }
  }

  @Override
  public synchronized void close() throws IOException {
    remove();
  }
}
