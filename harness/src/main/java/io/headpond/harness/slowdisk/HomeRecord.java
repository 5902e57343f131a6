// SPDX-License-Identifier: Apache-2.0
package io.headpond.harness.slowdisk;

import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;

/**
 * Record on disk of what a process is about to set up, written before it does. Whatever isn't in a
 * record is never taken down.
 *
 * @param owner the process
 * @param boot the start of the machine that {@code owner} belongs to
 * @param folder its own, in the folder that {@code --home} names
 * @param throttle that limits the device
 * @param former the kernel's limit of dirty pages before; null: it isn't changed
 * @param dirtyPages the one that is set
 */
record HomeRecord(
    ProcessInfo owner,
    String boot,
    Path folder,
    Throttle throttle,
    DirtyPages former,
    DirtyPages dirtyPages) {

  private static final String SUFFIX = ".properties";

  /** The file that is the device's content. */
  Path file() {
    return folder.resolve("disk");
  }

  /** The folder where the device is mounted. */
  Path mount() {
    return folder.resolve("mount");
  }

  /** True while its owner runs. */
  boolean alive(SystemFiles system) throws IOException {
    return sameBoot(system)
        && ProcessInfo.of(system, owner.pid()).filter(owner::equals).isPresent();
  }

  /** True if the machine wasn't started again since: only its files are left then. */
  boolean sameBoot(SystemFiles system) throws IOException {
    return system.boot().equals(boot);
  }

  private Path path(SystemFiles system) {
    return system.records().resolve(owner.pid() + "-" + owner.started() + SUFFIX);
  }

  /** Writes it: there is all of it or nothing. */
  void write(SystemFiles system) throws IOException {
    Properties properties = new Properties();
    properties.setProperty("pid", "" + owner.pid());
    properties.setProperty("session", "" + owner.session());
    properties.setProperty("started", "" + owner.started());
    properties.setProperty("boot", boot);
    properties.setProperty("folder", folder.toString());
    throttle.put(properties);
    if (dirtyPages != null) {
      former.put(properties, "former.");
      dirtyPages.put(properties, "set.");
    }
    Path path = path(system);
    Path unfinished = path.resolveSibling(path.getFileName() + ".unfinished");
    try (Writer out = Files.newBufferedWriter(unfinished)) {
      properties.store(out, "Set up by headpond-lab --home-limit, or by headpond demo.");
    }
    Files.move(unfinished, path, StandardCopyOption.ATOMIC_MOVE);
  }

  /** Removes its file. */
  void delete(SystemFiles system) throws IOException {
    Files.deleteIfExists(path(system));
  }

  /** All records on disk. */
  static List<HomeRecord> all(SystemFiles system) throws IOException {
    if (!Files.isDirectory(system.records())) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(system.records())) {
      List<HomeRecord> records = new ArrayList<>();
      for (Path file : files.filter(f -> f.toString().endsWith(SUFFIX)).sorted().toList()) {
        records.add(read(file));
      }
      return records;
    }
  }

  private static HomeRecord read(Path file) throws IOException {
    Properties properties = new Properties();
    try (Reader in = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
      properties.load(in);
      return new HomeRecord(
          new ProcessInfo(
              Long.parseLong(properties.getProperty("pid")),
              Long.parseLong(properties.getProperty("session")),
              Long.parseLong(properties.getProperty("started"))),
          properties.getProperty("boot"),
          Path.of(properties.getProperty("folder")),
          Throttle.of(properties),
          DirtyPages.of(properties, "former."),
          DirtyPages.of(properties, "set."));
    } catch (IllegalArgumentException | NullPointerException e) {
      throw new IOException(
          file
              + " is no record of a limited home; look at 'losetup --list' and 'mount' for what a"
              + " killed run left, and remove the file",
          e);
    }
  }
}
