// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * One of the two files that a differential test compares: a plain one or a segment, with two
 * channels on it. What an operation leads to is noted into one number.
 */
final class ChannelSide implements AutoCloseable {
  static final int CHANNELS = 2;

  /** Opens a channel on this side's file. */
  interface Opener {
    FileChannel open(Path file, Set<OpenOption> options) throws IOException;
  }

  final FileChannel[] channels = new FileChannel[CHANNELS];
  final List<FileLock> locks = new ArrayList<>();

  /** A plain file to transfer to and from. */
  final FileChannel other;

  private final Path file;
  private final Opener opener;
  private long notes;
  private String failure;
  private Throwable lastFailure;

  ChannelSide(final Path file, final Opener opener, final FileChannel other) {
    this.file = file;
    this.opener = opener;
    this.other = other;
  }

  void open(final int index, final Set<OpenOption> options) throws IOException {
    channels[index] = opener.open(file, options);
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

  @Override
  public void close() throws IOException {
    for (final FileChannel channel : channels) {
      if (channel != null) {
        channel.close();
      }
    }
    other.close();
  }
}
