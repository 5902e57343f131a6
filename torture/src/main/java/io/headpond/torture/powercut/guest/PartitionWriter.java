// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut.guest;

import io.headpond.store.TieredStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/** One partition of {@link PowerCutWriter}: does to its segments what Kafka does. One thread. */
final class PartitionWriter {
  private static final int SEGMENTS_MAX = 6;
  private static final int SEGMENT_BYTES_MAX = 250_000;
  private static final Set<StandardOpenOption> OPEN =
      Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);

  private final PowerCutWriter all;
  private final TieredStore store;
  private final Report report;
  private final Random random;

  /** Channels by base offset; an engine keeps all its segments open. */
  private final TreeMap<Long, FileChannel> segments = new TreeMap<>();

  private int partition;
  private Path directory;
  private long next;
  private long rollAtBytes;

  PartitionWriter(PowerCutWriter all, int partition, long bootSeed) {
    this.all = all;
    store = all.store();
    report = all.report();
    random = new Random(bootSeed * 31 + partition);
    this.partition = partition;
    directory = all.home().resolve("t-" + partition);
  }

  private FileChannel active() {
    return segments.lastEntry().getValue();
  }

  private Path name(long baseOffset, String suffix) {
    Path plain = CutSegment.name(directory, baseOffset);
    return plain.resolveSibling(plain.getFileName() + suffix);
  }

  /** As Kafka after an unclean stop: leftovers go, swaps are completed, the last segment is cut. */
  void recover() throws IOException {
    Files.createDirectories(directory);
    TreeMap<Long, CutSegment> loaded = CutSegment.load(directory, partition);
    try (DirectoryStream<Path> names = Files.newDirectoryStream(directory)) {
      for (Path name : names) {
        boolean counts = loaded.values().stream().anyMatch(segment -> segment.name().equals(name));
        if (!counts) {
          store.delete(name);
        }
      }
    }
    for (CutSegment segment : loaded.values()) {
      Path name = CutSegment.name(directory, segment.baseOffset());
      if (!segment.name().equals(name)) {
        store.move(segment.name(), name, StandardCopyOption.ATOMIC_MOVE);
      }
      FileChannel channel = store.open(name, OPEN);
      segments.put(segment.baseOffset(), channel);
      next = segment.nextOffset();
      if (channel.size() > segment.endBytes()) {
        channel.truncate(segment.endBytes());
      }
      channel.position(channel.size());
    }
    if (segments.isEmpty()) {
      open(0);
    } else if (!all.durableAnywhere() && !inTier(segments.lastKey())) {
      leaveHome();
    }
  }

  /** Leaves home, where an append is only as durable as without Headpond and can't be promised. */
  private void leaveHome() throws IOException {
    if (segments.lastKey() == next) {
      segments.pollLastEntry().getValue().close();
      store.delete(name(next, ""));
    }
    open(next);
  }

  private boolean inTier(long baseOffset) {
    return Files.isSymbolicLink(CutSegment.name(directory, baseOffset));
  }

  private void open(long baseOffset) throws IOException {
    segments.put(baseOffset, store.open(CutSegment.name(directory, baseOffset), OPEN));
    next = baseOffset;
    rollAtBytes = random.nextInt(10) == 0 ? 1 : random.nextInt(SEGMENT_BYTES_MAX);
  }

  /** Appends and acknowledges; 0 means without end. */
  void append(long recordsMax) throws IOException {
    for (long i = 0; recordsMax == 0 || i < recordsMax; i++) {
      byte[] record = CutRecord.of(all.seed(), partition, next);
      ByteBuffer buffer = ByteBuffer.wrap(record);
      while (buffer.hasRemaining()) {
        active().write(buffer);
      }
      report.say(
          Report.ACKNOWLEDGED, partition, next, Integer.toHexString(CutRecord.storedCrc(record)));
      next++;
      if (active().size() >= rollAtBytes) {
        roll();
      } else if (random.nextInt(500) == 0) {
        report.during(Moment.TRUNCATION, this::truncate);
      }
    }
    for (FileChannel channel : segments.values()) {
      channel.close();
    }
  }

  private void roll() throws IOException {
    report.during(Moment.ROLL, () -> open(next));
    int choice = random.nextInt(24);
    if (choice < 6) {
      report.during(Moment.COMPACTION, this::compact);
    } else if (choice == 6) {
      report.during(Moment.TOPIC_DELETION, this::deletePartition);
    }
    while (segments.size() > SEGMENTS_MAX) {
      report.during(Moment.SEGMENT_DELETION, this::deleteOldest);
    }
  }

  /** As a follower whose leader has less. */
  private void truncate() throws IOException {
    long base = segments.lastKey();
    if (next - base < 2) {
      return;
    }
    long to = base + 1 + random.nextInt((int) (next - base - 1));
    long size = 0;
    for (long offset = base; offset < to; offset++) {
      size += CutRecord.of(all.seed(), partition, offset).length;
    }
    report.say(Report.TRUNCATED_TO, partition, to);
    active().truncate(size);
    active().position(size);
    next = to;
  }

  private void deleteOldest() throws IOException {
    Map.Entry<Long, FileChannel> oldest = segments.pollFirstEntry();
    report.say(Report.LOG_START, partition, segments.firstKey());
    Path deleted = name(oldest.getKey(), CutSegment.DELETED);
    store.move(name(oldest.getKey(), ""), deleted, StandardCopyOption.ATOMIC_MOVE);
    oldest.getValue().close();
    store.delete(deleted);
  }

  /** Two oldest segments become one, with all their records: nothing may be missing at any time. */
  private void compact() throws IOException {
    if (segments.size() < 3) {
      return;
    }
    Map.Entry<Long, FileChannel> first = segments.pollFirstEntry();
    Map.Entry<Long, FileChannel> second = segments.pollFirstEntry();
    long base = first.getKey();
    FileChannel target = store.open(name(base, CutSegment.CLEANED), OPEN);
    copy(first.getValue(), target);
    copy(second.getValue(), target);
    target.force(true);
    store.move(
        name(base, CutSegment.CLEANED),
        name(base, CutSegment.SWAP),
        StandardCopyOption.ATOMIC_MOVE);
    for (Map.Entry<Long, FileChannel> source : Map.ofEntries(first, second).entrySet()) {
      Path deleted = name(source.getKey(), CutSegment.DELETED);
      store.move(name(source.getKey(), ""), deleted, StandardCopyOption.ATOMIC_MOVE);
      source.getValue().close();
      store.delete(deleted);
    }
    store.move(name(base, CutSegment.SWAP), name(base, ""), StandardCopyOption.ATOMIC_MOVE);
    segments.put(base, target);
  }

  private static void copy(FileChannel source, FileChannel target) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate((int) source.size());
    while (buffer.hasRemaining() && source.read(buffer, buffer.position()) > 0) {}
    buffer.flip();
    while (buffer.hasRemaining()) {
      target.write(buffer);
    }
  }

  private void deletePartition() throws IOException {
    report.say(Report.PARTITION_DELETED, partition);
    Path deleted = all.home().resolve("t-" + partition + "." + random.nextInt(1 << 30) + "-delete");
    store.move(directory, deleted, StandardCopyOption.ATOMIC_MOVE);
    for (FileChannel channel : segments.values()) {
      channel.close();
    }
    segments.clear();
    all.deletePartition(deleted);
    partition = all.newPartition();
    directory = all.home().resolve("t-" + partition);
    Files.createDirectories(directory);
    open(0);
  }
}
