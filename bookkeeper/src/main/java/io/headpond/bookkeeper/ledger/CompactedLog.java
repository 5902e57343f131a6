// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper.ledger;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.apache.bookkeeper.bookie.BufferedChannel;
import org.apache.bookkeeper.bookie.EntryLogMetadata;
import org.apache.bookkeeper.conf.ServerConfiguration;
import org.apache.bookkeeper.util.collections.ConcurrentLongLongHashMap;

/**
 * A writer of one entry log in BookKeeper's format: a header, the entries, each after its length,
 * and a map with the bytes of each ledger. BookKeeper's own writer isn't public, and has one log
 * open at a time: the one for new entries. Not thread-safe.
 */
final class CompactedLog implements Closeable {
  private static final byte[] MAGIC = "BKLO".getBytes(StandardCharsets.US_ASCII);
  private static final int VERSION = 1;
  private static final int HEADER_BYTES = 1024;

  /** Position, in the header, of the map's offset and its number of ledgers. */
  private static final int MAP_POSITION = 8;

  /** BookKeeper's limit of one part of the map. A part is stored as an entry of a ledger -1. */
  private static final int MAP_LEDGERS_MAX = 10_000;

  private static final long MAP_LEDGER = -1;
  private static final long MAP_ENTRY = -2;

  private final FileChannel file;
  private final BufferedChannel writer;
  private final EntryLogMetadata contents;
  private final ByteBuf length = Unpooled.buffer(Integer.BYTES);
  private boolean unforced;

  /**
   * Creates the log.
   *
   * @param conf BookKeeper's sizes of buffers, and after how many bytes it forces
   * @throws IOException if the file can't be created, or is there already
   */
  CompactedLog(
      final long id,
      final Path path,
      final ServerConfiguration conf,
      final ByteBufAllocator allocator)
      throws IOException {
    contents = new EntryLogMetadata(id);
    file = FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    try {
      writer =
          new BufferedChannel(
              allocator,
              file,
              conf.getWriteBufferBytes(),
              conf.getReadBufferBytes(),
              conf.getFlushIntervalInBytes());
    } catch (final IOException | RuntimeException | Error e) {
      file.close();
      throw e;
    }
    write(
        Unpooled.buffer(HEADER_BYTES)
            .writeBytes(MAGIC)
            .writeInt(VERSION)
            .writeZero(HEADER_BYTES - MAGIC.length - Integer.BYTES));
  }

  private void write(final ByteBuf bytes) throws IOException {
    unforced = true;
    writer.write(bytes);
  }

  /** Its length, with what is still in the buffer. */
  long bytes() {
    return writer.position();
  }

  /** Appends an entry and returns its location, which is readable once it is forced. */
  long add(final long ledger, final ByteBuf entry) throws IOException {
    final int bytes = entry.readableBytes();
    write(length.clear().writeInt(bytes));
    final long position = writer.position();
    write(entry);
    contents.addLedgerSize(ledger, bytes + Integer.BYTES);
    return contents.getEntryLogId() << 32 | position;
  }

  /** Writes what is in the buffer, and makes all that was added durable. */
  void force() throws IOException {
    if (unforced) {
      writer.flushAndForceWrite(true);
      unforced = false;
    }
  }

  /**
   * Adds the map and closes the log. The header leads to the map only when all of it is durable: a
   * torn map whose number of ledgers is right would pass for a whole one.
   */
  void seal() throws IOException {
    final long map = writer.position();
    final int ledgers = writeMap();
    force();
    final ByteBuffer found = ByteBuffer.allocate(Long.BYTES + Integer.BYTES);
    found.putLong(map).putInt(ledgers).flip();
    for (int at = MAP_POSITION; found.hasRemaining(); ) {
      at += file.write(found, at);
    }
    file.force(true);
    close();
  }

  private int writeMap() throws IOException {
    final ConcurrentLongLongHashMap sizes = contents.getLedgersMap();
    final List<Long> ledgers = sizes.keys();
    for (int from = 0; from < ledgers.size(); from += MAP_LEDGERS_MAX) {
      final List<Long> part =
          ledgers.subList(from, Math.min(ledgers.size(), from + MAP_LEDGERS_MAX));
      final int bytes = 2 * Long.BYTES + Integer.BYTES + part.size() * 2 * Long.BYTES;
      final ByteBuf map = Unpooled.buffer(Integer.BYTES + bytes).writeInt(bytes);
      map.writeLong(MAP_LEDGER).writeLong(MAP_ENTRY).writeInt(part.size());
      part.forEach(ledger -> map.writeLong(ledger).writeLong(sizes.get(ledger)));
      write(map);
    }
    return ledgers.size();
  }

  /** Closes the file as it is: unless sealed, without the map and without what is in the buffer. */
  @Override
  public void close() throws IOException {
    writer.close();
  }
}
