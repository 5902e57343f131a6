// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import io.headpond.cli.console.Units;
import io.headpond.store.layout.NameLook;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.record.internal.FileRecords;
import org.apache.kafka.common.record.internal.RecordBatch;

/**
 * Reads a segment file from its first byte to its last with Kafka's own reader. It checks every
 * batch's CRC, rising offsets, and what lies behind the last valid batch.
 */
final class SegmentCheck {
  /** A damaged segment may have a fault in each batch; more than this says nothing new. */
  static final int FAULTS_MAX = 16;

  private static final int BUFFER_BYTES = 1 << 16;

  private final List<Fault> faults = new ArrayList<>();
  // Faults with no valid batch behind them so far: if none comes, they are the tail.
  private final List<Fault> pending = new ArrayList<>();
  private long batches;
  private long records;
  private long faultsLeftOut;
  private long position;
  private long nextOffset;

  private SegmentCheck(long baseOffset) {
    this.nextOffset = baseOffset;
  }

  /**
   * A batch that is wrong although valid ones follow it, or whose offsets are wrong.
   *
   * @param position where it starts, in bytes
   * @param offset the smallest one that it may have
   * @param kind what is wrong
   * @param detail the reason
   */
  record Fault(long position, long offset, Finding.Kind kind, String detail) {}

  /** The content behind the last valid batch. */
  enum Tail {
    /** Nothing. */
    NONE,
    /** Only zeros: space that was grown ahead. */
    ZERO,
    /** The start of a batch, or something else. */
    TORN
  }

  /**
   * The result for one segment.
   *
   * @param batches valid batches
   * @param records records in them, as the batches say
   * @param bytes physical length
   * @param nextOffset the smallest offset that a following batch may have
   * @param tail what lies behind the last valid batch
   * @param tailPosition where that starts, in bytes
   * @param tailReason why Kafka's reader stopped there
   * @param faults wrong batches before the tail, at most {@link #FAULTS_MAX}
   * @param faultsLeftOut how many more there are
   */
  record Result(
      long batches,
      long records,
      long bytes,
      long nextOffset,
      Tail tail,
      long tailPosition,
      String tailReason,
      List<Fault> faults,
      long faultsLeftOut) {

    boolean clean() {
      return tail == Tail.NONE && faults.isEmpty();
    }

    /**
     * True if something in it isn't a record that was written.
     *
     * @param last is it its log's last one? Then zeros at its end are space that was grown ahead.
     */
    boolean damaged(boolean last) {
      return !faults.isEmpty() || tail == Tail.TORN || tail == Tail.ZERO && !last;
    }

    /** The tail's place and reason, for a message. */
    String tailText() {
      String text =
          "offset "
              + nextOffset
              + ": "
              + Units.bytes(bytes - tailPosition)
              + (tail == Tail.ZERO ? " of zeros" : " that are no valid batch")
              + " from byte "
              + tailPosition
              + " on";
      return tailReason.isEmpty() ? text : text + " (" + tailReason + ")";
    }
  }

  /**
   * Reads a segment.
   *
   * @param file the segment's name or what it links to
   * @param baseOffset the offset in its name: no record has a smaller one
   * @throws IOException if it can't be read
   */
  static Result run(Path file, long baseOffset) throws IOException {
    return new SegmentCheck(baseOffset).read(file);
  }

  private Result read(Path file) throws IOException {
    long bytes = Files.size(file);
    String reason = "";
    try (FileRecords segment = FileRecords.open(file.toFile(), false)) {
      bytes = segment.sizeInBytes();
      for (RecordBatch batch : segment.batches()) {
        batch(file, batch);
      }
    } catch (KafkaException e) {
      refuseUnread(file, e);
      // Kafka's reader finds no next batch: what follows is the tail, and it may be only zeros.
      reason = e.getMessage();
    }
    Tail tail = tail(file, bytes);
    long tailPosition = position;
    if (!pending.isEmpty()) {
      tail = Tail.TORN;
      tailPosition = pending.get(0).position();
      reason = pending.get(0).detail();
    }
    return new Result(
        batches,
        records,
        bytes,
        nextOffset,
        tail,
        tailPosition,
        tail == Tail.TORN ? reason : "",
        List.copyOf(faults),
        faultsLeftOut);
  }

  /**
   * Passes on a device's error, which says nothing about what the file holds.
   *
   * @param e thrown by Kafka's reader
   */
  static void refuseUnread(Path file, RuntimeException e) throws IOException {
    if (e.getCause() instanceof IOException cause && !(cause instanceof EOFException)) {
      throw NameLook.named(file, cause);
    }
  }

  private void batch(Path file, RecordBatch batch) throws IOException {
    long at = position;
    position += batch.sizeInBytes();
    try {
      batch.ensureValid();
    } catch (KafkaException e) {
      refuseUnread(file, e);
      add(pending, new Fault(at, nextOffset, Finding.Kind.CORRUPT_BATCH, e.getMessage()));
      return;
    } catch (OutOfMemoryError e) {
      add(
          pending,
          new Fault(at, nextOffset, Finding.Kind.UNREADABLE, tooLarge(batch.sizeInBytes())));
      return;
    }
    pending.forEach(fault -> add(faults, fault));
    pending.clear();
    if (batch.baseOffset() < nextOffset) {
      String detail = "its first offset is " + batch.baseOffset() + ", not " + nextOffset;
      add(
          faults,
          new Fault(at, nextOffset, Finding.Kind.OFFSETS_NOT_INCREASING, detail + " or more"));
    }
    batches++;
    Integer count = batch.countOrNull();
    records += count == null ? 0 : count;
    nextOffset = Math.max(nextOffset, batch.lastOffset() + 1);
  }

  private void add(List<Fault> list, Fault fault) {
    if (list.size() < FAULTS_MAX) {
      list.add(fault);
    } else {
      faultsLeftOut++;
    }
  }

  private static String tooLarge(int bytes) {
    return "its header says "
        + Units.bytes(bytes)
        + ", more than this command has memory for; run again with HEADPOND_JAVA_OPTS=-Xmx4g";
  }

  private Tail tail(Path file, long bytes) throws IOException {
    if (position >= bytes) {
      return Tail.NONE;
    }
    ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      for (long at = position; at < bytes; at += buffer.position()) {
        buffer.clear();
        if (channel.read(buffer, at) < 0) {
          break;
        }
        for (int i = 0; i < buffer.position(); i++) {
          if (buffer.get(i) != 0) {
            return Tail.TORN;
          }
        }
      }
    }
    return Tail.ZERO;
  }
}
