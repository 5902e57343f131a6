// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Growth of a mapped file: its physical length, accounted for in a {@link Space}, and the windows
 * over the grown part.
 *
 * <p>Callers hold {@link #lock}, unless a method says otherwise.
 */
final class FileGrowth {
  /** Held by whoever grows, cuts or maps the file. */
  final ReentrantLock lock = new ReentrantLock();

  private final BackingFile file;
  private final BackingFile zeros;
  private final MappedFileOptions options;
  private final Mapping mapping;
  private final ChunkSize chunk;
  private volatile long physical;
  private volatile DeviceFaultException broken;

  /** Zeros found no room. */
  private volatile boolean refused;

  /** No force has told yet that nothing else is wrong with zeros that found no room. */
  private volatile boolean unconfirmed;

  /**
   * For a file as it is.
   *
   * @param zeros the same file, through which zeros are written ahead
   * @param physical its size, bytes, which is accounted for already
   */
  FileGrowth(
      BackingFile file,
      BackingFile zeros,
      MappedFileOptions options,
      Mapping mapping,
      ChunkSize chunk,
      long physical) {
    this.file = file;
    this.zeros = zeros;
    this.options = options;
    this.mapping = mapping;
    this.chunk = chunk;
    this.physical = physical;
  }

  /** The file's size on its device, bytes. Any thread. */
  long bytes() {
    return physical;
  }

  /** Cause that makes the file unusable; null while it is usable. Any thread. */
  DeviceFaultException broken() {
    return broken;
  }

  /**
   * Did zeros that are written beside the writer find no room? Its own bytes may find some. Any
   * thread.
   */
  boolean refused() {
    return refused;
  }

  /**
   * Extends the file to cover {@code bytes} from {@code at}, maps and touches them. Null if the
   * work was stopped or the mapping refused; the file's size is accounted for in every case.
   *
   * @param end the file's logical end: nothing before it may be touched
   */
  Window open(long at, int bytes, long end, StopSignal stop) throws IOException {
    long start = at - at % Window.PAGE_BYTES;
    long limit = chunk.limit(at, bytes);
    check();
    if (limit > physical && !extend(limit, stop)) {
      return null;
    }
    Window w;
    try {
      w = options.mapper.map(file, start, limit, mapping);
    } catch (IOException | OutOfMemoryError e) {
      mappingFailed(e);
      return null;
    }
    boolean touched = false;
    try {
      w.touch(Math.max(at, end), options.readsAround());
      touched = true;
    } catch (InternalError e) {
      throw new DeviceFaultException(
          file.path(), "a page of [" + start + ", " + limit + ") faults", e);
    } finally {
      if (!touched) {
        w.unmap(); // also where memory is short: nobody else knows of this window
      }
    }
    return w;
  }

  /** A change of the file by somebody else is detected at the next growth at the latest. */
  void check() throws IOException {
    assert lock.isHeldByCurrentThread();
    long size = file.size();
    if (size != physical) {
      throw broken(
          "its size is " + size + " bytes instead of " + physical + ": changed by another");
    }
  }

  private void mappingFailed(Throwable e) {
    if (options.runAhead.pauseMapping()) {
      Log.LOG.warn(
          "{}: cannot be mapped ({}); this file and others go on with write and force, which is"
              + " slower. Raise vm.max_map_count (sysctl) or the address space limit (ulimit -v).",
          file.path(),
          e.toString());
    }
  }

  /**
   * Reserves, writes zeros, forces; all or nothing, false if it was stopped.
   *
   * <p>Zeros that go through a descriptor of their own are forced by it: a force here would be one
   * of what the writer wrote, beside the writer's own. If such zeros can't be written, for another
   * reason than a lack of room, the file can't be trusted with the writer's bytes either.
   */
  boolean extend(long to, StopSignal stop) throws IOException {
    long from = physical;
    long bytes = to - from;
    assert lock.isHeldByCurrentThread() && bytes > 0;
    reserve(bytes);
    boolean done = false;
    try {
      if (zeros.writeZeros(from, to, stop)) {
        if (zeros == file) {
          force(true);
        }
        done = true;
      }
      return done;
    } catch (IOException e) {
      IOException told =
          Failures.classify(
              file.path(), "cannot grow from " + from + " to " + to + " bytes", bytes, e);
      if (zeros != file) {
        zerosFailed(told);
      }
      throw told;
    } finally {
      if (done) {
        physical = to;
      } else {
        shrinkAfterFailure(from, bytes);
      }
    }
  }

  private void zerosFailed(IOException told) {
    if (told instanceof DeviceFullException) {
      unconfirmed = true;
      refused = true;
    } else {
      broken(told.getMessage());
    }
  }

  /**
   * Reserves the room of a write that makes the file longer; the file counts as so long from now
   * on. A write that fails must be followed by a {@link #cut}.
   */
  void expect(long to) throws IOException {
    assert lock.isHeldByCurrentThread() && to > physical;
    reserve(to - physical);
    physical = to;
  }

  private void reserve(long bytes) throws DeviceFullException {
    if (!options.space.reserve(bytes)) {
      throw new DeviceFullException(
          file.path(), "no room for " + bytes + " bytes more within the configured capacity", null);
    }
  }

  /**
   * Forces the file if zeros found no room and it wasn't forced since: whether they failed for
   * another reason besides, which nobody may be told of any more. Any thread.
   */
  void confirm() throws IOException {
    if (unconfirmed) {
      force(false);
    }
  }

  /** Forces the file; a failure makes it unusable: a second try might lie. Any thread. */
  void force(boolean metaData) throws IOException {
    boolean confirms = unconfirmed;
    try {
      file.force(metaData);
    } catch (ClosedChannelException e) {
      throw e;
    } catch (IOException e) {
      // The kernel may have dropped the pages that it couldn't write, and takes them for written.
      broken("cannot be forced: " + e.getMessage());
      throw e;
    }
    DeviceFaultException meanwhile = broken;
    if (meanwhile != null) {
      throw meanwhile; // by a descriptor that was opened after another force had failed, perhaps
    }
    if (confirms) {
      unconfirmed = false;
    }
  }

  private void shrinkAfterFailure(long to, long reserved) throws IOException {
    try {
      file.truncate(to);
      options.space.release(reserved);
    } catch (IOException e) {
      physical = to + reserved;
      throw broken("cannot be cut back to " + to + " bytes: " + e);
    }
  }

  /** Marks the file as unusable for good. Any thread. */
  DeviceFaultException broken(String detail) {
    DeviceFaultException e = new DeviceFaultException(file.path(), detail, null);
    broken = e;
    return e;
  }

  /** Shortens the file, physically and at once. Not forced. */
  void cut(long size) throws IOException {
    long before = physical;
    assert lock.isHeldByCurrentThread() && size <= before;
    try {
      file.truncate(size);
    } catch (IOException e) {
      throw Failures.classify(file.path(), "cannot be cut to " + size + " bytes", 0, e);
    }
    physical = size;
    options.space.release(before - size);
  }

  /** Made at the first line logged: a broker's logging may not be up when this class is loaded. */
  private static final class Log {
    static final Logger LOG = LoggerFactory.getLogger(FileGrowth.class);
  }
}
