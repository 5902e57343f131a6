// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Path;

/**
 * A growing, append-mostly file whose growing end is mapped for its one writer, while readers use
 * the file itself.
 *
 * <p>An append is a copy into the mapping, whatever the back end needs to make it durable, and the
 * publication of the new {@link #end()}. The chunk that it goes to was extended, zeroed, forced,
 * mapped and faulted in before, by a {@link RunAhead} thread as a rule. At most two windows of the
 * file are mapped: the one written to and the next one.
 *
 * <p>With {@link PersistBackend#DSYNC} nothing is mapped: an append is a write that forces its own
 * bytes. With {@link PersistBackend#WRITE} it is a write, and {@link #force} a force of data alone.
 * Where the zeros ahead wouldn't pay ({@link AppendShape}) the file just grows by the writes.
 *
 * <p><b>Bytes past the end</b> read as zero through every descriptor, also after a failed write:
 * the file is then cut to its end. The exception is a tail that was there before and is kept
 * ({@link MappedFileOptions#keepTail}).
 *
 * <p><b>Threads.</b> {@link #write}, {@link #truncate}, {@link #trim} and {@link #close}: one
 * thread at a time, the caller locks. All other methods: any thread, any time.
 *
 * <p><b>Errors.</b> {@link DeviceFullException} when the space account or the device has no room
 * (with {@link PersistBackend#WRITE}: for what is written; zeros that find none are left out),
 * {@link DeviceFaultException} for a fault of a page, an I/O error, or a file that was changed
 * behind this object's back. After either, [0, end) is what was acknowledged, and the source
 * buffer's position covers exactly what the end covers. One exception: a failed store to bytes
 * before the end may have changed those bytes.
 *
 * <p><b>Hazards.</b> With {@link PersistBackend#LIBPMEM} a page that faults under a store ends the
 * JVM; every page was touched by a guarded store before, so this takes a device that fails later or
 * somebody who truncates the file. Opening and closing this object drops POSIX locks that the
 * process holds on the same file through other channels.
 */
public final class MappedFile implements AutoCloseable {
  private static final VarHandle END;

