// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut;

import io.headpond.harness.process.ChildProcess;
import io.headpond.harness.process.FolderRemoval;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A machine with an emulated NVDIMM and two disks that keep their content from boot to boot: one
 * for home, and a fast one for a tier or a journal, so that no flush of the one covers the other.
 *
 * <p>A disk that {@linkplain Disk#KEEPS keeps} is a raw image behind virtio-blk with {@code
 * cache=writeback}: a request that the guest has sent is in the host's page cache and survives the
 * guest, a flush is an fdatasync. What a cut loses of it is what the guest's kernel hadn't sent
 * yet: its page cache and an uncommitted journal transaction. One that {@linkplain Disk#FORGETS
 * forgets} loses also what was sent and not flushed.
 */
public final class Guest {
  private static final String FAST = "fast";

  /** The disks whose content stays. */
  static final List<String> DISKS = List.of("home", FAST);

  /** The folder, beside the disks, of what the last boot has as {@code /app}. */
  static final String APP = "app";

  /** The file, beside the disks, of persistent memory. */
  static final String NVDIMM = "nvdimm";

  private static final long MIB = 1L << 20;
  private static final long BOOTS_MAX = 1_000_003;

  private final Path image;
  private final Path folder;
  private final Machine machine;
  private final HostPrograms host;

  /** First content of home that the host can't put on its file system; null: none. */
  private Path homeAtFirst;

  /**
   * A machine whose disks are made at its first boot, and go on from there.
   *
   * @param image what {@link GuestImage} made
   * @param folder for disks, consoles and reports
   */
  public Guest(Path image, Path folder, Machine machine, HostPrograms host) throws IOException {
    this.image = image;
    this.folder = Files.createDirectories(folder);
    this.machine = machine;
    this.host = host;
  }

  private Path file(String name) {
    return folder.resolve(name);
  }

  /** Empty disks; what they held is gone. */
  public void makeDisks() throws IOException, InterruptedException {
    makeDisks(Files.createDirectories(file("empty")));
  }

  /**
   * An empty NVDIMM, a disk for home and an empty fast one; what they held is gone.
   *
   * @param home what home holds at first
   */
  public void makeDisks(Path home) throws IOException, InterruptedException {
    Files.deleteIfExists(file("formatted"));
    try (RandomAccessFile memory = new RandomAccessFile(file(NVDIMM).toFile(), "rw")) {
      memory.setLength(0);
      memory.setLength(machine.nvdimmMiB() * MIB);
    }
    if (machine.fileSystem() == GuestFileSystem.XFS) {
      homeAtFirst = home;
      for (String name : DISKS) {
        Files.deleteIfExists(file(name));
        extend(file(name));
      }
      return;
    }
    makeDisk(home, file("home"), machine.diskMiB(), List.of());
    makeDisk(Files.createDirectories(file("empty")), file(FAST), machine.diskMiB(), List.of());
  }

  private void extend(Path disk) throws IOException {
    try (RandomAccessFile image = new RandomAccessFile(disk.toFile(), "rw")) {
      image.setLength(machine.diskMiB() * MIB);
    }
  }

  private void makeDisk(Path content, Path disk, long mebibytes, List<String> options)
      throws IOException, InterruptedException {
    Files.deleteIfExists(disk);
    List<String> command = new ArrayList<>();
    command.add(HostPrograms.find("mke2fs", "e2fsprogs").toString());
    command.addAll(List.of("-q", "-F", "-t", "ext4", "-m", "0"));
    command.addAll(options);
    command.addAll(List.of("-d", content.toString(), disk.toString(), mebibytes + "M"));
    host.run("mke2fs", command, folder);
  }

  /**
   * Starts the machine.
   *
   * @param number of this boot; names its report and its console
   * @param job the shell script it runs before it powers off; sees its files below /app
   * @param files what lies below /app besides the job
   */
  public Boot boot(int number, String job, List<Path> files)
      throws IOException, InterruptedException {
    return boot(number, job, files, machine.memory().persistence());
  }

