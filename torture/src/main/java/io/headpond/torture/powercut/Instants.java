// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut;

import io.headpond.harness.process.FolderRemoval;
import io.headpond.torture.powercut.disk.Forgotten;
import io.headpond.torture.powercut.guest.PowerCutCheck;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The remains of a cut of the power at an instant, without a reboot: the guest stands still while
 * its disks are copied. The copies, of ext4, are brought up on the host by e2fsck's replay of their
 * journals and debugfs, and compared as {@link PowerCutCheck} does it in the guest. One thread.
 */
final class Instants {
  /** An NVDIMM's file system begins after the description of its pages, at a multiple of this. */
  static final int ALIGNMENT = 2 << 20;

  /** The mount point of the NVDIMM. */
  private static final String MEMORY = "pmem";

  private static final long POLL_MILLIS = 1;

  private final Path disks;
  private final Path folder;
  private final HostPrograms host;
  private Losses losses = Losses.NOTHING;

  /** A step that is done while the guest stands still. */
  interface Step {
    void run() throws IOException, InterruptedException;
  }

  /**
   * Copies one after the other, each in place of the one before.
   *
   * @param disks the folder of the guest's disks
   */
  Instants(Path disks, HostPrograms host) {
    this(disks, disks.resolve("instant"), host);
  }

  /**
   * Copies in a certain folder.
   *
   * @param disks the folder of the guest's disks
   */
  Instants(Path disks, Path folder, HostPrograms host) {
    this.disks = disks;
    this.folder = folder;
    this.host = host;
  }

  /**
   * Copies the disks; the guest doesn't notice but by its clock.
   *
   * @return what the guest had reported by then
   */
  List<String> take(Boot boot) throws IOException, InterruptedException {
    return take(boot, () -> {});
  }

  /** The same, with another step first while the guest stands still. */
  List<String> take(Boot boot, Step first) throws IOException, InterruptedException {
    FolderRemoval.remove(folder, true);
    Files.createDirectories(folder);
    List<String> report = new ArrayList<>();
    losses = Losses.NOTHING;
    whileItStandsStill(
        boot,
        () -> {
          first.run();
          report.addAll(boot.lines());
          Path memory = image(MEMORY);
          long fileSystem = fileSystemAt();
          copy(disks.resolve(Guest.NVDIMM), memory, fileSystem);
          Forgotten forgotten = Forgotten.NOTHING;
          for (String disk : Guest.DISKS) {
            Path copy = image(disk);
            if (boot.disks().forget()) {
              forgotten = forgotten.plus(boot.disks().copyAsIfCut(disk, copy));
            } else {
              copy(disks.resolve(disk), copy, 0);
            }
          }
          losses = new Losses(forgotten, boot.nvdimm().forgetIn(memory, fileSystem));
        });
    return report;
  }

  /** Of the last instant, by disks and memory that forget. */
  Losses losses() {
    return losses;
  }

  /** Does something while the guest stands still. */
  void whileItStandsStill(Boot boot, Step step) throws IOException, InterruptedException {
    long pid = boot.pid();
    signal("STOP", pid);
    try {
      while (!boot.standsStill()) {
        Thread.sleep(POLL_MILLIS);
      }
      step.run();
    } finally {
      boot.disks().goOn();
      signal("CONT", pid);
    }
  }

  private void signal(String name, long pid) throws IOException, InterruptedException {
    String kill = HostPrograms.find("kill", "procps").toString();
    host.run("kill", List.of(kill, "-" + name, Long.toString(pid)), disks);
  }

  private long fileSystemAt() throws IOException {
    Path memory = disks.resolve(Guest.NVDIMM);
    return Ext4Superblock.find(memory, ALIGNMENT, ALIGNMENT)
        .orElseThrow(() -> new IOException(memory + " has no ext4"));
  }

  private Path image(String mount) {
    return folder.resolve(mount + ".image");
  }

  private void copy(Path disk, Path target, long from) throws IOException, InterruptedException {
    host.run(
        "dd",
        List.of(
            HostPrograms.find("dd", "coreutils").toString(),
            "if=" + disk,
            "of=" + target,
            "bs=" + ALIGNMENT,
            "skip=" + from / ALIGNMENT,
            "conv=sparse",
            "status=none"),
        disks);
  }

  /**
   * Compares the copies with what was promised by then.
   *
   * @return what {@link PowerCutCheck} reports
   */
  List<String> compare(long seed, String logDirectory, List<String> promised)
      throws IOException, InterruptedException {
    Path root = Files.createDirectories(folder.resolve("root"));
    bringUp(root);
    relink(root);
    Path promises = Files.write(folder.resolve("promised"), promised);
    Path report = Files.createFile(folder.resolve("report"));
    Path logs = Files.createDirectories(root.resolve(logDirectory.substring(1)));
    PowerCutCheck.main(
        new String[] {
          Long.toString(seed), logs.toString(), promises.toString(), report.toString()
        });
    return Boot.lines(report);
  }

  /** Brings the copies up below a folder, each by the name of the guest's mount point. */
  void bringUp(Path root) throws IOException, InterruptedException {
    for (String disk : CopiedDisks.MOUNTS) {
      Path copy = image(disk);
      bringUp(copy, Files.createDirectories(root.resolve(disk)));
      Files.delete(copy);
    }
  }

  private void bringUp(Path disk, Path target) throws IOException, InterruptedException {
    Ext4Superblock.mend(disk, 0, host);
    String check = HostPrograms.find("e2fsck", "e2fsprogs").toString();
    host.run("e2fsck", List.of(check, "-y", "-E", "journal_only", disk.toString()), disks);
    String debug = HostPrograms.find("debugfs", "e2fsprogs").toString();
    host.run("debugfs", List.of(debug, "-R", "rdump / " + target, disk.toString()), disks);
  }

  /** The guest's absolute links lead to the copies. */
  private static void relink(Path root) throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      for (Path link : files.filter(Files::isSymbolicLink).toList()) {
        Path target = Files.readSymbolicLink(link);
        if (target.isAbsolute()) {
          Files.delete(link);
          Files.createSymbolicLink(link, root.resolve(target.toString().substring(1)));
        }
      }
    }
  }
}
