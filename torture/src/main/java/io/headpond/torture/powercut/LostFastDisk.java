// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut;

import io.headpond.harness.load.ContentReport;
import io.headpond.harness.process.ChildProcess;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.kafka.common.KafkaException;

/**
 * The loss of the fast disk together with the power. An image of home's disk is brought up on the
 * host as an operator would: e2fsck, {@code headpond forget-tier} where links lead to the lost
 * disk, and vanilla Kafka, by which everything is read and compared. The guest is off.
 *
 * @param image of the guest
 * @param java feature release of the guest's Java
 */
record LostFastDisk(KafkaGuest engine, Path image, int java, HostPrograms host) {

  /**
   * Finds what is left.
   *
   * @param disk of home, which stays as it is
   * @param offset where its file system begins
   * @param folder that is made for the copy
   */
  Remains examine(Path disk, long offset, Path folder) throws IOException, InterruptedException {
    Path root = Files.createDirectories(folder.resolve("home"));
    Path copy = folder.resolve("home.ext4");
    copy(disk, offset, copy, folder);
    Remains remains = check(copy, folder);
    if (remains.fileSystem() == Remains.FileSystem.BEYOND_REPAIR) {
      return remains;
    }
    String debug = HostPrograms.find("debugfs", "e2fsprogs").toString();
    host.run("debugfs", List.of(debug, "-R", "rdump / " + root, copy.toString()), folder);
    Files.delete(copy);
    engine.saveAtInstant(folder);
    Path app = engine.disks().resolve(Guest.APP);
    try (CopiedDisks copies = CopiedDisks.empty(folder, app, image, java, host)) {
      if (linked(root)) {
        forgetTier(copies, app);
      }
      return read(copies, remains);
    }
  }

  private void copy(Path disk, long offset, Path copy, Path folder)
      throws IOException, InterruptedException {
    host.run(
        "dd",
        List.of(
            HostPrograms.find("dd", "coreutils").toString(),
            "if=" + disk,
            "of=" + copy,
            "bs=1M",
            "iflag=skip_bytes",
            "skip=" + offset,
            "conv=sparse",
            "status=none"),
        folder);
  }

  private Remains check(Path copy, Path folder) throws IOException, InterruptedException {
    String program = HostPrograms.find("e2fsck", "e2fsprogs").toString();
    List<String> command = List.of("sh", "-c", Remains.CHECK, program, copy.toString());
    return Remains.check(host.output("e2fsck-" + folder.getFileName(), command, engine.disks()));
  }

  private static boolean linked(Path root) throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      return files.anyMatch(Files::isSymbolicLink);
    }
  }

  /** The command's own jars, in case its folder isn't there where the copies are seen. */
  private void forgetTier(CopiedDisks copies, Path app) throws IOException, InterruptedException {
    Path command = Programs.gather(app.resolve("command"), commandJars());
    List<String> arguments =
        List.of(
            "-cp",
            Programs.classPath(command),
            "io.headpond.cli.Headpond",
            "forget-tier",
            "/home/logs",
            CountedWay.TIER,
            "--keep-prefix",
            "--accept-loss");
    try (ChildProcess process = copies.start("headpond forget-tier", arguments)) {
      if (process.awaitExit(CopiedDisks.STOP_LIMIT) != 0) {
        throw new IOException("headpond forget-tier failed: " + process.tail(20).strip());
      }
    }
  }

  private static List<Path> commandJars() {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(entry -> entry.endsWith(".jar"))
        .map(Path::of)
        .toList();
  }

  private Remains read(CopiedDisks copies, Remains remains)
      throws IOException, InterruptedException {
    try {
      ContentReport report = engine.verify(copies);
      return remains.with(report.verified(), report.corrupt());
    } catch (IOException | KafkaException e) {
      if (host.closed()) {
        throw e;
      }
      return remains.without(String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
    }
  }
}
