// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut.memory;

import io.headpond.torture.powercut.disk.Forgotten;
import io.headpond.torture.powercut.memory.StoreLog.Kind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * Persistent memory below a processor's caches, which are lost with the power. A store is durable
 * once its cache line was written back and a fence has followed; a non-temporal store once a fence
 * has followed. Any other may have left the cache by itself, or not.
 *
 * <p>At a cut each line that isn't durable is lost, kept, or torn between its 8-byte atoms, each
 * independently of others: so a later store can be there without an earlier one. One thread.
 */
public final class ForgettingMemory {
  /** Of a cache, bytes. */
  static final int LINE = 64;

  /** A cut leaves so many bytes as they were before a store or as they are after it. */
  static final int ATOM = 8;

  /** Shares of the lines in the cache, one of which is drawn for a cut. */
  private static final double[] KEPT = {0, 0.25, 0.5, 0.75, 0.95};

  private static final double[] TORN = {0, 0.25, 0.5};

  /** A store that QEMU was in the middle of may not have reached the log: it touches two lines. */
  private static final int UNLOGGED_LINES_MAX = 2;

  private static final int COMPARED_BYTES = 1 << 20;

  private final Path memory;
  private final StoreLog log;
  private final MappedByteBuffer durable;
  private final Random random;
  private final Map<Integer, Line> cached = new TreeMap<>();
  private final List<Integer> onTheirWay = new ArrayList<>();
  private int replayed;

  /** A line in the cache that isn't durable as it is. */
  private static final class Line {
    final byte[] now;

    /** As it was when it was written back last, until a fence follows; else null. */
    byte[] flushed;

    Line(byte[] now) {
      this.now = now;
    }
  }

