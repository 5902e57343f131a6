// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.doctor;

import io.headpond.cli.console.Units;
import io.headpond.pmem.Device;
import io.headpond.pmem.DiskFacts;
import io.headpond.pmem.Persist;
import io.headpond.pmem.PersistChoice;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The device below one directory, for JSON; all fields are null but the path if it couldn't be
 * read.
 *
 * @param path the directory
 * @param fileSystem its type
 * @param blockDevice its block device
 * @param dax whether a file can be mapped with MAP_SYNC
 * @param durability {@code durable}, {@code ephemeral}, {@code unknown}, {@code emulated} or {@code
 *     volatile}
 * @param persistenceDomain what sysfs says
 * @param persistBackend how a tier or a journal here would be written; null, as is the next one, of
 *     a log directory and of a place for entry logs
 * @param persistReason why
 * @param capacityBytes size of the file system
 * @param freeBytes what is free of it
 * @param disk what the kernel says of its disk
 * @param dirtyShutdowns of the modules of persistent memory that count them: power lost without all
 *     having been kept
 */
record DirectoryReport(
    String path,
    String fileSystem,
    String blockDevice,
    Boolean dax,
    String durability,
    String persistenceDomain,
    String persistBackend,
    String persistReason,
    Long capacityBytes,
    Long freeBytes,
    DiskFacts disk,
    Map<String, Long> dirtyShutdowns) {

  /**
   * Looks at a directory.
   *
   * @param use what it is for
   */
  static DirectoryReport of(Path directory, DirectoryUse use, Diagnosis diagnosis) {
    String subject = directory.toString();
    if (!Files.isDirectory(directory)) {
      if (!diagnosis.wrongAbout(subject)) {
        diagnosis.wrong(
            subject,
            "isn't there, or isn't a directory",
            "mount it, or: " + make(directory, use.owner()));
      }
      return unreadable(directory);
    }
    try {
      Device device = Device.detect(directory);
      FileStore store = Files.getFileStore(directory);
      durability(device, use, diagnosis);
      if (use.mayGrowAhead()) {
        withoutDax(device, diagnosis);
      }
      room(device, store, diagnosis);
      return report(device, use, Persist.decide(device), store);
    } catch (IOException e) {
      if (!diagnosis.wrongAbout(subject)) {
        diagnosis.wrong(
            subject,
            "can't be used by this user: " + e.getMessage(),
            "run as " + use.engine + "'s user, or: " + chown(directory, use.owner()));
      }
      return unreadable(directory);
    }
  }

  private static void durability(Device device, DirectoryUse use, Diagnosis diagnosis) {
    String subject = device.directory().toString();
    String words = DiskText.of(device.disk());
    String disk = words.isEmpty() ? "" : " (" + words + ")";
    String called = device.durability() + ": " + device.explanation();
    switch (device.durability()) {
      case DURABLE -> diagnosis.ok(subject, device.explanation() + disk);
      case EPHEMERAL ->
          diagnosis.warning(
              subject,
              called + disk + ". With it goes " + use.lost,
              "keep what it holds on other machines too (replication), or use a volume that stays");
      case UNKNOWN ->
          diagnosis.warning(
              subject,
              called + disk,
              "use ext4 or XFS on a disk of this machine, which sysfs describes, for what must"
                  + " outlive a power cut");
      case EMULATED ->
          diagnosis.warning(
              subject,
              called,
              "don't trust a power cut here; real persistent memory shows a domain: cat"
                  + " /sys/bus/nd/devices/region*/persistence_domain");
      case VOLATILE ->
          diagnosis.warning(
              subject,
              called + ", and with it " + use.lost,
              "for trying out only; for data put it on persistent memory or NVMe");
    }
    if (device.lacksJournal()) {
      diagnosis.advice(
          subject,
          "its ext4 has no journal: after a power cut e2fsck must repair it before it is mounted,"
              + " and while files are deleted, as by retention, new ones take longer",
          "give it one while it isn't mounted: tune2fs -O has_journal /dev/"
              + device.blockDevice().orElse("DEVICE"));
    }
    dirtyShutdowns(device, diagnosis);
  }

  private static void dirtyShutdowns(Device device, Diagnosis diagnosis) {
    Map<String, Long> counts = device.dirtyShutdowns();
    if (!counts.isEmpty()) {
      diagnosis.ok(
          device.directory().toString(),
          "shutdowns that left something unwritten (dirty_shutdown): "
              + counts.entrySet().stream()
                  .map(each -> each.getKey() + " " + each.getValue())
                  .collect(Collectors.joining(", "))
              + "; after a count has grown, run headpond verify before the engine starts");
    }
  }

  private static void withoutDax(Device device, Diagnosis diagnosis) {
    String subject = device.directory().toString();
    String block = device.blockDevice().orElse("");
    if (!device.dax() && block.startsWith("pmem")) {
      diagnosis.advice(
          subject,
          "on persistent memory, but not mounted with DAX: it is written and forced as a disk",
          "umount '" + subject + "' && mount -o dax /dev/" + block + " '" + subject + "'");
    }
  }

  private static void room(Device device, FileStore store, Diagnosis diagnosis) throws IOException {
    diagnosis.ok(
        device.directory().toString(),
        Units.bytes(store.getUsableSpace())
            + " free of "
            + Units.bytes(store.getTotalSpace())
            + " ("
            + device.fileSystemType()
            + device.blockDevice().map(name -> ", " + name).orElse("")
            + ")");
  }

  private static DirectoryReport report(
      Device device, DirectoryUse use, PersistChoice choice, FileStore store) throws IOException {
    boolean ahead = use.mayGrowAhead();
    return new DirectoryReport(
        device.directory().toString(),
        device.fileSystemType(),
        device.blockDevice().orElse(null),
        device.dax(),
        device.durability().name().toLowerCase(Locale.ROOT),
        device.persistenceDomain(),
        ahead ? choice.backend().key() : null,
        ahead ? choice.reason() : null,
        store.getTotalSpace(),
        store.getUsableSpace(),
        device.disk(),
        device.dirtyShutdowns());
  }

  /** The command that makes it. */
  static String make(Path directory, String userAndGroup) {
    return "mkdir -p '" + directory + "' && " + chown(directory, userAndGroup);
  }

  /** The command that gives it to the engine's user. */
  static String chown(Path directory, String userAndGroup) {
    return "chown " + userAndGroup + " '" + directory + "'";
  }

  /** The command that gives it to a user with all that is in it. */
  static String chownAll(Path directory, String userAndGroup) {
    return "chown -R " + userAndGroup + " '" + directory + "'";
  }

  /** Of one that isn't there. */
  static DirectoryReport unreadable(Path directory) {
    return new DirectoryReport(
        directory.toString(), null, null, null, null, null, null, null, null, null, null, null);
  }
}
