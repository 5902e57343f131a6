// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.segment;

import io.headpond.pmem.Background;
import io.headpond.store.facts.Count;
import io.headpond.store.facts.Counters;
import io.headpond.store.facts.TimeSource;
import io.headpond.store.tier.DeviceThreads;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Brings what a consumer is sent from home into the page cache first, by threads of its own. The
 * engine's network thread, which serves many other connections, then doesn't wait for a slow disk
 * in sendfile(2): a transfer to a socket whose bytes are still on their way moves none, and the
 * engine comes again. Any thread.
 *
 * <p>Design note: Java can't ask whether a page is in memory, so windows of a file are read, and
 * trusted for a while. After windows that were read as fast as from memory the file's next ones
 * aren't read ({@link MemoryRun}). What the page cache drops before it is sent costs what it costs
 * without Headpond.
 *
 * <p>Only transfers to non-blocking sockets are held back: their callers expect that less moves
 * than they asked for. An encrypted connection reads instead, and isn't helped.
 *
 * <p>A socket that waits for bytes can be written to all the time, so its network thread comes
 * again and again. Before it, one of the engine's other threads reads where the next record batch
 * begins: that {@link #look} waits for what will be sent from there, so that little is left to come
 * again for.
 */
public final class ColdReads implements AutoCloseable {
  static final int WINDOW_BYTES = 512 << 10;

  /** The end of what is being appended to is in memory: consumers follow it closely. */
  private static final long TAIL_BYTES = 4 << 20;

  /** Bytes read or appended within this time count as being in memory still. */
  private static final long TRUST_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** For each log directory. */
  private static final int THREADS = 4;

  private static final int QUEUE = 64;

  /**
   * Windows that are read ahead of what is asked for. While a consumer digests what it was sent and
   * asks for more, a disk that is to be used wholly has to have work: one window is 8 ms of a hard
   * disk's time.
   */
  private static final int AHEAD = 2;

  /** Windows that a reader reads before others that wait have their turn. */
  private static final int TURN = 4;

  /** A whole window: a disk that counts operations takes as long for a part of it. */
  private static final int BUFFER_BYTES = WINDOW_BYTES;

  /** A look for a record batch reads no more at a time: the header of Kafka's has 61 bytes. */
  private static final int LOOK_BYTES = 64;

  /** Bytes sent after a look, by default: Kafka's {@code max.partition.fetch.bytes}. */
  private static final long SENT_BYTES = 1 << 20;

  /** A disk that takes longer has many to serve. The look goes on, and waits for its own bytes. */
  private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(2);

  /** Looks that wait at a time. The engine has few threads for them (Kafka: 8), producers' too. */
  public static final int LOOKS_MAX = 2;

  private static final ThreadLocal<ByteBuffer> BUFFER =
      ThreadLocal.withInitial(() -> ByteBuffer.allocateDirect(BUFFER_BYTES));

  private static final ThreadLocal<ColdPatience> PATIENCE =
      ThreadLocal.withInitial(ColdPatience::new);

  private final int windowsMax;
  private final Counters counters;
  private final TimeSource time;
  private final DeviceThreads<Path> threads;
  private final Semaphore looks = new Semaphore(LOOKS_MAX);

  /** The least recently used one first. Guarded by itself. */
  private final Map<Key, Window> windows = new LinkedHashMap<>(16, 0.75f, true);

  private volatile boolean closed;

  private record Key(SegmentFile file, long number) {}

  /** A part of a file that is, or is about to be, in memory. */
  private static final class Window {
    private final Key key;
    private final CountDownLatch read = new CountDownLatch(1);

    /** Who reads it; null: it needn't be read. Guarded by the windows. */
    private Reader reader;

    private volatile long readNanos;
    private volatile MemoryRun run = MemoryRun.NONE;

    Window(final Key key) {
      this.key = key;
    }

    boolean done() {
      return read.getCount() == 0;
    }
  }

  /**
   * For one store.
   *
   * @param bytesMax of windows that are remembered, and so read ahead of what is sent; less than
   *     one window: none
   */
  public ColdReads(
      final long bytesMax,
      final Counters counters,
      final Background background,
      final TimeSource time) {
    windowsMax = (int) Math.min(1 << 20, bytesMax / WINDOW_BYTES);
    this.counters = counters;
    this.time = time;
    threads = new DeviceThreads<>(background, "headpond-read-ahead", THREADS, QUEUE);
  }

  /**
   * The bytes of a transfer that may be moved now.
   *
   * @param at position in the file
   * @param count bytes that are asked for
   * @return {@code count} where it isn't concerned; 0: the caller may come again
   */
  long ready(
      final Segment segment,
      final SegmentFile file,
      final long at,
      final long count,
      final WritableByteChannel target) {
    if (!(target instanceof final SocketChannel socket)
        || socket.isBlocking()
        || !mayBeCold(segment, file, at)) {
      return count;
    }
    final List<Window> wanted = windows(segment, file, at, count);
    return await(wanted.isEmpty() ? null : wanted.get(0)) ? contiguous(file, at, count) : 0;
  }

  /**
   * Before a small read: waits until what is sent from there is in memory, two seconds at most, if
   * a consumer was sent what lies just before. A look at any other place reads nothing ahead.
   *
   * @param at position in the file
   * @param bytes that the read asks for
   */
  void look(final Segment segment, final SegmentFile file, final long at, final int bytes) {
    if (bytes > LOOK_BYTES || !mayBeCold(segment, file, at) || !isExpected(file, at)) {
      return;
    }
    if (!looks.tryAcquire()) {
      return;
    }
    try {
      final long end = time.nanos() + LOOK_NANOS;
      long from = at / WINDOW_BYTES * WINDOW_BYTES;
      for (final Window window : windows(segment, file, at, SENT_BYTES)) {
        if (from >= at + SENT_BYTES
            || !window.read.await(end - time.nanos(), TimeUnit.NANOSECONDS)) {
          return;
        }
        from += WINDOW_BYTES;
      }
    } catch (final InterruptedException e) {
      Thread.currentThread().interrupt(); // the read itself says so
    } finally {
      looks.release();
    }
  }

  /** True if a transfer from before asked for the window, or from it. */
  private boolean isExpected(final SegmentFile file, final long at) {
    synchronized (windows) {
      return windows.containsKey(new Key(file, at / WINDOW_BYTES));
    }
  }

  private boolean mayBeCold(final Segment segment, final SegmentFile file, final long at) {
    if (windowsMax == 0 || closed || !file.atHome()) {
      return false;
    }
    final long end = file.knownBytes();
    return at < end && !(at >= end - TAIL_BYTES && segment.isWrittenWithin(TRUST_NANOS));
  }

  /**
   * The windows of a part of a file and {@link #AHEAD} after it, as the consumer goes on; on their
   * way at least. Fewer, from the first on, where too many are on their way.
   */
  private List<Window> windows(
      final Segment segment, final SegmentFile file, final long at, final long count) {
    final long end = file.knownBytes();
    final long first = at / WINDOW_BYTES;
    final long last = (at + Math.min(count, end - at) - 1) / WINDOW_BYTES + AHEAD;
    final List<Window> found = new ArrayList<>();
    for (long number = first;
        number <= Math.min(last, first + windowsMax - 1) && number * WINDOW_BYTES < end;
        number++) {
      final Window window = window(segment, file, number);
      if (window == null) {
        break;
      }
      found.add(window);
    }
    return found;
  }

  /**
   * Waits for a window as long as the calling thread can afford.
   *
   * @param window null: more is on its way than the disk brings
   */
  private boolean await(final Window window) {
    if (window != null && window.done()) {
      return true;
    }
    final ColdPatience patience = PATIENCE.get();
    final long nanos = patience.begin(time.nanos());
    try {
      if (window == null) {
        LockSupport.parkNanos(this, nanos);
        return false;
      }
      return window.read.await(nanos, TimeUnit.NANOSECONDS);
    } catch (final InterruptedException e) {
      Thread.currentThread().interrupt();
      return true; // the transfer itself says so
    } finally {
      patience.end(time.nanos());
    }
  }

  private long contiguous(final SegmentFile file, final long at, final long count) {
    long number = at / WINDOW_BYTES + 1;
    synchronized (windows) {
      while (number * WINDOW_BYTES - at < count) {
        final Window next = windows.get(new Key(file, number));
        if (next == null || !next.done()) {
          break;
        }
        number++;
      }
    }
    return Math.min(count, number * WINDOW_BYTES - at);
  }

  /** The window, on its way at least; null: too many are. */
  private Window window(final Segment segment, final SegmentFile file, final long number) {
    final Key key = new Key(file, number);
    final Window made = new Window(key);
    final ThreadPoolExecutor pool = threads.of(segment.name().getParent().getParent());
    Reader begun = null;
    synchronized (windows) {
      final Window known = windows.get(key);
      if (known != null && !(known.done() && time.nanos() - known.readNanos > TRUST_NANOS)) {
        return known;
      }
      final Window before = before(key);
      if (before != null && before.run.trusted()) {
        made.run = before.run.skip();
        made.readNanos = time.nanos();
        made.read.countDown();
      } else if (before == null || before.reader == null || !before.reader.goesOn(made)) {
        if (pool.getQueue().remainingCapacity() == 0) {
          return null;
        }
        begun = new Reader(pool, segment.name(), made);
      }
      windows.put(key, made);
      if (windows.size() > windowsMax) {
        windows.remove(windows.keySet().iterator().next());
      }
    }
    if (begun != null) {
      pool.execute(begun); // by the caller, if it must be
    }
    return made;
  }

  /**
   * Reads windows that follow one another, by one thread that may wait for the disk, in their order
   * and by one descriptor: the kernel then reads ahead in large operations. Where two threads read
   * side by side their pages take turns, and each of them cuts the other's operations.
   */
  private final class Reader implements Runnable {
    private final ThreadPoolExecutor pool;
    private final Path name;

    /** Those to come. Guarded by the windows. */
    private final Deque<Window> next = new ArrayDeque<>();

    /** The window that the next one must follow; null: it has ended. Guarded by the windows. */
    private Window last;

    Reader(final ThreadPoolExecutor pool, final Path name, final Window first) {
      this.pool = pool;
      this.name = name;
      add(first);
    }

    private void add(final Window window) {
      next.add(window);
      window.reader = this;
      last = window;
    }

    /** Takes on what follows its last window; false: it can't any more. Holds the windows. */
    boolean goesOn(final Window window) {
      final boolean follows =
          last != null && last.key.number == window.key.number - 1 && next.size() < QUEUE;
      if (follows) {
        add(window);
      }
      return follows;
    }

    @Override
    public void run() {
      boolean waits = false;
      try {
        if (readTurn()) {
          pool.execute(this); // behind the others
          waits = true;
        }
      } catch (final IOException e) {
        return; // the transfer finds out itself what is wrong
      } finally {
        if (!waits) {
          end();
        }
      }
    }

    /** True if it isn't at its end, but others wait for a thread. */
    private boolean readTurn() throws IOException {
      try (FileChannel in = FileChannel.open(name, StandardOpenOption.READ)) {
        int windowsRead = 0;
        for (Window window = take(); window != null; window = take()) {
          try {
            read(in, window);
          } finally {
            done(window);
          }
          if (++windowsRead >= TURN && !pool.getQueue().isEmpty()) {
            return true;
          }
        }
        return false;
      }
    }

    private Window take() {
      synchronized (windows) {
        final Window window = closed ? null : next.poll();
        last = window == null ? null : last;
        return window;
      }
    }

    /** Whoever waits for what wasn't read finds out itself. */
    private void end() {
      synchronized (windows) {
        last = null;
        next.forEach(this::done);
        next.clear();
      }
    }

    private void done(final Window window) {
      window.readNanos = time.nanos();
      window.read.countDown();
    }
  }

  private void read(final FileChannel in, final Window window) throws IOException {
    final long from = window.key.number * WINDOW_BYTES;
    final ByteBuffer buffer = BUFFER.get();
    final long begun = time.nanos();
    long at = from;
    for (int read = 0; at < from + WINDOW_BYTES && read >= 0; at += Math.max(0, read)) {
      final int rest = (int) (from + WINDOW_BYTES - at);
      read = in.read(buffer.clear().limit(rest), at);
    }
    window.run = runBefore(window.key).then(at - from, time.nanos() - begun);
    counters.add(Count.READ_AHEAD_BYTES, at - from);
  }

  private MemoryRun runBefore(final Key key) {
    synchronized (windows) {
      final Window before = before(key);
      return before == null ? MemoryRun.NONE : before.run;
    }
  }

  /** The window before another; null: it isn't remembered. Holds the windows. */
  private Window before(final Key key) {
    return windows.get(new Key(key.file, key.number - 1));
  }

  /** Reads nothing more; waits for nothing. */
  @Override
  public void close() {
    closed = true;
    threads.shutdown();
  }
}
