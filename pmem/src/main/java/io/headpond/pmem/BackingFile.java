// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;

/**
 * The file below a mapping, read and written at positions by several threads.
 *
 * <p>Interrupting a thread inside an NIO channel closes that channel, for every thread. What is
 * done here must not be half done because an engine shuts a thread down, so an operation whose
 * channel was closed that way is done again on a new one, and the thread finds its interrupt
 * afterwards.
 *
 * <p>Hazard: closing any channel of a file drops the POSIX locks that this process holds on it.
 */
final class BackingFile implements Closeable {
  private static final int ZERO_SLICE_BYTES = 1 << 20;

  /** Zeros that are forced one slice after the other: others' forces wait for one at a time. */
  static final int FORCED_SLICE_BYTES = 256 << 10;

  /** Something done on the channel; done again from its start if the channel is closed under it. */
  interface Action<T> {
    T on(FileChannel channel) throws IOException;
  }

  private final Path path;
  private final Set<OpenOption> options;
  private final int sliceBytes;

  /**
   * Another descriptor, which nothing goes through but the question what became of a force: what a
   * device couldn't write is told to it whoever else was told before. Null: one is opened for each
   * force.
   */
  private final FileChannel spare;

  private volatile FileChannel channel;
  private volatile boolean reopened;
  private volatile boolean closed;

  /**
   * Opens a file.
   *
   * @param dsync does each write force its own bytes?
   */
  BackingFile(Path path, boolean dsync) throws IOException {
    this(path, dsync, false);
  }

  private BackingFile(Path path, boolean dsync, boolean withSpare) throws IOException {
    this.path = path;
    this.options =
        dsync
            ? Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.DSYNC)
            : Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE);
    this.sliceBytes = dsync ? FORCED_SLICE_BYTES : ZERO_SLICE_BYTES;
    this.channel = openChannel();
    this.spare = withSpare ? openSpare() : null;
  }

  /**
   * Opens a file that is forced often, and written to through another descriptor besides: no
   * failure that the other one was told of is missed by a force.
   */
  static BackingFile forced(Path path) throws IOException {
    return new BackingFile(path, false, true);
  }

  private FileChannel openSpare() throws IOException {
    try {
      return openChannel();
    } catch (IOException | RuntimeException | Error e) {
      channel.close();
      throw e;
    }
  }

  Path path() {
    return path;
  }

  private FileChannel openChannel() throws IOException {
    return FileChannel.open(path, options);
  }

  /** Runs the action to its end, whatever interrupts come. */
  <T> T run(Action<T> action) throws IOException {
    boolean interrupted = Thread.interrupted();
    try {
      while (true) {
        try {
          return action.on(channel());
        } catch (ClosedChannelException e) {
          if (closed) {
            throw e;
          }
          interrupted |= Thread.interrupted();
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private synchronized FileChannel channel() throws IOException {
    if (closed) {
      throw new ClosedChannelException();
    }
    if (!channel.isOpen()) {
      channel = openChannel();
      reopened = true;
    }
    return channel;
  }

  long size() throws IOException {
    return run(FileChannel::size);
  }

  void force(boolean metaData) throws IOException {
    run(
        ch -> {
          if (spare == null) {
            UninterruptedForce.force(ch, this::openChannel, metaData);
          } else {
            UninterruptedForce.force(ch, spare, metaData);
          }
          return null;
        });
    if (spare != null && reopened) {
      UninterruptedForce.ask(spare, metaData); // the new descriptor isn't told of what was before
    }
  }

  void truncate(long size) throws IOException {
    run(ch -> ch.truncate(size));
  }

  /** Writes {@code length} bytes of {@code src} at {@code position}; doesn't move {@code src}. */
  void write(ByteBuffer src, int length, long position) throws IOException {
    run(
        ch -> {
          ByteBuffer rest = src.duplicate();
          rest.limit(rest.position() + length);
          long at = position;
          while (rest.hasRemaining()) {
            at += ch.write(rest, at);
          }
          return null;
        });
  }

  /**
   * Writes zeros over [{@code from}, {@code to}) in slices, and stops between two slices when told.
   *
   * @return false if it was stopped
   */
  boolean writeZeros(long from, long to, StopSignal stop) throws IOException {
    ByteBuffer zeros = Zeros.slice(sliceBytes);
    for (long at = from; at < to; ) {
      if (stop.stopped()) {
        return false;
      }
      int slice = (int) Math.min(sliceBytes, to - at);
      write(zeros, slice, at);
      at += slice;
    }
    return true;
  }

  @Override
  public void close() throws IOException {
    synchronized (this) {
      closed = true;
    }
    if (spare != null) {
      spare.close();
    }
    channel.close();
  }
}
