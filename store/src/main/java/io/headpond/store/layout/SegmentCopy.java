// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.layout;

import io.headpond.pmem.DeviceFaultException;
import io.headpond.pmem.DeviceFullException;
import io.headpond.pmem.Shortage;
import io.headpond.store.event.Events;
import io.headpond.store.event.PlainText;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * A segment's copy in the making. Bytes go to it piece by piece, past the page cache where both
 * file systems can, and are forced in steps. One thread.
 */
public final class SegmentCopy implements AutoCloseable {
  /**
   * The step between forces of a copy past the page cache. Its bytes are on the device already; a
   * force has the file's own blocks to write, and the file system's journal, which on a hard disk
   * takes as long as a MiB.
   */
  private static final long FORCE_STEP_DIRECT_BYTES = 256L << 20;

  private static final OpenOption DIRECT = directOption();

  private final Path source;
  private Path target;
  private final CopyProgress progress;
  private final CopySteps steps;
  private final int blockBytes;
  private final CopyBuffer memory;
  private final ByteBuffer buffer;
  private final FileChannel in;
  private final FileChannel out;

  /** Past the page cache; null where the file system can't. */
  private final FileChannel directIn;

  private final FileChannel directOut;
  private long position;
  private long forced;

  /**
   * Creates the target.
   *
   * @param direct go past the page cache if possible: what is cold must not evict what is hot
   * @param steps of the target's disk
   * @throws DeviceFaultException here, and where bytes are copied, if the target's device failed
   */
  public SegmentCopy(
      final Path source,
      final Path target,
      final boolean direct,
      final CopySteps steps,
      final CopyProgress progress)
      throws IOException {
    this.source = source;
    this.target = target;
    this.steps = steps;
    this.progress = progress;
    final List<FileChannel> opened = new ArrayList<>();
    try {
      in = FileChannel.open(source, StandardOpenOption.READ);
      opened.add(in);
      final long block = direct ? blockBytes() : 1;
      final boolean past = direct && block <= CopyBuffer.BYTES && Long.bitCount(block) == 1;
      blockBytes = past ? (int) block : 1;
      memory = CopyBuffer.take(blockBytes);
      buffer = memory.bytes();
      out = create(target);
      opened.add(out);
      directIn = past ? direct(source, StandardOpenOption.READ) : null;
      if (directIn != null) {
        opened.add(directIn);
      }
      directOut = past ? direct(target, StandardOpenOption.WRITE) : null;
    } catch (final IOException | RuntimeException | Error e) {
      for (final FileChannel channel : opened) {
        channel.close();
      }
      throw e;
    }
  }

  /**
   * {@code com.sun.nio.file.ExtendedOpenOption.DIRECT}, by name: it is public, but in a module that
   * a small runtime may lack, and compilers warn of its package. Null where there is none.
   */
  private static OpenOption directOption() {
    try {
      for (final Object option :
          Class.forName("com.sun.nio.file.ExtendedOpenOption").getEnumConstants()) {
        if (option.toString().equals("DIRECT")) {
          return (OpenOption) option;
        }
      }
      return null;
    } catch (final ClassNotFoundException none) {
      return null;
    }
  }

  private static FileChannel create(final Path target) throws IOException {
    try {
      return FileChannel.open(
          target,
          Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
          FileOwner.OWNER_ONLY);
    } catch (final FileSystemException e) {
      throw Shortage.ofDescriptors(e, target) ? e : ofDevice(target, e);
    }
  }

  /** Wraps a failure of the target's device, full or faulty. */
  private static IOException ofDevice(final Path target, final IOException e) {
    final String reason =
        e instanceof FileSystemException named && named.getReason() != null
            ? named.getReason()
            : PlainText.reason(e);
    return Shortage.ofSpace(e, target.getParent(), CopyBuffer.BYTES)
        ? new DeviceFullException(target, reason, e)
        : new DeviceFaultException(target, reason, e);
  }

  private static FileChannel direct(final Path file, final OpenOption how) {
    if (DIRECT == null) {
      return null;
    }
    try {
      return FileChannel.open(file, how, DIRECT);
    } catch (final IOException | UnsupportedOperationException cached) {
      return null; // tmpfs has nothing but its page cache
    }
  }

  /**
   * The unit of what goes past the page cache: the JDK takes whole blocks only, as the file system
   * says them. One that says 4 MiB, as CephFS, or no power of two, is left to its page cache.
   */
  private long blockBytes() throws IOException {
    return Math.max(
        Files.getFileStore(source).getBlockSize(),
        Files.getFileStore(target.getParent()).getBlockSize());
  }