  static {
    try {
      END = MethodHandles.lookup().findVarHandle(MappedFile.class, "end", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final BackingFile file;

  /** The same file, through which zeros are written ahead. */
  private final BackingFile zeros;

  private final MappedFileOptions options;
  private final Mapping mapping;
  private final ChunkSize chunk;

  /** Null where the back end maps: then the file is always grown ahead. */
  private final AppendShape shape;

  // The writer's: on the append path only these are touched.
  private Window window;
  private long requestAt = Long.MAX_VALUE;
  private long end;

  // Shared with the run-ahead thread.
  private final FileGrowth growth;
  private final NextWindow next;

  // State that other threads ask for.
  private final Unforced unforced;
  private volatile boolean mapped;
  private volatile boolean appendedUnmapped;
  private volatile boolean unmappable;
  private volatile boolean closed;

  private MappedFile(BackingFile file, BackingFile zeros, long end, MappedFileOptions options)
      throws IOException {
    this.file = file;
    this.zeros = zeros;
    this.options = options;
    this.mapping = options.mapping();
    this.chunk = new ChunkSize(options.firstChunkBytes, options.maxChunkBytes, options.clock);
    this.shape = options.backend.maps() ? null : new AppendShape();
    this.end = end;
    this.unforced =
        new Unforced(end, options.backend.durableAtReturn() ? null : shape, options.clock);
    long size = file.size();
    if (end < 0 || end > size) {
      throw new IllegalArgumentException(
          file.path() + ": end " + end + " is outside the file's " + size + " bytes");
    }
    if (size > end && !options.keepTail) {
      file.truncate(end);
      options.space.release(size - end);
      unforced.cut();
      size = end;
    }
    if (!options.backend.maps() && end > 0) {
      unforced.written(); // what a process before this one wrote last may be in the page cache
    }
    this.growth = new FileGrowth(file, zeros, options, mapping, chunk, size);
    this.next = new NextWindow(options.runAhead, growth.lock, this::makeNext);
  }

  /**
   * True while a mapping of a closed file waits for the garbage collector, as it does before Java
   * 22: a deleted file keeps its blocks until then.
   */
  public static boolean isMapped(Path file) {
    return Mapper.isMapped(file);
  }

  /**
   * Opens an existing file for appending.
   *
   * <p>If the file is longer than {@code end}, the surplus is cut off and released, unless {@link
   * MappedFileOptions#keepTail} says that it is used as it is.
   *
   * @param file an existing regular file; its size is accounted for in the {@link Space} already
   * @param end logical end, in bytes: where the next append goes, at most the file's size
   */
  public static MappedFile open(Path file, long end, MappedFileOptions options) throws IOException {
    boolean beside = options.backend == PersistBackend.WRITE;
    BackingFile backing =
        beside
            ? BackingFile.forced(file)
            : new BackingFile(file, options.backend == PersistBackend.DSYNC);
    BackingFile zeros = backing;
    try {
      if (beside) {
        zeros = new BackingFile(file, true); // or a force beside would wait for all of them
      }
      return new MappedFile(backing, zeros, end, options);
    } catch (IOException | RuntimeException | Error e) {
      zeros.close();
      backing.close();
      throw e;
    }
  }

  /** The logical end, in bytes: everything before it was written, everything after it is zero. */
  public long end() {
    return (long) END.getAcquire(this);
  }

  /** The size of the file on its device, in bytes: the end plus what has been grown ahead. */
  public long physicalBytes() {
    return growth.bytes();
  }

  /** The size of the next chunk, in bytes: what a successor of this file should begin with. */
  public int chunkBytes() {
    return chunk.bytes();
  }

  /** True when no run-ahead is wanted or in work: the file's size stays until the next write. */
  public boolean quiet() {
    return next.quiet();
  }

  /** True while a window of the file is mapped. */
  public boolean mapped() {
    return mapped;
  }

  /** True from an append to the next trim or truncation: more are to be expected. */
  public boolean growing() {
    return mapped || appendedUnmapped;
  }

  /**
   * Writes all of {@code src} at {@code position}, which may lie before, at or past the end; a gap
   * reads as zero. When it returns the bytes are durable if {@link PersistBackend#durableAtReturn},
   * as far as the device is.
   *
   * @return the bytes written, always all
   */
  public int write(ByteBuffer src, long position) throws IOException {
    int length = src.remaining();
    Window w = window;
    if (w != null
        && position >= w.start
        && position <= w.limit - length
        && growth.broken() == null) {
      store(w, src, position, length);
    } else {
      writeSlowly(src, position);
    }
    return length;
  }

  private void store(Window w, ByteBuffer src, long position, int length) throws IOException {
    if (length == 0) {
      return;
    }
    int from = src.position();
    long beginNanos = forcesByWrites() ? options.clock.getAsLong() : 0;
    try {
      w.store(position, src, from, length);
    } catch (IOException | RuntimeException | Error e) {
      DeviceFaultException failure = storeFailed(w, position, length, e); // some may be there
      if (e instanceof OutOfMemoryError shortage && growth.broken() == null) {
        throw shortage;
      }
      throw failure;
    }
    taken(src, length, beginNanos);
    publish(position + length);
  }

  /** All bytes of an append, or of a write before the end, are in the mapping or in the file. */
  private void taken(ByteBuffer src, int length, long beginNanos) {
    if (!options.backend.durableAtReturn()) {
      unforced.written();
    }
    src.position(src.position() + length);
    if (forcesByWrites()) {
      shape.forced(length, beginNanos, options.clock.getAsLong());
    }
  }

  private boolean forcesByWrites() {
    return shape != null && options.backend.durableAtReturn();
  }

  private void publish(long newEnd) {
    assert newEnd <= growth.bytes() : "written past the file's size";
    if (newEnd > end) {
      END.setRelease(this, newEnd);
      if (newEnd > requestAt && !growsByAppends()) {
        requestNext();
      }
    }
  }

  private void writeSlowly(ByteBuffer src, long position) throws IOException {
    checkUsable();
    if (position < 0) {
      throw new IllegalArgumentException("negative position " + position);
    }
    long offset = position - src.position();
    while (src.hasRemaining()) {
      long at = offset + src.position();
      Window w = window;
      if (w != null && at >= w.start && at < w.limit) {
        store(w, src, at, (int) Math.min(src.remaining(), w.limit - at));
      } else if (at < end && (w == null || at < w.start)) {
        long before = w == null ? end : Math.min(end, w.start);
        overwrite(src, at, (int) Math.min(src.remaining(), before - at));
      } else if (!next.ready() && growsByAppends()) {
        appendUnmapped(src, at, false);
      } else if (!next.ready() && (unmappable || options.runAhead.mappingPaused())) {
        appendUnmapped(src, at, true);
      } else {
        tryToAdvance(at, src.remaining());
      }
    }
  }

  /** True where zeros ahead don't pay, or find no room. */
  private boolean growsByAppends() {
    return shape != null && (!shape.wantsZeros() || growth.refused());
  }

  /** Writes bytes before the window through the file; an engine rarely does this. */
  private void overwrite(ByteBuffer src, long at, int length) throws IOException {
    try {
      file.write(src, length, at);
      if (options.backend.durableAtReturn()) {
        growth.force(false); // of what was found in the file, too
      } else {
        unforced.written();
      }
    } catch (IOException e) {
      throw writeFailed(at, length, e);
    }
    src.position(src.position() + length);
  }

  /**
   * A failure of a write through the file. One that forces its own bytes was a force, too: what it
   * left in memory counts as written from then on, and a later force would say so.
   */
  private IOException writeFailed(long at, int length, IOException failure) {
    IOException told =
        Failures.classify(
            file.path(), "cannot write " + length + " bytes at " + at, length, failure);
    if (told instanceof DeviceFaultException && options.backend == PersistBackend.DSYNC) {
      growth.broken(told.getMessage());
    }
    return told;
  }

  /**
   * Appends by plain writes, forced as the back end requires; used when mapping fails, and where
   * growing ahead doesn't pay.
   */
  private void appendUnmapped(ByteBuffer src, long at, boolean ahead) throws IOException {
    long beginNanos = options.clock.getAsLong();
    growth.lock.lock();
    try {
      dropWindows();
      growth.check();
      int length = src.remaining();
      long newEnd = Math.addExact(at, length);
      if (newEnd > growth.bytes()) {
        if (ahead) {
          growth.extend(Math.max(newEnd, chunk.limit(at, chunk.atOnce(length))), StopSignal.NEVER);
        } else {
          growth.expect(newEnd);
        }
      }
      try {
        file.write(src, length, at);
        if (mapping.forcesWrites()) {
          growth.force(false);
        }
      } catch (IOException e) {
        throw cutToEnd(writeFailed(at, length, e));
      } catch (RuntimeException | Error e) {
        cutToEnd(new IOException(e));
        throw e;
      }
      appendedUnmapped = true;
      taken(src, length, beginNanos);
      publish(newEnd);
    } finally {
      growth.lock.unlock();
    }
  }

  /** Advances, or lets the file grow by what is written, if only zeros find no room. */
  private void tryToAdvance(long at, int wanted) throws IOException {
    try {
      advance(at, wanted);
    } catch (DeviceFullException e) {
      if (!growsByAppends()) {
        throw e;
      }
    }
  }

  /** Makes the window that covers {@code at}, at or past the end, the current one. */
  private void advance(long at, int wanted) throws IOException {
    boolean continues = window != null;
    if (continues) {
      chunk.usedUp();
    }
    if (switchToNext(at)) {
      return;
    }
    if (continues) {
      options.runAhead.countMiss();
    }
    growth.lock.lock(); // waits for a chunk that is in work
    try {
      if (switchToNext(at)) {
        return;
      }
      next.cancel();
      dropWindows();
      Window w = growth.open(at, chunk.atOnce(wanted), end, StopSignal.NEVER);
      if (w == null) {
        unmappable = true;
      } else {
        enter(w);
      }
    } finally {
      growth.lock.unlock();
    }
  }

  /**
   * Maps and faults in at least {@code bytes} from the end now, so that the first appends needn't;
   * does nothing while something is mapped. A writer's method, for the time before it writes.
   */
  public void prepare(int bytes) throws IOException {
    checkUsable();
    if (window == null && !unmappable) {
      tryToAdvance(end, bytes);
    }
  }

  private boolean switchToNext(long at) {
    Window ready = next.take(at);
    if (ready == null) {
      return false;
    }
    Window old = window;
    enter(ready);
    next.retire(old);
    return true;
  }

  private void enter(Window w) {
    window = w;
    mapped = true;
    requestAt = chunk.entered(w.start, w.limit);
    if (end > requestAt) {
      requestNext();
    }
  }

  private void requestNext() {
    requestAt = Long.MAX_VALUE;
    next.request(window.limit);
  }

  /** On the run-ahead thread. */
  private Window makeNext(long from, StopSignal stop) {
    if (closed || unmappable) {
      return null;
    }
    try {
      return growth.open(from, chunk.ahead(), end(), stop);
    } catch (IOException e) {
      chunk.refused(); // the writer tries again with less, and reports what it meets
      return null;
    }
  }

  private DeviceFaultException storeFailed(Window w, long position, int length, Throwable cause) {
    String detail =
        "a store of " + length + " bytes at " + position + " failed: " + cause.getMessage();
    DeviceFaultException failure = new DeviceFaultException(file.path(), detail, cause);
    wipe(w, position, length, failure);
    cutToEnd(failure);
    boolean passing = !options.backend.maps() && cause instanceof OutOfMemoryError;
    if (!(cause instanceof InternalError) && !passing) {
      growth.broken(detail); // not a page: a force that failed
    }
    return failure;
  }

  /**
   * Stores zeros over what a failed store may have left after the end. A device that fails may not
   * let the file be cut, and a reader beside this process would take those bytes for written.
   */
  private void wipe(Window w, long position, int length, IOException failure) {
    long from = Math.max(position, end);
    int bytes = (int) (position + length - from);
    if (bytes <= 0) {
      return;
    }
    try {
      w.store(from, ByteBuffer.allocate(bytes), 0, bytes);
    } catch (IOException | RuntimeException | Error e) {
      failure.addSuppressed(e); // the zeros are stored, though perhaps not forced
    }
  }

  /** Restores zeros past the end by cutting the file at its end. */
  private IOException cutToEnd(IOException failure) {
    try {
      quiesced(() -> cutTo(end));
    } catch (IOException e) {
      failure.addSuppressed(e);
      growth.broken(failure.getMessage());
    }
    return failure;
  }

  private void checkUsable() throws IOException {
    if (closed) {
      throw new ClosedChannelException();
    }
    DeviceFaultException e = growth.broken();
    if (e != null) {
      throw new DeviceFaultException(
          file.path(), "unusable since an earlier fault: " + e.getMessage(), e);
    }
  }

  /**
   * Cause that prevents further writes and forces: a force failed, or the length isn't known. Any
   * thread.
   *
   * @return null if it can
   */
  public DeviceFaultException fault() {
    return growth.broken();
  }

  /** Forces what isn't durable yet; nothing to do where every write is. */
  public void force() throws IOException {
    checkUsable();
    unforced.cover(
        this::end,
        length -> {
          try {
            growth.force(length);
          } catch (ClosedChannelException e) {
            throw e;
          } catch (IOException e) {
            throw growth.broken();
          }
        });
  }

  /**
   * Shortens the file, physically and at once; like the channel's method does nothing if {@code
   * size} is not less than the end. Not forced.
   */
  public void truncate(long size) throws IOException {
    checkUsable();
    if (size < 0) {
      throw new IllegalArgumentException("negative size " + size);
    }
    if (size < end) {
      quiesced(() -> cutTo(size));
    }
  }

  /**
   * Cuts off what was grown ahead, so that the file ends physically where it ends logically, and
   * forces it. A later append maps again.
   */
  public void trim() throws IOException {
    checkUsable();
    quiesced(() -> cutTo(end));
    force();
  }

  /** Trims, forces and closes; a second close does nothing. */
  @Override
  public void close() throws IOException {
    close(true);
  }

  /**
   * Trims and closes; a second close does nothing.
   *
   * @param force is it forced? If not, a power cut may bring back what was cut off: the caller
   *     forces the file before anything builds on its length
   */
  public void close(boolean force) throws IOException {
    boolean sound = growth.broken() == null;
    if (sound && force) {
      close(this::trim);
    } else {
      close(() -> quiesced(sound ? () -> cutTo(end) : () -> {}));
    }
  }

  /**
   * Closes and leaves what was grown ahead, zeros, in the file; a second close does nothing. No
   * operation of the device belongs to it, unless zeros have just found no room.
   */
  public void closeUntrimmed() throws IOException {
    close(
        () -> {
          quiesced(() -> {});
          if (growth.broken() == null) {
            growth.confirm();
          }
        });
  }

  private void close(Step last) throws IOException {
    if (closed) {
      return;
    }
    try {
      last.run();
    } finally {
      closed = true;
      zeros.close();
      file.close();
    }
  }

  private interface Step {
    void run() throws IOException;
  }

  /** Runs the step with nothing mapped and no growth in work or queued. */
  private void quiesced(Step step) throws IOException {
    next.lockAbandoning();
    try {
      dropWindows();
      unmappable = false;
      appendedUnmapped = false;
      step.run();
    } finally {
      growth.lock.unlock();
    }
  }

  private void dropWindows() {
    requestAt = Long.MAX_VALUE;
    Window current = window;
    window = null;
    mapped = false;
    if (current != null) {
      current.unmap();
    }
    next.drop();
  }

  private void cutTo(long size) throws IOException {
    assert window == null && growth.lock.isHeldByCurrentThread() && size <= end;
    if (growth.bytes() > size) {
      growth.cut(size);
      END.setRelease(this, size);
      unforced.cut();
    }
  }
}
