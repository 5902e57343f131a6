// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut.disk;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * A disk with a volatile write cache. Its image holds only what is durable: a write stays in memory
 * until it is flushed, and at a cut of the power a seed decides what becomes of it.
 *
 * <p>At a cut each write that wasn't flushed is kept, lost, or torn between its physical blocks,
 * each independently of those before it. So any later write can be there without an earlier one,
 * which is all that a disk's own order of writing could bring about. Physical blocks are never torn
 * themselves, and of two writes to one sector the later one prevails if both are kept. What was
 * flushed, or written with FUA, stays always. Safe for use by several threads.
 */
public final class ForgettingDisk implements Closeable {
  /** The unit of reads and writes. */
  public static final int SECTOR = 512;

  /** A cache that is full is written out, as a real one is. */
  static final long CACHE_BYTES_MAX = 256L << 20;

  /** Shares of the writes in the cache, one of which is drawn for a cut. */
  private static final double[] KEPT = {0, 0.25, 0.5, 0.75, 0.95};

  private static final double[] TORN = {0, 0.25, 0.5};

  private static final int COPY_BYTES = 1 << 20;

  private final FileChannel image;
  private final Random random;
  private final int blockBytes;

  /** Completed and not durable, in the order of their arrival. */
  private final List<CachedWrite> cached = new ArrayList<>();

  /** By sector: the last of them. */
  private final Map<Long, CachedWrite> newest = new HashMap<>();

  private long cachedBytes;

  /** A write in the cache; what a later FUA has overwritten of it counts no more. */
  private record CachedWrite(long first, byte[] data, BitSet overwritten) {
    int sectors() {
      return data.length / SECTOR;
    }
  }

  /**
   * @param image of the disk, whose length is a multiple of {@link #SECTOR}
   * @param seed what a cut keeps follows from it
   * @param blockBytes size of a physical block, of which a cut leaves each as it was before a write
   *     or as it is after it; a multiple of {@link #SECTOR}
   */
  public ForgettingDisk(Path image, long seed, int blockBytes) throws IOException {
    this.blockBytes = blockBytes;
    this.image = FileChannel.open(image, StandardOpenOption.READ, StandardOpenOption.WRITE);
    random = new Random(seed);
  }

  /** Its capacity, bytes. */
  synchronized long size() throws IOException {
    return image.size();
  }

  /** Reads what was written last, durable or not. */
  synchronized byte[] read(long position, int length) throws IOException {
    check(position, length);
    byte[] data = new byte[length];
    ByteBuffer buffer = ByteBuffer.wrap(data);
    while (buffer.hasRemaining()) {
      if (image.read(buffer, position + buffer.position()) < 0) {
        throw new IOException("the image has become shorter");
      }
    }
    for (int at = 0; at < length; at += SECTOR) {
      long sector = (position + at) / SECTOR;
      CachedWrite write = newest.get(sector);
      if (write != null) {
        System.arraycopy(write.data, (int) (sector - write.first) * SECTOR, data, at, SECTOR);
      }
    }
    return data;
  }

  /** Takes a write into the cache; the array is the disk's from now on. */
  synchronized void write(long position, byte[] data) throws IOException {
    check(position, data.length);
    if (cachedBytes + data.length > CACHE_BYTES_MAX) {
      flush(cached.size());
    }
    CachedWrite write = new CachedWrite(position / SECTOR, data, new BitSet());
    cached.add(write);
    cachedBytes += data.length;
    for (int i = 0; i < write.sectors(); i++) {
      newest.put(write.first + i, write);
    }
  }

  /** Writes past the cache: these sectors are durable, whatever is in the cache for them. */
  synchronized void writeThrough(long position, byte[] data) throws IOException {
    check(position, data.length);
    writeFully(image, position, data, 0, data.length);
    long first = position / SECTOR;
    long end = first + data.length / SECTOR;
    for (CachedWrite write : cached) {
      for (long sector = Math.max(first, write.first);
          sector < Math.min(end, write.first + write.sectors());
          sector++) {
        write.overwritten.set((int) (sector - write.first));
      }
    }
    for (long sector = first; sector < end; sector++) {
      newest.remove(sector);
    }
  }