  /** Gives the copy another name, which must not be there yet. */
  public void rename(final Path name) throws IOException {
    Files.move(target, name, StandardCopyOption.ATOMIC_MOVE);
    target = name;
  }

  /** Bytes copied so far. */
  public long position() {
    return position;
  }

  /** Copies whole blocks up to {@code end} at most: what remains is less than one. */
  public void copyBlocks(final long end) throws IOException {
    copy(end - end % blockBytes);
  }

  /** Copies all up to {@code end}; nothing can follow. */
  public void copyRest(final long end) throws IOException {
    copy(end - end % blockBytes);
    copy(end);
  }

  private void copy(final long end) throws IOException {
    while (position < end) {
      final int length = (int) Math.min(CopyBuffer.BYTES, end - position);
      final boolean whole = position % blockBytes == 0 && length % blockBytes == 0;
      fill(whole && directIn != null ? directIn : in, length);
      final boolean direct = whole && directOut != null;
      if (direct) {
        writeSteps();
      } else {
        write(out);
      }
      if (directOut != null) {
        if (position - forced >= FORCE_STEP_DIRECT_BYTES && position < end) {
          force(); // the caller forces what it ends with
        }
      } else if (position - forced >= steps.forces().bytes()) {
        forceStep();
      }
      if (!direct) {
        progress.copied(length);
      }
    }
  }

  /** Past the page cache; a step is at least a block. */
  private void writeSteps() throws IOException {
    final int end = buffer.limit();
    while (buffer.position() < end) {
      final long bytes = Math.max(blockBytes, steps.writes().bytes());
      final long written;
      steps.turn.lock();
      try {
        final long before = position;
        final long begun = steps.nanos();
        buffer.limit((int) Math.min(end, buffer.position() + bytes));
        write(directOut);
        written = position - before;
        steps.wrote(written, begun);
      } finally {
        steps.turn.unlock();
      }
      progress.copied(written);
    }
  }

  private void write(final FileChannel to) throws IOException {
    try {
      while (buffer.hasRemaining()) {
        position += to.write(buffer, position);
      }
    } catch (final ClosedChannelException e) {
      throw e;
    } catch (final IOException e) {
      throw ofDevice(target, e);
    }
  }

  /**
   * Reads the next bufferful from {@code position}; a short file is an error, never a short copy.
   */
  private void fill(final FileChannel channel, final int length) throws IOException {
    buffer.clear().limit(length);
    try {
      while (buffer.hasRemaining() && channel.read(buffer, position + buffer.position()) >= 0) {}
    } catch (final IOException e) {
      throw NameLook.named(source, e);
    }
    if (buffer.hasRemaining()) {
      throw new IOException(
          source
              + " ends at "
              + (position + buffer.position())
              + " B, before "
              + (position + length)
              + " B");
    }
    buffer.flip();
  }

  private void forceStep() throws IOException {
    steps.turn.lock();
    try {
      final long bytes = position - forced;
      final long begun = steps.nanos();
      force();
      steps.forced(bytes, begun);
    } finally {
      steps.turn.unlock();
    }
  }

  /** Makes what was copied durable. */
  public void force() throws IOException {
    try {
      out.force(true);
    } catch (final ClosedChannelException e) {
      throw e;
    } catch (final IOException e) {
      throw new ForceFailedException(target, e);
    }
    forced = position;
  }

  /** True if everything that was copied was forced. */
  public boolean forced() {
    return forced == position;
  }

  /**
   * Compares the copy's length with what was copied.
   *
   * @throws IOException if somebody else changed it
   */
  public void checkLength() throws IOException {
    final long length;
    try {
      length = out.size();
    } catch (final IOException e) {
      throw NameLook.named(target, e);
    }
    if (length != position) {
      throw new IOException(target + ": the copy has " + length + " B, not " + position + " B");
    }
  }

  /** Gives the copy the source's mode, owner and times. */
  public void keepAttributes() throws IOException {
    final PosixFileAttributes from = FileOwner.keep(source, target);
    Files.getFileAttributeView(target, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
        .setTimes(from.lastModifiedTime(), from.lastAccessTime(), null);
  }

  /** Lets the descriptors go. What their closes say is of no interest: what counts was forced. */
  @Override
  public void close() {
    memory.close();
    for (final FileChannel channel : Arrays.asList(in, out, directIn, directOut)) {
      try {
        if (channel != null) {
          channel.close();
        }
      } catch (final IOException e) {
        Events.LOG.debug("{}: a descriptor's close failed", target, e);
      }
    }
  }
}
