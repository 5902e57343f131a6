// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut.guest;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * One segment as plain file reads show it.
 *
 * @param name in the log directory
 * @param baseOffset of its name
 * @param records the valid ones, from the start on
 * @param endBytes where they end: the logical end
 * @param bytes the whole file
 */
record CutSegment(Path name, long baseOffset, List<Entry> records, int endBytes, byte[] bytes) {
  static final String CLEANED = ".cleaned";
  static final String SWAP = ".swap";
  static final String DELETED = ".deleted";

  /** One record. */
  record Entry(long offset, int crc) {}

  static CutSegment read(Path name, int partition) throws IOException {
    byte[] bytes = Files.readAllBytes(name);
    List<Entry> records = new ArrayList<>();
    int at = 0;
    for (ByteBuffer record = CutRecord.parse(bytes, at, partition);
        record != null;
        record = CutRecord.parse(bytes, at, partition)) {
      records.add(new Entry(CutRecord.offset(record), CutRecord.crc(record)));
      at += record.limit();
    }
    return new CutSegment(name, baseOffset(name), records, at, bytes);
  }

  /** The offset after the last valid record. */
  long nextOffset() {
    return records.isEmpty() ? baseOffset : records.get(records.size() - 1).offset() + 1;
  }

  static long baseOffset(Path name) {
    return Long.parseLong(name.getFileName().toString().substring(0, 20));
  }

  static Path name(Path directory, long baseOffset) {
    return directory.resolve(String.format("%020d.log", baseOffset));
  }

  /**
   * The segments that count, by base offset, as Kafka loads a directory: a {@code .swap} file is
   * complete and takes the place of every segment that begins inside it, {@code .cleaned} and
   * {@code .deleted} files are leftovers.
   */
  static TreeMap<Long, CutSegment> load(Path directory, int partition) throws IOException {
    TreeMap<Long, CutSegment> segments = new TreeMap<>();
    List<CutSegment> swaps = new ArrayList<>();
    try (DirectoryStream<Path> names = Files.newDirectoryStream(directory)) {
      for (Path name : names) {
        String text = name.getFileName().toString();
        if (!Files.exists(name)) {
          continue; // a link that leads nowhere, which the check reports by itself
        }
        if (text.matches("\\d{20}\\.log")) {
          segments.put(baseOffset(name), read(name, partition));
        } else if (text.matches("\\d{20}\\.log\\" + SWAP)) {
          swaps.add(read(name, partition));
        }
      }
    }
    for (CutSegment swap : swaps) {
      segments.subMap(swap.baseOffset, Math.max(swap.nextOffset(), swap.baseOffset + 1)).clear();
      segments.put(swap.baseOffset, swap);
    }
    return segments;
  }
}
