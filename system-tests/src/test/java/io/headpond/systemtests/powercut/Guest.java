// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests.powercut;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A machine with an emulated NVDIMM and a disk that keep their content from boot to boot.
 *
 * <p>Home's disk is a raw image behind virtio-blk with {@code cache=writeback}: a request that the
 * guest has sent is in the host's page cache and survives the guest, a flush is an fdatasync. What
 * a cut loses of it is what the guest's kernel hadn't sent yet: its page cache and an uncommitted
 * journal transaction.
 */
final class Guest {
  private static final long NVDIMM_BYTES = 64L << 20;

  /** mkfs.xfs refuses less than 300 MB. */
  private static final long NVDIMM_BYTES_XFS = 384L << 20;

  private static final String HOME_SIZE = "192M";
  private static final String APP_SIZE = "8M";

  private final Path image;
  private final Path folder;
  private final String fileSystem;
  private final long nvdimmBytes;
  private boolean made;
  private int boots;

  /**
   * A new machine with empty disks.
   *
   * @param image what build-guest.sh made
   * @param folder for disks and logs, made anew
   * @param fileSystem of the NVDIMM: ext4 or xfs
   */
  Guest(Path image, Path folder, String fileSystem) throws IOException {
    this.image = image;
    this.folder = Files.createDirectories(folder);
    this.fileSystem = fileSystem;
    nvdimmBytes = fileSystem.equals("xfs") ? NVDIMM_BYTES_XFS : NVDIMM_BYTES;
    try (RandomAccessFile nvdimm = new RandomAccessFile(file("nvdimm").toFile(), "rw")) {
      nvdimm.setLength(0);
      nvdimm.setLength(nvdimmBytes);
    }
    Files.deleteIfExists(file("home"));
    run("mke2fs", "-q", "-F", "-t", "ext4", "-m", "0", file("home").toString(), HOME_SIZE);
  }

  private Path file(String name) {
    return folder.resolve(name);
  }

  /**
   * Starts the machine.
   *
   * @param job the shell script it runs before it powers off; sees its files below /app
   * @param files what lies below /app besides the job
   * @param persistence as of QEMU's {@code nvdimm-persistence}: cpu, mem-ctrl, or empty for none
   */
  Boot boot(String job, List<Path> files, String persistence) throws IOException {
    int number = ++boots;
    Path app = file("app");
    delete(app);
    Files.createDirectories(app);
    Files.writeString(app.resolve("job"), job);
    for (Path each : files) {
      copy(each, app.resolve(each.getFileName().toString()));
    }
    Path appDisk = file("app.ext4");
    Files.deleteIfExists(appDisk);
    run(
        "mke2fs",
        "-q",
        "-F",
        "-t",
        "ext4",
        "-O",
        "^has_journal",
        "-m",
        "0",
        "-d",
        app.toString(),
        appDisk.toString(),
        APP_SIZE);
    Boot boot =
        new Boot(command(persistence, number), file("report-" + number), file("console-" + number));
    made = true;
    return boot;
  }

  private List<String> command(String persistence, int number) {
    String machine =
        "pc,nvdimm=on" + (persistence.isEmpty() ? "" : ",nvdimm-persistence=" + persistence);
    String words =
        "console=ttyS0 panic=-1 quiet tsc=reliable no_timer_check mitigations=off nokaslr"
            + " rcupdate.rcu_expedited=1 cryptomgr.notests headpond.fs="
            + fileSystem
            + (made ? "" : " headpond.make=1");
    List<String> command = new ArrayList<>(List.of("nice", "-n", "10", "qemu-system-x86_64"));
    // One host thread for both processors: with one each the JVM crashed now and then, seen twice,
    // once in String.isLatin1 of the read-only check, as if a processor ran a piece of compiled
    // Java
    // code that the other was just writing. Not seen since.
    command.addAll(
        List.of("-machine", machine, "-accel", "tcg,thread=single,tb-size=256", "-cpu", "max"));
    command.addAll(List.of("-smp", "2", "-m", "768M,slots=2,maxmem=4G", "-nodefaults"));
    command.addAll(List.of("-no-user-config", "-display", "none", "-no-reboot"));
    command.addAll(List.of("-serial", "file:" + file("console-" + number)));
    command.addAll(
        List.of(
            "-object",
            "memory-backend-file,id=nv,share=on,mem-path="
                + file("nvdimm")
                + ",size="
                + nvdimmBytes,
            "-device",
            "nvdimm,memdev=nv"));
    disk(command, "root", image.resolve("root.ext4"), ",readonly=on");
    disk(command, "app", file("app.ext4"), ",readonly=on");
    disk(command, "home", file("home"), ",cache=writeback");
    // Without the event descriptor a line is in the host's file before the guest's write goes on.
    command.addAll(
        List.of(
            "-device",
            "virtio-serial-pci,ioeventfd=off",
            "-chardev",
            "file,id=report,path=" + file("report-" + number),
            "-device",
            "virtserialport,chardev=report,name=report"));
    command.addAll(
        List.of(
            "-kernel", image.resolve("vmlinuz").toString(),
            "-initrd", image.resolve("initramfs").toString(),
            "-append", words));
    return command;
  }

  private static void disk(List<String> command, String id, Path file, String options) {
    command.addAll(
        List.of(
            "-drive",
            "if=none,format=raw,id=" + id + ",file=" + file + options,
            "-device",
            "virtio-blk-pci,drive=" + id));
  }

  private static void run(String... command) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes());
    try {
      if (process.waitFor() != 0) {
        throw new IOException(String.join(" ", command) + ": " + output);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  private static void copy(Path source, Path target) throws IOException {
    try (Stream<Path> files = Files.walk(source)) {
      for (Path file : files.toList()) {
        Path to = target.resolve(source.relativize(file).toString());
        Files.copy(file, to, StandardCopyOption.REPLACE_EXISTING);
      }
    }
  }

  /** A folder with all that lies in it. */
  static void delete(Path root) throws IOException {
    if (Files.exists(root)) {
      try (Stream<Path> files = Files.walk(root)) {
        for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
          Files.delete(file);
        }
      }
    }
  }
}
