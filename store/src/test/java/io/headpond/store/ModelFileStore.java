// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.attribute.FileStoreAttributeView;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;

/** The space of a simulated device: that of the real one, or none while it refuses to give any. */
final class ModelFileStore extends FileStore {
  private final FileStore real;
  private final BooleanSupplier full;
  private final OptionalLong blockBytes;

  /**
   * The space of a device.
   *
   * @param blockBytes what it says of its blocks; empty: as the real one
   */
  ModelFileStore(final FileStore real, final BooleanSupplier full, final OptionalLong blockBytes) {
    this.real = real;
    this.full = full;
    this.blockBytes = blockBytes;
  }

  @Override
  public String name() {
    return real.name();
  }

  @Override
  public String type() {
    return real.type();
  }

  @Override
  public boolean isReadOnly() {
    return real.isReadOnly();
  }

  @Override
  public long getTotalSpace() throws IOException {
    return real.getTotalSpace();
  }

  @Override
  public long getUsableSpace() throws IOException {
    return full.getAsBoolean() ? 0 : real.getUsableSpace();
  }

  @Override
  public long getUnallocatedSpace() throws IOException {
    return getUsableSpace();
  }

  @Override
  public long getBlockSize() throws IOException {
    return blockBytes.isPresent() ? blockBytes.getAsLong() : real.getBlockSize();
  }

  @Override
  public boolean supportsFileAttributeView(final Class<? extends FileAttributeView> type) {
    return real.supportsFileAttributeView(type);
  }

  @Override
  public boolean supportsFileAttributeView(final String name) {
    return real.supportsFileAttributeView(name);
  }

  @Override
  public <V extends FileStoreAttributeView> V getFileStoreAttributeView(final Class<V> type) {
    return real.getFileStoreAttributeView(type);
  }

  @Override
  public Object getAttribute(final String attribute) throws IOException {
    return real.getAttribute(attribute);
  }
}
