// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.segment;

import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Objects;

/**
 * The part of a segment's channel that maps the file. From Java 22 on, {@link FileChannel} has one
 * more operation of this kind, which the layer for that version adds.
 */
public abstract class MappableChannel extends FileChannel {
  /** Maps, or locks, through a descriptor of the segment's file. */
  public interface Mapping<T> {
    T map(FileChannel own) throws IOException;
  }

  /** Runs a mapping while the file is held still: it ends where the segment ends. */
  protected abstract <T> T mapped(Mapping<T> mapping) throws IOException;

  @Override
  public final MappedByteBuffer map(final MapMode mode, final long at, final long size)
      throws IOException {
    Objects.requireNonNull(mode); // both before the channel is looked at
    if (size > Integer.MAX_VALUE) {
      throw new IllegalArgumentException("Size exceeds Integer.MAX_VALUE");
    }
    return mapped(own -> own.map(mode, at, size));
  }
}