  /**
   * The same with another power domain of the NVDIMM.
   *
   * @param persistence as of QEMU's {@code nvdimm-persistence}: cpu, mem-ctrl, or empty for none
   */
  public Boot boot(int number, String job, List<Path> files, String persistence)
      throws IOException, InterruptedException {
    Path app = file(APP);
    FolderRemoval.remove(app, true);
    Files.createDirectories(app);
    Files.writeString(app.resolve("job"), job);
    if (homeAtFirst != null && !formatted()) {
      Programs.copy(homeAtFirst, app.resolve("home-at-first"));
    }
    for (Path each : files) {
      Programs.copy(each, app.resolve(each.getFileName().toString()));
    }
    makeDisk(app, file("app.ext4"), 8 + 5 * bytes(app) / 4 / MIB, List.of("-O", "^has_journal"));
    Path report = file("report-" + number);
    Path console = file("console-" + number);
    Files.deleteIfExists(report);
    Path output = file("qemu.log");
    Files.deleteIfExists(output);
    long seed = machine.seed() * BOOTS_MAX + number;
    Disks disks = Disks.powerOn(folder, machine, seed, DISKS, host);
    Boot boot;
    try {
      Nvdimm nvdimm = Nvdimm.powerOn(file(NVDIMM).toRealPath(), machine, seed, host);
      List<String> command = command(persistence, report, console, disks, nvdimm);
      command.addAll(nvdimm.options());
      ChildProcess process = host.start("guest", command, folder, output);
      boot = new Boot(process, report, console, disks, nvdimm);
    } catch (IOException e) {
      disks.close();
      throw e;
    }
    Files.writeString(file("formatted"), "the first boot made the file systems\n");
    return boot;
  }

  private List<String> command(
      String persistence, Path report, Path console, Disks disks, Nvdimm memory)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(HostPrograms.find("qemu-system-x86_64", "qemu-system-x86").toString());
    // One host thread for both processors: with one each the JVM crashed now and then, seen twice,
    // once in String.isLatin1 of the read-only check, as if a processor ran a piece of compiled
    // Java code that the other was just writing. Not seen since.
    // One processor where memory forgets, so that no other one's fence covers a missing one.
    command.addAll(List.of("-accel", "tcg,thread=single,tb-size=256", "-cpu", "max"));
    command.addAll(List.of("-smp", machine.memory() == Memory.FORGETS ? "1" : "2"));
    command.addAll(nvdimm(persistence));
    command.addAll(List.of("-m", machine.memoryMiB() + "M,slots=2,maxmem=4G", "-nodefaults"));
    command.addAll(List.of("-no-user-config", "-display", "none", "-no-reboot"));
    command.addAll(List.of("-serial", "file:" + console));
    disk(command, "root", "file=" + image.resolve("root.ext4") + ",readonly=on", "");
    disk(command, "app", "file=" + file("app.ext4") + ",readonly=on", "");
    String blocks = ",physical_block_size=" + machine.fileSystem().blockBytes();
    for (String name : DISKS) {
      disk(command, name, disks.drive(name), blocks);
    }
    // Without the event descriptor a line is in the host's file before the guest's write goes on.
    command.addAll(List.of("-device", "virtio-serial-pci,ioeventfd=off"));
    command.addAll(List.of("-chardev", "file,id=report,path=" + report));
    command.addAll(List.of("-device", "virtserialport,chardev=report,name=report"));
    if (machine.port() != 0) {
      String forward = "hostfwd=tcp:127.0.0.1:" + machine.port() + "-:" + machine.port();
      command.addAll(List.of("-netdev", "user,id=net," + forward));
      command.addAll(List.of("-device", "virtio-net-pci,netdev=net,romfile="));
    }
    command.addAll(List.of("-kernel", image.resolve("vmlinuz").toString()));
    command.addAll(List.of("-initrd", image.resolve("initramfs").toString()));
    command.addAll(List.of("-append", kernelArguments(disks) + memory.kernelArguments()));
    return command;
  }

  private List<String> nvdimm(String persistence) {
    String domain = persistence.isEmpty() ? "" : ",nvdimm-persistence=" + persistence;
    return List.of(
        "-machine",
        "pc,nvdimm=on" + domain,
        "-object",
        String.format(
            "memory-backend-file,id=%s,share=on,mem-path=%s,size=%d",
            NVDIMM, file(NVDIMM), machine.nvdimmMiB() * MIB),
        "-device",
        "nvdimm,memdev=" + NVDIMM);
  }

  private boolean formatted() {
    return Files.exists(file("formatted"));
  }

  private String kernelArguments(Disks disks) {
    return "console=ttyS0 panic=-1 quiet tsc=reliable no_timer_check mitigations=off nokaslr"
        + " rcupdate.rcu_expedited=1 cryptomgr.notests headpond.fs="
        + machine.fileSystem().id()
        + (formatted() ? "" : " headpond.make=1")
        + (disks.eager() ? " headpond.eager=1" : "");
  }

  private static void disk(List<String> command, String id, String drive, String options) {
    command.addAll(List.of("-drive", "if=none,format=raw,id=" + id + "," + drive));
    command.addAll(List.of("-device", "virtio-blk-pci,drive=" + id + options));
  }

  private static long bytes(Path root) throws IOException {
    long bytes = 0;
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        bytes += Files.size(file);
      }
    }
    return bytes;
  }
}
