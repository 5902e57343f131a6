// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut.memory;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * All that a guest's processor does to its persistent memory, in its order: stores with their
 * bytes, write-backs of cache lines, fences. QEMU's process writes it, by the plugin {@code
 * stores.c}, into a file that both map; so it is whole when that process is killed. One thread.
 */
public final class StoreLog {
  /** The kinds of events, as the plugin numbers them. */
  enum Kind {
    NONE,
    /** Bytes into the cache. */
    STORE,
    /** Bytes past the cache, which the next fence makes durable: a non-temporal store. */
    STREAM,
    /** The line begins its way to the memory, which it has reached at the next fence. */
    FLUSH,
    /** Earlier stores have arrived. */
    FENCE
  }

  private static final Kind[] KINDS = Kind.values();

  /** Of the plugin's file: a page of counts, and then events of this size. */
  private static final int HEADER_BYTES = 4096;

  private static final int EVENT_BYTES = 16;
  private static final int COUNT_AT = 16;
  private static final int STOP_AT = 24;

  private final ByteBuffer log;

  private StoreLog(ByteBuffer log) {
    this.log = log.order(ByteOrder.LITTLE_ENDIAN);
  }

  /**
   * An empty log.
   *
   * @param file is made, sparse, or replaced
   * @param events that find room; QEMU ends when there are more
   */
  public static StoreLog create(Path file, int events) throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            file,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE)) {
      long bytes = HEADER_BYTES + (long) events * EVENT_BYTES;
      MappedByteBuffer mapped = channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes);
      return new StoreLog(mapped);
    }
  }

  /** The events so far. */
  public int count() {
    return Math.toIntExact(log.getLong(COUNT_AT));
  }

  /**
   * The guest stops, as by SIGSTOP, when there are so many events, before anything else happens.
   */
  public void stopAt(int count) {
    log.putLong(STOP_AT, count);
  }

  /** It doesn't stop by itself. */
  public void stopNever() {
    log.putLong(STOP_AT, 0);
  }

  Kind kind(int event) {
    return KINDS[log.get(at(event))];
  }

  /** Of a store, 1 to 8. */
  int bytes(int event) {
    return log.get(at(event) + 1);
  }

  /** In the memory, of a store's first byte or a byte of a line. */
  long offset(int event) {
    return Integer.toUnsignedLong(log.getInt(at(event) + 4));
  }

  /** Of a store, the byte of the lowest address first. */
  void value(int event, byte[] into) {
    log.get(at(event) + 8, into);
  }

  private static int at(int event) {
    return HEADER_BYTES + event * EVENT_BYTES;
  }

  /** Adds an event, as the plugin does. */
  void add(Kind kind, long offset, byte... value) {
    int count = count();
    int at = at(count);
    log.put(at, (byte) kind.ordinal());
    log.put(at + 1, (byte) value.length);
    log.putInt(at + 4, (int) offset);
    log.put(at + 8, value);
    log.putLong(COUNT_AT, count + 1L);
  }
}
