// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Files of deleted segments, zeroed again in the background and given to new segments, which then
 * grow without having blocks allocated and zeros written. Thread-safe.
 *
 * <p>Bounded in bytes and in files; what doesn't fit is refused, and the caller deletes it. Only
 * files that are zero from the first byte to the last, and forced, are handed out.
 *
 * <p><b>Account.</b> The bytes of a file stay reserved in the {@link Space} from {@link #offer} to
 * {@link #take}; what the pool deletes it releases. Leftovers of an earlier process, whose state
 * nobody knows, are deleted by the constructor and are in no account: {@link #deleteLeftovers} does
 * it before the device is measured, and where there is no pool any more.
 *
 * <p><b>Hazard.</b> The file itself is used again, not a copy: whoever still has it open would see
 * the next segment's bytes. Offer only files that nobody has open. A file with a second hard link
 * is refused.
 */
public final class RecyclePool implements AutoCloseable {
  /** A MiB of zeros takes a fraction of it. */
  private static final long DROP_NANOS_MAX = 100_000_000;

  /** A pooled file. */
  private record Pooled(Path path, long bytes) {}

  private final Path folder;
  private final long maxBytes;
  private final int maxFiles;
  private final Space space;
  private final Thread thread;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Deque<Pooled> dirty = new ArrayDeque<>();
  private final List<Pooled> zeroed = new ArrayList<>();
  private Pooled inWork;
  private volatile boolean dropInWork;
  private long bytes;
  private volatile boolean closed;

  /**
   * Deletes what lies in the folder and starts the thread.
   *
   * @param folder on the device whose files are pooled; created if missing
   * @param maxBytes bound of the files' sizes together
   * @param maxFiles bound of their number
   * @param space where the pooled bytes are reserved
   * @param background makes the thread
   * @param threadName what thread dumps show
   */
  public RecyclePool(
      Path folder,
      long maxBytes,
      int maxFiles,
      Space space,
      Background background,
      String threadName)
      throws IOException {
    this.folder = Files.createDirectories(folder);
    this.maxBytes = maxBytes;
    this.maxFiles = maxFiles;
    this.space = space;
    deleteLeftovers(folder);
    this.thread = background.loop(threadName, this::zeroNext);
    this.thread.start();
  }

  /**
   * Deletes what an earlier process has left in a pool's folder. No pool works there.
   *
   * @param folder it may be missing
   */
  public static void deleteLeftovers(Path folder) throws IOException {
    try (DirectoryStream<Path> leftovers = Files.newDirectoryStream(folder)) {
      for (Path leftover : leftovers) {
        Files.delete(leftover);
      }
    } catch (NoSuchFileException none) {
      return;
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
  }

  /**
   * Takes a file over by renaming it into the pool's folder; its bytes stay reserved.
   *
   * @param file a regular file of the same file system that nobody has open and that has no other
   *     name
   * @return false if it was left where it is, for the caller to delete: the pool is full or closed,
   *     the file is empty, is not a plain file, or has a second link
   */
  public boolean offer(Path file) throws IOException {
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
        || ((Number) Files.getAttribute(file, "unix:nlink", LinkOption.NOFOLLOW_LINKS)).intValue()
            != 1) {
      return false;
    }
    long size = Files.size(file);
    lock.lock();
    try {
      int files = dirty.size() + zeroed.size() + (inWork == null ? 0 : 1);
      if (closed || size == 0 || files >= maxFiles || size > maxBytes - bytes) {
        return false;
      }
      Path pooled = folder.resolve(newName());
      Files.move(file, pooled, StandardCopyOption.ATOMIC_MOVE);
      dirty.add(new Pooled(pooled, size));
      bytes += size;
      changed.signalAll();
      return true;
    } finally {
      lock.unlock();
    }
  }

  private static String newName() {
    UUID id = UUID.randomUUID();
    HexFormat hex = HexFormat.of();
    return hex.toHexDigits(id.getMostSignificantBits())
        + hex.toHexDigits(id.getLeastSignificantBits());
  }

  /**
   * Hands out the largest zeroed file of a size in [{@code minBytes}, {@code maxBytes}] by renaming
   * it to {@code destination}, which must not exist. Its bytes stay reserved, for the receiver.
   * Open it with {@link MappedFileOptions#keepTail}.
   *
   * @return {@code destination}, or empty if no such file is ready; one that can't be renamed is
   *     deleted and not waited for
   */
  public Optional<Path> take(Path destination, long minBytes, long maxBytes) throws IOException {
    lock.lock();
    try {
      Pooled best = largest(minBytes, maxBytes);
      if (best != null && Files.exists(destination, LinkOption.NOFOLLOW_LINKS)) {
        throw new FileAlreadyExistsException(destination.toString());
      }
      while (best != null && !moved(best, destination)) {
        best = largest(minBytes, maxBytes);
      }
      return best == null ? Optional.empty() : Optional.of(destination);
    } finally {
      lock.unlock();
    }
  }

  /** The largest zeroed file of a size between the two; null if there is none. */
  private Pooled largest(long minBytes, long maxBytes) {
    Pooled best = null;
    for (Pooled each : zeroed) {
      if (each.bytes >= minBytes
          && each.bytes <= maxBytes
          && (best == null || each.bytes > best.bytes)) {
        best = each;
      }
    }
    return best;
  }

  /** Hands a file out; one that can't be is no more in the pool, and costs nothing else. */
  private boolean moved(Pooled file, Path destination) {
    zeroed.remove(file);
    try {
      if (Files.size(file.path) == file.bytes) {
        Files.move(file.path, destination, StandardCopyOption.ATOMIC_MOVE);
        bytes -= file.bytes;
        return true;
      }
      Log.LOG.warn("{}: was changed by another, deleted", file.path);
    } catch (IOException e) {
      Log.LOG.warn("{}: cannot be used again, deleted", file.path, e);
    }
    discard(file);
    return false;
  }

  /** The bytes of all pooled files, zeroed or not. */
  public long bytes() {
    lock.lock();
    try {
      return bytes;
    } finally {
      lock.unlock();
    }
  }

  /** The bytes that are zeroed and ready to be taken. */
  public long zeroedBytes() {
    lock.lock();
    try {
      return zeroed.stream().mapToLong(Pooled::bytes).sum();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Deletes and releases pooled files until at most {@code target} bytes are left: for a device
   * that has got short of room. A file that is being zeroed goes at its next MiB, which is waited
   * for, but not for long.
   */
  public void shrinkTo(long target) {
    lock.lock();
    try {
      while (bytes > target && !dirty.isEmpty()) {
        discard(dirty.removeLast());
      }
      while (bytes > target && !zeroed.isEmpty()) {
        discard(zeroed.remove(zeroed.size() - 1));
      }
      long patienceNanos = DROP_NANOS_MAX;
      while (bytes > target && inWork != null && patienceNanos > 0) {
        dropInWork = true;
        patienceNanos = changed.awaitNanos(patienceNanos);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      lock.unlock();
    }
  }

  private void discard(Pooled file) {
    assert lock.isHeldByCurrentThread();
    bytes -= file.bytes;
    try {
      Files.deleteIfExists(file.path);
      space.release(file.bytes);
    } catch (IOException e) {
      Log.LOG.warn("{}: cannot be deleted, its {} bytes stay in use", file.path, file.bytes, e);
    }
  }

  private boolean zeroNext() {
    Pooled file = next();
    if (file == null) {
      return false;
    }
    boolean done = false;
    try {
      done = ZeroFill.overwrite(file.path, file.bytes, () -> closed || dropInWork);
    } catch (IOException | RuntimeException e) {
      Log.LOG.warn("{}: cannot be zeroed for another use, deleted", file.path, e);
    } finally {
      zeroed(file, done);
    }
    return true;
  }

  private void zeroed(Pooled file, boolean done) {
    lock.lock();
    try {
      inWork = null;
      if (done && !dropInWork) {
        zeroed.add(file);
      } else {
        discard(file);
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Waits for a file to zero; null when closed. */
  private Pooled next() {
    lock.lock();
    try {
      while (dirty.isEmpty() && !closed) {
        changed.awaitUninterruptibly();
      }
      if (closed) {
        return null;
      }
      dropInWork = false;
      inWork = dirty.removeFirst();
      return inWork;
    } finally {
      lock.unlock();
    }
  }

  /** Stops at the next MiB, deletes what is pooled, releases its bytes. */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    shrinkTo(0);
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Made at the first line logged: a broker's logging may not be up when this class is loaded. */
  private static final class Log {
    static final Logger LOG = LoggerFactory.getLogger(RecyclePool.class);
  }
}