  private void check(long position, int length) throws IOException {
    if (position % SECTOR != 0
        || length % SECTOR != 0
        || position < 0
        || position > image.size() - length) {
      throw new IOException("no whole sectors of the disk: " + length + " B at " + position);
    }
  }

  /** The number of writes in the cache, to give to {@link #flush}. */
  synchronized int cachedWrites() {
    return cached.size();
  }

  /**
   * Makes durable the writes that have been in the cache longest.
   *
   * @param writes how many
   */
  synchronized void flush(int writes) throws IOException {
    List<CachedWrite> flushed = cached.subList(0, Math.min(writes, cached.size()));
    for (CachedWrite write : flushed) {
      for (int i = 0; i < write.sectors(); i++) {
        keep(image, write, i);
        newest.remove(write.first + i, write);
      }
      cachedBytes -= write.data.length;
    }
    flushed.clear();
  }

  /** Makes everything durable. */
  void flush() throws IOException {
    flush(Integer.MAX_VALUE);
  }

  private static void keep(FileChannel target, CachedWrite write, int sector) throws IOException {
    if (!write.overwritten.get(sector)) {
      writeFully(target, (write.first + sector) * SECTOR, write.data, sector * SECTOR, SECTOR);
    }
  }

  private static void writeFully(
      FileChannel target, long position, byte[] data, int offset, int length) throws IOException {
    ByteBuffer buffer = ByteBuffer.wrap(data, offset, length);
    while (buffer.hasRemaining()) {
      target.write(buffer, position + buffer.position() - offset);
    }
  }

  /** The power goes: what of the cache stays is in the image, and the cache is empty. */
  public synchronized Forgotten cut() throws IOException {
    Forgotten forgotten = decide(image);
    cached.clear();
    newest.clear();
    cachedBytes = 0;
    return forgotten;
  }

  /**
   * Makes a file of what a cut now would leave; the disk goes on.
   *
   * @param copy is made, sparse
   */
  public synchronized Forgotten copyAsIfCut(Path copy) throws IOException {
    try (FileChannel target =
        FileChannel.open(copy, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      ByteBuffer buffer = ByteBuffer.allocate(COPY_BYTES);
      byte[] zeros = new byte[COPY_BYTES];
      for (long at = 0; at < image.size(); at += COPY_BYTES) {
        buffer.clear();
        while (buffer.hasRemaining() && image.read(buffer, at + buffer.position()) >= 0) {
          // Until the block or the image ends.
        }
        if (!buffer.flip().equals(ByteBuffer.wrap(zeros, 0, buffer.limit()))) {
          writeFully(target, at, buffer.array(), 0, buffer.limit());
        }
      }
      writeFully(target, image.size() - SECTOR, read(image, image.size() - SECTOR), 0, SECTOR);
      return decide(target);
    }
  }

  private static byte[] read(FileChannel image, long position) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(SECTOR);
    image.read(buffer, position);
    return buffer.array();
  }

  /**
   * Some cuts lose nearly everything, others nearly nothing: a lost write between many that are
   * kept shows other defects than a kept one between many that are lost.
   */
  private Forgotten decide(FileChannel target) throws IOException {
    double kept = KEPT[random.nextInt(KEPT.length)];
    double torn = TORN[random.nextInt(TORN.length)];
    long lost = 0;
    long partly = 0;
    for (CachedWrite write : cached) {
      boolean tear = random.nextDouble() < torn;
      double share = tear ? random.nextDouble() : random.nextDouble() < kept ? 1 : 0;
      int stayed = 0;
      boolean stays = false;
      for (int i = 0; i < write.sectors(); i++) {
        if (i == 0 || (write.first + i) * SECTOR % blockBytes == 0) {
          stays = random.nextDouble() < share;
        }
        if (stays) {
          keep(target, write, i);
          stayed++;
        }
      }
      lost += stayed == 0 ? 1 : 0;
      partly += stayed > 0 && stayed < write.sectors() ? 1 : 0;
    }
    return new Forgotten(cached.size(), lost, partly);
  }

  /** Loses the cache whole. */
  @Override
  public synchronized void close() throws IOException {
    image.close();
  }
}
