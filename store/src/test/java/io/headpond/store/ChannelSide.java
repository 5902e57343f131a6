// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * One of the two files that a differential test compares: a plain one or a segment, with two
 * channels on it. What an operation leads to is noted into one number.
 */
final class ChannelSide implements AutoCloseable {
  static final int CHANNELS = 2;

  /** How this side's file is opened, and what is done to its name. */
  interface FileCalls {
    FileChannel open(Path file, Set<OpenOption> options) throws IOException;

    void delete(Path file) throws IOException;

    void rename(Path file, Path to) throws IOException;
  }

  final FileChannel[] channels = new FileChannel[CHANNELS];
  final List<FileLock> locks = new ArrayList<>();

  /** A plain file to transfer to and from. */
  final FileChannel other;

  private final FileCalls calls;
  private Path file;
  private Path otherName;
  private final Path link;
  private long notes;
  private String failure;
  private Throwable lastFailure;

  /**
   * A file that isn't there yet.
   *
   * @param otherName what it is called after a rename
   * @param link on the same file system
   */
  ChannelSide(
      final Path file,
      final Path otherName,
      final Path link,
      final FileCalls calls,
      final FileChannel other) {
    this.file = file;
    this.otherName = otherName;
    this.link = link;
    this.calls = calls;
    this.other = other;
  }

  void open(final int index, final Set<OpenOption> options) throws IOException {
    channels[index] = calls.open(file, options);
  }

  /** Open channels go on with the file. */
  void delete() throws IOException {
    calls.delete(file);
  }

  boolean isOpen(final int index) {
    return channels[index] != null && channels[index].isOpen();
  }

  /** Gives the file its other name; the same again gives it back the first. */
  void rename() throws IOException {
    calls.rename(file, otherName);
    final Path before = file;
    file = otherName;
    otherName = before;
  }

  /** Gives its name to a new file, also if it isn't there; open channels go on with the old. */
  void replace(final ByteBuffer content) throws IOException {
    try (FileChannel made =
        calls.open(otherName, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE))) {
      made.write(content);
    }
    calls.rename(otherName, file);
  }

  /** Bytes of the file by its name. */
  long size() throws IOException {
    return Files.exists(file) ? Files.size(file) : 0;
  }

  /** Deletes it, if it is there. */
  void remove() throws IOException {
    if (Files.exists(file)) {
      calls.delete(file);
    }
  }

  /** Closes the channels, gives the file a hard link, as a snapshot does, and deletes its name. */
  void leaveToLink() throws IOException {
    closeAll();
    Files.deleteIfExists(link);
    while (!Files.exists(link)) {
      try {
        Files.createLink(link, file.toRealPath());
        if (Files.isSymbolicLink(link)) { // of the name, to which the file has just been moved
          Files.delete(link);
        }
      } catch (final NoSuchFileException e) {
        if (!Files.exists(file)) {
          throw e;
        } // else it has moved meanwhile
      }
    }
    calls.delete(file);
  }

  /** What was left to a link; empty if nothing was. */
  byte[] linked() throws IOException {
    return Files.exists(link) ? Files.readAllBytes(link) : new byte[0];
  }

  /** Nobody closes it but the garbage collector. */
  void forget(final int index) throws IOException {
    for (final FileLock lock : locks) {
      lock.close();
    }
    locks.clear();
    channels[index] = null;
  }

  /** All bytes of the file, by a channel of its own; null: it isn't there. */
  byte[] content() throws IOException {
    try (FileChannel channel = calls.open(file, Set.of(StandardOpenOption.READ))) {
      final ByteBuffer all = ByteBuffer.allocate((int) channel.size());
      while (all.hasRemaining() && channel.read(all, all.position()) >= 0) {}
      return all.array();
    } catch (final NoSuchFileException e) {
      return null;
    }
  }

  /** Something done to one side. */
  interface Operation {
    long apply(ChannelSide side) throws Exception;
  }

  /** Runs an operation and notes its result or the kind of its failure. */
  void run(final Operation operation) {
    notes = 0;
    failure = null;
    try {
      note(operation.apply(this));
    } catch (final Exception | AssertionError e) {
      failure = e.getClass().getName();
      lastFailure = e;
    }
    if (Thread.interrupted()) {
      note(-77);
    }
    for (final FileChannel channel : channels) {
      note(channel == null ? -1 : channel.isOpen() ? 1 : 0);
    }
  }

  void note(final long value) {
    notes = notes * 1_000_003 + value;
  }

  /** The bytes up to the position, and where position and limit are. */
  void note(final ByteBuffer buffer) {
    note(buffer.position());
    note(buffer.limit());
    for (int i = 0; i < buffer.position(); i++) {
      notes = notes * 31 + buffer.get(i);
    }
  }

  boolean sameAs(final ChannelSide that) {
    return notes == that.notes
        && (failure == null ? that.failure == null : failure.equals(that.failure));
  }

  Throwable lastFailure() {
    return failure == null ? null : lastFailure;
  }

  String outcome() {
    return failure == null ? "noted " + notes : lastFailure + " (" + notes + ")";
  }

  private void closeAll() throws IOException {
    for (final FileChannel channel : channels) {
      if (channel != null) {
        channel.close();
      }
    }
  }

  @Override
  public void close() throws IOException {
    closeAll();
    other.close();
    Files.deleteIfExists(link);
  }
}
