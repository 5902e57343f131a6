// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests.bookkeeper;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a bookie's entry logs held at one instant, read from their files without BookKeeper: also
 * what a transactional compaction hadn't made a log yet.
 *
 * @param byId by identifier
 */
record EntryLogs(Map<String, Log> byId) {
  private static final int HEADER_BYTES = 1024;

  /** A ledger's and an entry's number. */
  private static final int NAME_BYTES = 2 * Long.BYTES;

  /** An entry by its ledger and its number there. */
  record Entry(long ledger, long number) {}

  /**
   * One log.
   *
   * @param id the beginning of its file's name
   * @param onFast whether its name leads to the fast device
   * @param entries in their order
   */
  record Log(String id, boolean onFast, List<Entry> entries) {}

  /** A compaction's output: entries of another log, written to this one. */
  record Output(Log log, List<Entry> entries) {}

  /**
   * Reads the logs of a ledger directory; those that a live bookie drops meanwhile are left out.
   */
  static EntryLogs read(Path current) throws IOException {
    Map<String, Log> logs = new TreeMap<>();
    for (Path file : files(current)) {
      try {
        Log log = log(file);
        // The names of one file: a transactional compaction renames it by links.
        logs.merge(log.id(), log, (a, b) -> a.entries().size() < b.entries().size() ? b : a);
      } catch (NoSuchFileException e) {
        continue;
      }
    }
    return new EntryLogs(logs);
  }

  /** Files of logs, complete or not, links among them. */
  static List<Path> files(Path current) throws IOException {
    try (Stream<Path> all = Files.list(current)) {
      return all.filter(file -> file.getFileName().toString().contains(".log")).toList();
    }
  }

  private static Log log(Path file) throws IOException {
    String name = file.getFileName().toString();
    List<Entry> entries = new ArrayList<>();
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file));
    int at = HEADER_BYTES;
    while (at + Integer.BYTES + NAME_BYTES <= bytes.limit()) {
      int length = bytes.getInt(at);
      at += Integer.BYTES;
      if (length < NAME_BYTES || length > bytes.limit() - at) {
        break; // the end of what a kill left
      }
      long ledger = bytes.getLong(at);
      if (ledger >= 0) { // else a part of the log's map
        entries.add(new Entry(ledger, bytes.getLong(at + Long.BYTES)));
      }
      at += length;
    }
    return new Log(name.substring(0, name.indexOf('.')), Files.isSymbolicLink(file), entries);
  }

  /** Logs into which entries were copied that other logs held before. */
  List<Output> outputsSince(EntryLogs before) {
    Set<Entry> old =
        before.byId.values().stream()
            .map(Log::entries)
            .flatMap(Collection::stream)
            .collect(Collectors.toSet());
    return byId.values().stream()
        .map(log -> new Output(log, copied(log, before.byId.get(log.id()), old)))
        .filter(output -> !output.entries().isEmpty())
        .toList();
  }

  private static List<Entry> copied(Log now, Log before, Set<Entry> old) {
    Set<Entry> there = before == null ? Set.of() : new HashSet<>(before.entries());
    return now.entries().stream()
        .filter(entry -> old.contains(entry) && !there.contains(entry))
        .toList();
  }

  /** True if the log is still there that an output's last entry was copied from. */
  boolean inTheMiddle(Output output) {
    Entry last = output.entries().get(output.entries().size() - 1);
    return byId.values().stream()
        .anyMatch(log -> !log.id().equals(output.log().id()) && log.entries().contains(last));
  }
}
