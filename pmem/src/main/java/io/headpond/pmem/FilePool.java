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
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * New files of zeros, prepared in the background for segments that will soon fill them: these then
 * grow without having blocks allocated and zeros written. Thread-safe.
 *
 * <p>Bounded in bytes and in files. Only files that are zero from the first byte to the last, and
 * fsynced, are handed out.
 *
 * <p><b>Account.</b> The bytes of a file are reserved in the {@link Space} before it is made, and
 * stay reserved for who {@link #take}s it; what the pool deletes it releases. Leftovers of an
 * earlier process are deleted by the constructor and are in no account: {@link #deleteLeftovers}
 * does it before the device is measured, and where there is no pool any more.
 */
public final class FilePool implements AutoCloseable {
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

  /** Lengths of files to be made. */
  private final Deque<Long> wanted = new ArrayDeque<>();

  private final List<Pooled> ready = new ArrayList<>();
  private Pooled inWork;
  private volatile boolean dropInWork;
  private long bytes;
  private volatile boolean closed;

  /**
   * Deletes the folder's files and starts the thread.
   *
   * @param folder on the device whose files are pooled; created if missing
   * @param maxBytes bound of the files' sizes together
   * @param maxFiles bound of their number
   * @param space where the pooled bytes are reserved; it neither waits nor asks the pool for room
   * @param background makes the thread
   * @param threadName what thread dumps show
   */
  public FilePool(
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
    this.thread = background.loop(threadName, this::makeNext);
    this.thread.start();
  }

  /**
   * Deletes the files that an earlier process has left in a pool's folder. No pool works there.
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

  /** Asks for one more file of that length, in the background, as far as the pool has room. */
  public void prepare(long length) {
    lock.lock();
    try {
      long soon = bytes;
      for (long each : wanted) {
        soon += each;
      }
      int files = wanted.size() + ready.size() + (inWork == null ? 0 : 1);
      if (!closed && length > 0 && files < maxFiles && length <= maxBytes - soon) {
        wanted.add(length);
        changed.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Hands out the largest file of a size in [{@code minBytes}, {@code maxBytes}] by renaming it to
   * {@code destination}, which must not exist. Its bytes stay reserved, for the receiver. Open it
   * with {@link MappedFileOptions#keepTail}.
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

  /** The largest file of a size between the two; null if there is none. */
  private Pooled largest(long minBytes, long maxBytes) {
    Pooled best = null;
    for (Pooled each : ready) {
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
    ready.remove(file);
    try {
      if (Files.size(file.path) == file.bytes) {
        Files.move(file.path, destination, StandardCopyOption.ATOMIC_MOVE);
        bytes -= file.bytes;
        return true;
      }
      Log.LOG.warn("{}: was changed by another, deleted", file.path);
    } catch (IOException e) {
      Log.LOG.warn("{}: cannot be used, deleted", file.path, e);
    }
    discard(file);
    return false;
  }

  /** The bytes of all pooled files, ready or in work. */
  public long bytes() {
    lock.lock();
    try {
      return bytes;
    } finally {
      lock.unlock();
    }
  }

  /** The bytes that are ready to be taken. */
  public long readyBytes() {
    lock.lock();
    try {
      return ready.stream().mapToLong(Pooled::bytes).sum();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Deletes and releases pooled files until at most {@code target} bytes are left: for a device
   * that has got short of room. A file that is being made goes at its next MiB, which is waited
   * for, but not for long.
   */
  public void shrinkTo(long target) {
    lock.lock();
    try {
      wanted.clear();
      while (bytes > target && !ready.isEmpty()) {
        discard(ready.remove(ready.size() - 1));
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

  private boolean makeNext() {
    Pooled file = next();
    if (file == null) {
      return false;
    }
    boolean done = false;
    try {
      done = ZeroFill.create(file.path, file.bytes, () -> closed || dropInWork);
    } catch (IOException | RuntimeException e) {
      Log.LOG.warn("{}: cannot be prepared, deleted", file.path, e);
    } finally {
      made(file, done);
    }
    return true;
  }

  private void made(Pooled file, boolean done) {
    lock.lock();
    try {
      inWork = null;
      if (done && !dropInWork) {
        ready.add(file);
      } else {
        discard(file);
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Waits for a file that is wanted, and for which there is room; null when closed. */
  private Pooled next() {
    lock.lock();
    try {
      while (!closed) {
        Long length = wanted.poll();
        if (length == null) {
          changed.awaitUninterruptibly();
        } else if (space.reserve(length)) {
          bytes += length;
          dropInWork = false;
          String name = HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
          inWork = new Pooled(folder.resolve(name), length);
          return inWork;
        }
      }
      return null;
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
    static final Logger LOG = LoggerFactory.getLogger(FilePool.class);
  }
}