  /**
   * At power on everything is durable.
   *
   * @param memory the file behind it
   * @param copy a file for what is durable; is replaced
   * @param seed what a cut keeps follows from it
   */
  public ForgettingMemory(Path memory, Path copy, StoreLog log, long seed) throws IOException {
    this.memory = memory;
    this.log = log;
    random = new Random(seed);
    Files.copy(memory, copy, StandardCopyOption.REPLACE_EXISTING);
    try (FileChannel channel =
        FileChannel.open(copy, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      durable = channel.map(FileChannel.MapMode.READ_WRITE, 0, channel.size());
    }
  }

  /**
   * Leaves in a file what a cut now would; the processor stands still, or is gone.
   *
   * @param copy of the memory, from some offset on
   * @param from that offset, a multiple of a line
   */
  public Forgotten cut(Path copy, long from) throws IOException {
    replay();
    addUnlogged();
    try (FileChannel target = FileChannel.open(copy, StandardOpenOption.WRITE)) {
      return decide(target, from);
    }
  }

  /** The same in the memory itself, when the power goes. */
  public Forgotten cut() throws IOException {
    return cut(memory, 0);
  }

  private void replay() {
    int end = log.count();
    byte[] value = new byte[ATOM];
    for (; replayed < end; replayed++) {
      long offset = log.offset(replayed);
      switch (log.kind(replayed)) {
        case STORE, STREAM -> {
          log.value(replayed, value);
          store(offset, value, log.bytes(replayed), log.kind(replayed) == Kind.STREAM);
        }
        case FLUSH -> flush((int) (offset / LINE));
        case FENCE -> fence();
        case NONE -> throw new IllegalStateException("event " + replayed + " is of no kind");
      }
    }
  }

  private void store(long offset, byte[] value, int bytes, boolean past) {
    int number = (int) (offset / LINE);
    int at = (int) (offset % LINE);
    int here = Math.min(bytes, LINE - at);
    System.arraycopy(value, 0, line(number).now, at, here);
    if (here < bytes) {
      System.arraycopy(value, here, line(number + 1).now, 0, bytes - here);
    }
    if (past) {
      flush(number);
      if (here < bytes) {
        flush(number + 1);
      }
    }
  }

  private Line line(int number) {
    return cached.computeIfAbsent(number, it -> new Line(durable(it)));
  }

  private byte[] durable(int number) {
    byte[] bytes = new byte[LINE];
    durable.get(number * LINE, bytes);
    return bytes;
  }

  private void flush(int number) {
    Line line = cached.get(number);
    if (line != null) {
      if (line.flushed == null) {
        onTheirWay.add(number);
      }
      line.flushed = line.now.clone();
    }
  }

  private void fence() {
    for (int number : onTheirWay) {
      Line line = cached.get(number);
      durable.put(number * LINE, line.flushed);
      if (Arrays.equals(line.flushed, line.now)) {
        cached.remove(number);
      }
      line.flushed = null;
    }
    onTheirWay.clear();
  }

  /**
   * Compares what the log says with what is there: more than the store under way can't be missing.
   */
  private void addUnlogged() throws IOException {
    int unlogged = 0;
    try (FileChannel channel = FileChannel.open(memory, StandardOpenOption.READ)) {
      ByteBuffer there = ByteBuffer.allocate(COMPARED_BYTES);
      for (long from = 0; from < durable.capacity(); from += COMPARED_BYTES) {
        there.clear().limit((int) Math.min(COMPARED_BYTES, durable.capacity() - from));
        while (there.hasRemaining() && channel.read(there, from + there.position()) >= 0) {
          // Until the block ends.
        }
        unlogged += addUnlogged(there.flip(), (int) from);
        if (unlogged > UNLOGGED_LINES_MAX) {
          throw new IOException(
              "the log of stores is incomplete: " + memory + " differs near " + from);
        }
      }
    }
  }

  private int addUnlogged(ByteBuffer there, int from) {
    ByteBuffer expected = durable.slice(from, there.limit());
    int unlogged = 0;
    int differs = expected.mismatch(there);
    while (differs >= 0) {
      int at = differs / LINE * LINE;
      byte[] now = new byte[LINE];
      there.get(at, now);
      Line line = line((from + at) / LINE);
      if (!Arrays.equals(line.now, now)) {
        unlogged++;
        System.arraycopy(now, 0, line.now, 0, LINE);
      }
      int next = at + LINE;
      int more = expected.slice(next, there.limit() - next).mismatch(rest(there, next));
      differs = more < 0 ? -1 : next + more;
    }
    return unlogged;
  }

  private static ByteBuffer rest(ByteBuffer bytes, int from) {
    return bytes.slice(from, bytes.limit() - from);
  }

  private Forgotten decide(FileChannel target, long from) throws IOException {
    double kept = KEPT[random.nextInt(KEPT.length)];
    double torn = TORN[random.nextInt(TORN.length)];
    long differing = 0;
    long lost = 0;
    long partly = 0;
    for (Map.Entry<Integer, Line> each : cached.entrySet()) {
      long at = (long) each.getKey() * LINE - from;
      byte[] before = durable(each.getKey());
      Line line = each.getValue();
      if (at < 0 || Arrays.equals(before, line.now)) {
        continue;
      }
      byte[] left = left(before, line, kept, torn);
      target.write(ByteBuffer.wrap(left), at);
      differing++;
      boolean same = Arrays.equals(left, line.now);
      lost += Arrays.equals(left, before) ? 1 : 0;
      partly += same || Arrays.equals(left, before) ? 0 : 1;
    }
    return new Forgotten(differing, lost, partly);
  }

  private byte[] left(byte[] before, Line line, double kept, double torn) {
    boolean tear = random.nextDouble() < torn;
    double share = tear ? random.nextDouble() : random.nextDouble() < kept ? 1 : 0;
    byte[] lost = line.flushed != null && random.nextBoolean() ? line.flushed : before;
    byte[] left = lost.clone();
    for (int at = 0; at < LINE; at += ATOM) {
      if (random.nextDouble() < share) {
        System.arraycopy(line.now, at, left, at, ATOM);
      }
    }
    return left;
  }
}
