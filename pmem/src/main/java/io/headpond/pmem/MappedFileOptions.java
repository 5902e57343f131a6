// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** Options of a mapped file; immutable, every method returns a changed copy. */
public final class MappedFileOptions {
  final Device device;
  final PersistBackend backend;
  final Space space;
  final RunAhead runAhead;
  boolean keepTail;
  int firstChunkBytes = ChunkSize.FIRST_BYTES;
  int maxChunkBytes = ChunkSize.MAX_BYTES;
  WindowMapper mapper;
  LongSupplier clock = System::nanoTime;

  private MappedFileOptions(Device device, PersistBackend backend, Space space, RunAhead runAhead) {
    this.device = Objects.requireNonNull(device, "device");
    this.backend = Objects.requireNonNull(backend, "backend");
    this.space = Objects.requireNonNull(space, "space");
    this.runAhead = Objects.requireNonNull(runAhead, "runAhead");
    this.mapper = mapper(device, backend);
  }

  private static WindowMapper mapper(Device device, PersistBackend backend) {
    if (!backend.maps()) {
      return WrittenWindow::new;
    }
    // A simulated file system maps its own files.
    return device.directory().getFileSystem() instanceof WindowMapper simulated
        ? simulated
        : Mapper::map;
  }

  private MappedFileOptions(MappedFileOptions that) {
    this(that.device, that.backend, that.space, that.runAhead);
    this.keepTail = that.keepTail;
    this.firstChunkBytes = that.firstChunkBytes;
    this.maxChunkBytes = that.maxChunkBytes;
    this.mapper = that.mapper;
    this.clock = that.clock;
  }

  private MappedFileOptions with(Consumer<MappedFileOptions> change) {
    MappedFileOptions changed = new MappedFileOptions(this);
    change.accept(changed);
    return changed;
  }

  /**
   * Creates the required options.
   *
   * @param device where the file lies
   * @param backend as chosen by {@link Persist} for that device
   * @param space told of every growth and shrinking
   * @param runAhead who grows the file ahead
   */
  public static MappedFileOptions of(
      Device device, PersistBackend backend, Space space, RunAhead runAhead) {
    return new MappedFileOptions(device, backend, space, runAhead);
  }

  /**
   * Keeps the allocated blocks between the end and the file's size at opening. They are known to be
   * zero, on the device too, as in a file out of a {@link FilePool}; or the caller ensures that
   * nobody reads them.
   */
  public MappedFileOptions keepTail(boolean keep) {
    return with(changed -> changed.keepTail = keep);
  }

  /**
   * The chunk to begin with, in bytes: {@link MappedFile#chunkBytes} of the log's previous file.
   * What the writer grows itself, at the first write, is never more than 64 KiB or the write.
   */
  public MappedFileOptions firstChunkBytes(int bytes) {
    return with(changed -> changed.firstChunkBytes = bytes);
  }

  /** The largest chunk, in bytes, 4 KiB to 1 GiB. */
  public MappedFileOptions maxChunkBytes(int bytes) {
    if (bytes < Window.PAGE_BYTES || bytes > 1 << 30) {
      throw new IllegalArgumentException(
          "the largest chunk must be 4 KiB to 1 GiB, not " + bytes + " bytes");
    }
    return with(changed -> changed.maxChunkBytes = bytes);
  }

  MappedFileOptions mapper(WindowMapper windowMapper) {
    return with(changed -> changed.mapper = windowMapper);
  }

  MappedFileOptions clock(LongSupplier nanos) {
    return with(changed -> changed.clock = nanos);
  }

  /**
   * On tmpfs a store maps one page, a read maps what lies around it too, writable: a quarter of the
   * time. Elsewhere the kernel wants to know of each page's first store, and a read before only
   * adds a fault.
   */
  boolean readsAround() {
    return device.fileSystemType().equals("tmpfs");
  }

  Mapping mapping() {
    boolean sync = device.dax() && backend.maps() && backend.durableAtReturn();
    return new Mapping(backend, sync);
  }
}
