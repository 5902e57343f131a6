// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import java.util.stream.Stream;

/** The states in which a broker may find its configuration and its directories. */
final class BrokerStates {
  static final String STARTS = "";
  static final String THE_STORES_OWN = null;

  private BrokerStates() {}

  /** What spoils the directories. */
  interface Spoil {
    void in(BrokerFiles files) throws Exception;
  }

  /**
   * One row.
   *
   * @param code of the refusal; empty: the start succeeds
   * @param remedy what doctor says to do; null: what the start says
   */
  record State(String name, String code, String remedy, Spoil spoil) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static State refused(String name, String code, Spoil spoil) {
    return new State(name, code, THE_STORES_OWN, spoil);
  }

  private static State started(String name, Spoil spoil) {
    return new State(name, STARTS, "", spoil);
  }

  static Stream<State> configurations() {
    return Stream.of(
        refused("an unknown key", "HP0101", f -> f.set("headpond.tiirs", "fast")),
        refused("a bad number", "HP0101", f -> f.set("headpond.tier.fast.capacity", "1 gigabyte")),
        refused("no log directory", "HP0101", f -> f.unset("log.dirs")),
        refused("a tier without directory", "HP0101", f -> f.unset("headpond.tier.fast.paths")),
        refused(
            "two tiers in one directory",
            "HP0101",
            f ->
                f.set("headpond.tiers", "fast,second")
                    .set("headpond.tier.second.paths", f.tier.toString())),
        refused(
            "two names of one directory",
            "HP0101",
            f -> {
              Path link = Files.createSymbolicLink(f.root.resolve("link"), f.tier);
              f.set("headpond.tier.fast.paths", f.tier + "," + link);
            }),
        refused(
            "a tier that is a log directory",
            "HP0101",
            f -> f.set("log.dirs", f.logDir + "," + f.tier)),
        started("new directories", f -> {}),
        started("used directories", BrokerFiles::used),
        started("no tier", f -> f.unset("headpond.tier")),
        started("more capacity than a disk", f -> f.set("headpond.tier.fast.capacity", "9999TiB")),
        started("a log directory to be made", f -> Files.delete(f.logDir)),
        started(
            "a log directory behind a link",
            f -> {
              Path link = Files.createSymbolicLink(f.root.resolve("link"), f.logDir);
              f.used().set("log.dirs", link.toString());
            }));
  }

  static Stream<State> tiers() {
    return Stream.of(
        new State("a new tier that isn't there", "HP0102", "mkdir -p", f -> Files.delete(f.tier)),
        refused("a known tier isn't there", "HP0102", f -> f.used().away(f.tier)),
        new State(
            "a tier isn't there, and links lead to it",
            "HP0102",
            "Mount its device.",
            f -> {
              f.used().away(f.tier);
              Files.delete(f.identity(f.logDir));
            }),
        refused("a file in place of a tier", "HP0102", f -> Files.createFile(remove(f.tier))),
        refused(
            "neither tier nor log directory is there",
            "HP0102",
            f -> {
              Files.delete(f.tier);
              Files.delete(f.logDir);
            }),
        refused("an empty mount point", "HP0103", f -> Files.createDirectory(move(f.used()))),
        refused(
            "another tier",
            "HP0104",
            f ->
                Files.writeString(
                    f.identity(Files.createDirectory(move(f.used()))),
                    "format=1\nkind=tier\ntier=fast\nid=" + UUID.randomUUID() + "\n")),
        refused(
            "somebody else's files", "HP0105", f -> Files.createFile(f.tier.resolve("thesis.tex"))),
        refused(
            "a tier and its copy",
            "HP0107",
            f -> {
              Path copy = Files.createDirectory(f.root.resolve("copy"));
              Files.copy(f.identity(f.used().tier), f.identity(copy));
              f.set("headpond.tier.fast.paths", f.tier + "," + copy);
            }),
        refused(
            "a tier's newer format",
            "HP0113",
            f -> Files.writeString(f.identity(f.used().tier), "format=3\nkind=tier\n")),
        refused(
            "a tier's damaged identity",
            "HP0114",
            f -> Files.writeString(f.identity(f.used().tier), "format=1\nkind=tier\nid=x\n")),
        refused(
            "a log directory in place of a tier",
            "HP0114",
            f -> {
              Path former = f.used().logDir;
              f.set("log.dirs", f.other.toString());
              f.set("headpond.tier.fast.paths", former.toString());
            }),
        refused(
            "a tier that can't be read",
            "HP0115",
            f -> Files.createDirectory(remove(f.identity(f.used().tier)))),
        refused(
            "segments that can't be listed",
            "HP0115",
            f -> {
              f.used().away(f.tier.resolve("segments"));
              Files.createFile(f.tier.resolve("segments"));
            }),
        started("a new file system", f -> Files.createDirectory(f.tier.resolve("lost+found"))),
        started(
            "a tier that was taken out, and had nothing",
            f -> {
              Path second = Files.createDirectory(f.root.resolve("second"));
              f.set("headpond.tier.fast.paths", f.tier + "," + second).used();
              BrokerFiles.delete(second);
              f.set("headpond.tier.fast.paths", f.tier.toString());
            }));
  }

