// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut.guest;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * In the guest, after a power cut, before anything of Headpond runs: plain file reads through the
 * log directory, as a vanilla engine would make them, compared with what was acknowledged.
 *
 * <p>Arguments: seed, log directory, the reports of all boots so far, the report's port. Says
 * {@code CHECK verified=N lost=N corrupt=N tail=N} and {@code BAD ...} for each finding; {@code
 * tail} counts records that are there but were not acknowledged yet.
 */
public final class PowerCutCheck {
  private static final int FINDINGS_SHOWN_MAX = 20;

  private final long seed;
  private final Acknowledged acknowledged;
  private final List<String> findings = new ArrayList<>();
  private long verified;
  private long lost;
  private long corrupt;
  private long tail;

  private PowerCutCheck(long seed, Acknowledged acknowledged) {
    this.seed = seed;
    this.acknowledged = acknowledged;
  }

  public static void main(String[] args) throws IOException {
    Acknowledged acknowledged = new Acknowledged();
    Files.readAllLines(Path.of(args[2])).forEach(acknowledged::line);
    PowerCutCheck check = new PowerCutCheck(Long.parseLong(args[0]), acknowledged);
    for (Map.Entry<Integer, TreeMap<Long, Integer>> each : acknowledged.living().entrySet()) {
      check.partition(
          Path.of(args[1]).resolve("t-" + each.getKey()), each.getKey(), each.getValue());
    }
    try (Report report = new Report(args[3])) {
      check.findings.stream().limit(FINDINGS_SHOWN_MAX).forEach(text -> report.say("BAD", text));
      report.say(
          "CHECK",
          "verified=" + check.verified,
          "lost=" + check.lost,
          "corrupt=" + check.corrupt,
          "tail=" + check.tail);
    }
  }

  private void bad(String text) {
    corrupt++;
    findings.add(text);
  }

  private void partition(Path directory, int partition, TreeMap<Long, Integer> promised)
      throws IOException {
    if (!Files.isDirectory(directory)) {
      lost += promised.size();
      if (!promised.isEmpty()) {
        findings.add(directory + " is gone with " + promised.size() + " records");
      }
      return;
    }
    danglingLinks(directory);
    TreeMap<Long, Integer> found = new TreeMap<>();
    TreeMap<Long, CutSegment> segments = CutSegment.load(directory, partition);
    long expected = segments.isEmpty() ? 0 : segments.firstKey();
    for (CutSegment segment : segments.values()) {
      if (segment.baseOffset() != expected) {
        bad(segment.name() + " should begin at offset " + expected);
      }
      expected = segment.baseOffset();
      for (CutSegment.Entry record : segment.records()) {
        if (record.offset() != expected) {
          bad(segment.name() + ": offset " + record.offset() + " follows " + (expected - 1));
        }
        expected = record.offset() + 1;
        found.put(record.offset(), record.crc());
      }
      boolean promisedBehind = !promised.tailMap(segment.nextOffset(), true).isEmpty();
      ends(segment, partition, segment.baseOffset() == segments.lastKey() || !promisedBehind);
    }
    compare(directory, promised, found);
  }

  private void compare(
      Path directory, TreeMap<Long, Integer> promised, TreeMap<Long, Integer> found) {
    promised.forEach(
        (offset, crc) -> {
          Integer there = found.remove(offset);
          if (there == null) {
            lost++;
            findings.add(directory + ": acknowledged offset " + offset + " is not there");
          } else if (!there.equals(crc)) {
            bad(directory + ": offset " + offset + " has another content than acknowledged");
          } else {
            verified++;
          }
        });
    tail += found.size();
  }

  /**
   * A segment with an acknowledged record behind it ends where its last record ends: what a roll
   * cuts off is forced before the next segment's first promise. After another's last record there
   * may be one record that was being written, every byte of it its own or zero; the rest is zero. A
   * truncation that nothing was appended after isn't durable, with or without Headpond: then what
   * it cut off may still be there, all or in pieces.
   */
  private void ends(CutSegment segment, int partition, boolean last) {
    byte[] bytes = segment.bytes();
    if (!last) {
      if (bytes.length != segment.endBytes()) {
        bad(
            segment.name()
                + " is not the last segment; it ends at "
                + bytes.length
                + " B, its last record at "
                + segment.endBytes()
                + " B");
      }
      return;
    }
    long offset = segment.nextOffset();
    byte[] own = CutRecord.of(seed, partition, offset);
    int ownAt = segment.endBytes();
    for (int i = segment.endBytes(); i < bytes.length; i++) {
      if (i == ownAt + own.length && acknowledged.truncating(partition)) {
        ownAt = i;
        own = CutRecord.of(seed, partition, ++offset);
      }
      if (bytes[i] != 0 && (i >= ownAt + own.length || bytes[i] != own[i - ownAt])) {
        bad(segment.name() + ": a foreign byte at " + i + ", after the end " + segment.endBytes());
        return;
      }
    }
  }

  private void danglingLinks(Path directory) throws IOException {
    try (DirectoryStream<Path> names = Files.newDirectoryStream(directory, "*.log{,.swap}")) {
      for (Path name : names) {
        if (!Files.exists(name)) {
          bad(name + " leads nowhere: " + Files.readSymbolicLink(name));
        }
      }
    }
  }
}
