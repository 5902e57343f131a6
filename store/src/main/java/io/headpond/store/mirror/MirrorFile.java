// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.mirror;

import io.headpond.store.event.Events;
import io.headpond.store.event.PlainText;
import io.headpond.store.layout.FileOwner;
import io.headpond.store.layout.MirrorName;
import io.headpond.store.layout.NameLook;
import io.headpond.store.layout.SegmentCopy;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Set;

/**
 * The file of one mirror, by one of its two names, and the tier file that it is copied from. Under
 * its mirror's monitor.
 */
final class MirrorFile {
  private static final Set<StandardOpenOption> MADE_IF_NEED_BE =
      Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);

  private final MirrorCopy.Home home;
  private final Path logDir;
  private final String key;
  private final Path source;
  private boolean whole;

  /** True if one that is given up couldn't be deleted: nobody may find it beside a new one. */
  private boolean left;

  /** Number of times that it got its name, and the last of these that is durable. */
  private int names;

  private int namesForced;
  private FileChannel in;
  private FileChannel out;

  MirrorFile(final MirrorCopy.Home home, final Path logDir, final String key, final Path source) {
    this.home = home;
    this.logDir = logDir;
    this.key = key;
    this.source = source;
  }

  /** The tier file. */
  Path source() {
    return source;
  }

  /** Where it lies, if it is there. */
  Path path() {
    return whole ? MirrorName.whole(logDir, key) : MirrorName.lagging(logDir, key);
  }

  /** Looks under which name it is there; false: under none. */
  boolean find() throws IOException {
    whole = NameLook.exists(MirrorName.whole(logDir, key));
    final boolean found = whole || NameLook.exists(MirrorName.lagging(logDir, key));
    if (found) {
      names++; // whoever made it may have ended before it was forced
    }
    return found;
  }

  boolean isWhole() {
    return whole;
  }

  /** Number of times that it got its name. */
  int names() {
    return names;
  }

  /** True if a power cut may take its name. */
  boolean isNameUnforced() {
    return names != namesForced;
  }

  /** Its log directory was forced when it had its name for so many times. */
  void nameForced(final int number) {
    namesForced = number;
  }

  /** Opens both to be copied; makes it, if it isn't there. */
  void open() throws IOException {
    deleteLeft();
    if (in == null) {
      in = FileChannel.open(source, StandardOpenOption.READ);
    }
    openToChange();
  }

  /** Opens it alone, which the loss of its tier doesn't keep from being cut. */
  void openToChange() throws IOException {
    deleteLeft();
    callLagging();
    if (out == null) {
      final Path file = path();
      final boolean isNew = !NameLook.exists(file);
      out = FileChannel.open(file, MADE_IF_NEED_BE, FileOwner.OWNER_ONLY);
      if (isNew) {
        names++;
        SegmentCopy.keepAttributes(source, file);
      }
    }
  }

  /** It is to be changed: first it must be called what it will be, durably. */
  void callLagging() throws IOException {
    if (whole) {
      Files.move(
          MirrorName.whole(logDir, key),
          MirrorName.lagging(logDir, key),
          StandardCopyOption.ATOMIC_MOVE);
      home.forceNames();
      whole = false;
    }
  }

  /** Opens both as they are. */
  void openToRead() throws IOException {
    if (in == null) {
      in = FileChannel.open(source, StandardOpenOption.READ);
    }
    openOut();
  }

  private void openOut() throws IOException {
    if (out == null) {
      out = // an empty segment's isn't there yet
          FileChannel.open(path(), MADE_IF_NEED_BE, FileOwner.OWNER_ONLY);
    }
  }

  /** The tier file's channel; open. */
  FileChannel from() {
    return in;
  }

  /** Gives a read error the tier file's name: it isn't home that fails. */
  IOException ofSource(final IOException e) {
    return e instanceof FileSystemException || e instanceof ClosedChannelException
        ? e
        : (IOException)
            new FileSystemException(source.toString(), null, PlainText.reason(e)).initCause(e);
  }

  /** Its own channel; null: it isn't open. */
  FileChannel channel() {
    return out;
  }

  /** False: somebody has deleted it, and an open descriptor alone leads to it. */
  boolean isThere() throws IOException {
    return NameLook.exists(path());
  }

  /** Bytes in it; open. */
  long size() throws IOException {
    return out.size();
  }

  /** Writes all of a buffer at a position; open. */
  void write(final ByteBuffer buffer, final long at) throws IOException {
    final long start = at - buffer.position();
    while (buffer.hasRemaining()) {
      out.write(buffer, start + buffer.position());
    }
  }

  /** Cuts it, if it is longer; open. */
  boolean cutTo(final long bytes) throws IOException {
    final boolean longer = out.size() > bytes;
    if (longer) {
      out.truncate(bytes);
    }
    return longer;
  }

  /** True for a whole one of a segment that nobody has written to since it was finished. */
  boolean unchanged(final long bytes) throws IOException {
    return whole
        && Files.size(path()) == bytes
        && Files.size(source) == bytes
        && Files.getLastModifiedTime(path()).equals(Files.getLastModifiedTime(source));
  }

  /** The first of some bytes in which it differs from the tier file; negative: in none. */
  int mismatch(final long at, final int length, final ByteBuffer buffer, final ByteBuffer other)
      throws IOException {
    try {
      read(in, buffer, at, length);
    } catch (final IOException e) {
      throw ofSource(e);
    }
    read(out, other, at, length);
    return buffer.mismatch(other);
  }

  private static void read(
      final FileChannel channel, final ByteBuffer buffer, final long at, final int length)
      throws IOException {
    buffer.clear().limit(length);
    while (buffer.hasRemaining() && channel.read(buffer, at + buffer.position()) > 0) {}
    buffer.flip();
  }

  /**
   * Forces all of it, with the tier file's attributes. A tier that doesn't tell them any more keeps
   * it from nothing: it got owner and mode when it was made, and is as old as its last byte.
   */
  void settle(final long bytes) throws IOException {
    openOut();
    refuseOther(bytes);
    try {
      SegmentCopy.keepAttributes(source, path());
    } catch (final FileSystemException e) {
      if (!source.toString().equals(e.getFile())) {
        throw e;
      }
      Events.LOG.debug("{}: keeps the times of its mirror", source, e);
    }
    out.force(true);
  }

  private void refuseOther(final long bytes) throws IOException {
    if (out.size() != bytes) {
      throw new IOException(path() + ": the mirror has " + out.size() + " B, not " + bytes + " B");
    }
  }

  /** Calls it whole, which it is. */
  void finish(final long bytes) throws IOException {
    settle(bytes);
    if (!whole) {
      try {
        Files.move(path(), MirrorName.whole(logDir, key), StandardCopyOption.ATOMIC_MOVE);
      } finally {
        whole = NameLook.exists(MirrorName.whole(logDir, key)); // also if the move says otherwise
      }
    }
  }

  /** Makes it a second name of a file; false: the file system can't. */
  boolean link(final Path file) throws IOException {
    try {
      Files.createLink(path(), file);
    } catch (final UnsupportedOperationException | FileSystemException cannot) {
      return false;
    }
    names++;
    openToRead();
    return true;
  }

  private void deleteLeft() throws IOException {
    if (left) {
      delete();
    }
  }

  /** Removes it under both names. */
  void delete() throws IOException {
    close();
    whole = false;
    namesForced = names;
    left = true;
    Files.deleteIfExists(MirrorName.lagging(logDir, key));
    Files.deleteIfExists(MirrorName.whole(logDir, key));
    left = false;
  }

  /** Lets the descriptors go. */
  void close() {
    for (final FileChannel channel : Arrays.asList(in, out)) {
      try {
        if (channel != null) {
          channel.close();
        }
      } catch (final IOException e) {
        Events.LOG.debug("{}", path(), e); // what counts was forced
      }
    }
    in = null;
    out = null;
  }
}