  static Stream<State> logDirectories() {
    return Stream.of(
        refused(
            "a log directory and its copy",
            "HP0109",
            f -> {
              f.used().twoLogDirs();
              Files.copy(f.identity(f.logDir), f.identity(f.other));
            }),
        refused(
            "a partition and its copy",
            "HP0110",
            f ->
                Files.createSymbolicLink(
                    Files.createDirectory(f.used().logDir.resolve("t-1"))
                        .resolve("00000000000000000000.log"),
                    f.file())),
        refused(
            "a link out of the tiers",
            "HP0111",
            f -> link(f.used(), Files.createFile(f.root.resolve("passwd")))),
        refused(
            "a link beside a tier's segments", "HP0111", f -> link(f.used(), f.identity(f.tier))),
        refused("a tier that isn't configured", "HP0111", f -> f.used().unset("headpond.tier")),
        refused(
            "a log directory without identity",
            "HP0111",
            f -> Files.delete(f.identity(f.used().logDir))),
        refused("a lost segment", "HP0112", f -> Files.delete(f.used().file())),
        refused(
            "a log directory's newer format",
            "HP0113",
            f -> Files.writeString(f.identity(f.used().logDir), "format=3\nkind=home\n")),
        refused(
            "a log directory's damaged identity",
            "HP0114",
            f -> Files.writeString(f.identity(f.used().logDir), "format=1\nkind=home\nid=x\n")),
        refused(
            "a log directory's damaged tier",
            "HP0114",
            f ->
                Files.writeString(
                    f.identity(f.used().logDir),
                    Files.readString(f.identity(f.logDir)) + "tier.fast.7=x\n")),
        refused(
            "a tier in place of a log directory",
            "HP0114",
            f -> {
              Path former = f.used().tier;
              f.set("headpond.tier.fast.paths", f.other.toString());
              f.set("log.dirs", former.toString());
            }),
        refused(
            "a log directory that can't be read",
            "HP0116",
            f -> Files.createDirectory(remove(f.identity(f.used().logDir)))),
        refused(
            "a lost segment in one of two",
            "HP0112",
            f -> Files.delete(f.twoLogDirs().used().file())),
        refused(
            "one of two that can't be read",
            "HP0116",
            f -> Files.createDirectory(remove(f.identity(f.twoLogDirs().used().other)))),
        started(
            "an orphan, and the rest of a move",
            f -> {
              Files.write(f.used().file().resolveSibling("t-0.orphan"), new byte[10]);
              Files.createFile(f.logDir.resolve("headpond-0123456789abcdef.move"));
            }),
        started(
            "a link of what Kafka deletes",
            f ->
                Files.createSymbolicLink(
                    f.used().logDir.resolve("t-0/00000000000000000009.log.deleted"),
                    f.file().resolveSibling("gone"))),
        started(
            "a partition on a disk that isn't mounted",
            f -> Files.createSymbolicLink(f.used().logDir.resolve("u-0"), f.root.resolve("none"))),
        started(
            "an empty mount point of a log directory",
            f -> {
              f.used().away(f.logDir);
              Files.createDirectory(f.logDir);
            }));
  }

  private static Path remove(Path file) throws IOException {
    Files.delete(file);
    return file;
  }

  /** The tier moves away; its place. */
  private static Path move(BrokerFiles files) throws IOException {
    files.away(files.tier);
    return files.tier;
  }

  private static void link(BrokerFiles files, Path target) throws IOException {
    Files.createSymbolicLink(files.logDir.resolve("t-0/00000000000000000009.log"), target);
  }
}
