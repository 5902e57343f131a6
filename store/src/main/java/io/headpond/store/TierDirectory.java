// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import io.headpond.pmem.Device;
import io.headpond.pmem.DeviceFaultException;
import io.headpond.pmem.DeviceFullException;
import io.headpond.pmem.PersistBackend;
import io.headpond.pmem.RecyclePool;
import io.headpond.pmem.Shortage;
import io.headpond.pmem.Space;
import io.headpond.store.config.TierConfig;
import io.headpond.store.config.TierType;
import io.headpond.store.event.StoreCodes;
import io.headpond.store.layout.DirectoryForce;
import io.headpond.store.layout.ForceFailedException;
import io.headpond.store.layout.HomeIdentity;
import io.headpond.store.migrate.ExpectedSize;
import io.headpond.store.migrate.FillTrend;
import io.headpond.store.migrate.HeldBack;
import io.headpond.store.migrate.TierLimits;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * One directory of a tier: its device, its space, the files in it. Any thread.
 *
 * <p>Space is counted in the physical bytes of all files that Headpond has there, reserved before a
 * file grows. What active segments are expected to need further ({@link ExpectedSize}) is held back
 * when a new segment asks for room, so that many logs that roll together don't all start where only
 * one fits.
 */
final class TierDirectory implements Space {
  /**
   * Maximum segments of one directory with a writer of their own, that is a descriptor and a
   * mapping. This is a quarter of the descriptors that a process with the usual limit of a broker
   * has.
   */
  static final int WRITERS_MAX = 4_096;

  /**
   * The bytes between two calls of {@link #pressure}, where every append reserves its own bytes.
   */
  private static final long PRESSURE_STEP_BYTES = 256 << 10;

  private static final Duration RELEASE_MAX = Duration.ofMillis(250);
  private static final long NO_WAIT_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** Writers that are open. */
  final AtomicInteger writers = new AtomicInteger();

  final TierConfig tier;
  final HomeIdentity.TierRef ref;
  final Device device;
  final PersistBackend backend;
  final long capacityBytes;
  final TierLimits limits;
  final FillTrend filling = new FillTrend();

  /** As its device is written. */
  final TierType type;

  final LongAdder appendedBytes = new LongAdder();
  final LongAdder readBytes = new LongAdder();

  private final FileStore fileStore;
  private final TimeSource time;

  /**
   * By log directory: {@link #sharesFileSystemWith}. At most one entry for each of this process.
   */
  private final Map<Path, Boolean> shares = new ConcurrentHashMap<>();

  private final AtomicLong usedBytes;
  private final AtomicLong droppedBytes = new AtomicLong();

  /** In quarantine: not used, but not free either. */
  private final AtomicLong quarantinedBytes = new AtomicLong();

  /** All that the device had for this directory at the start. */
  private volatile long deviceBytes = Long.MAX_VALUE;

  /** The dropped bytes that wait for somebody who still reads or maps them. */
  private final AtomicLong heldBytes = new AtomicLong();

  private final Object released = new Object();

  /** As long as an append waits for what is being given back. */
  private volatile Duration releaseMax = RELEASE_MAX;

  /** Until then nobody waits for what is being given back: it took too long just now. */
  private volatile long noWaitUntilNanos;

  private final Set<GrowingSegment> active = ConcurrentHashMap.newKeySet();
  private volatile RecyclePool pool;

  /** Told when the directory is fuller than migration wants it. */
  private volatile Runnable pressure = () -> {};

  /** Set when the device failed: nothing new is put there. */
  private volatile boolean failed;

  private volatile StoreFacts.Standing standing = StoreFacts.Standing.USED;

  /** At most one entry for each file that a force failed of. */
  private final Set<Path> unforceable = ConcurrentHashMap.newKeySet();

  /** Files that are on their way into the directory. */
  private final AtomicInteger arriving = new AtomicInteger();

  /** The same directory before its device failed, while files of that time are there; or null. */
  private volatile TierDirectory before;

  /**
   * The only files that are still this one's, because it failed and the same directory was taken
   * back; null: it wasn't.
   */
  private volatile Set<Path> leftFiles;

  TierDirectory(
      final TierConfig tier,
      final TierType type,
      final HomeIdentity.TierRef ref,
      final Device device,
      final FileStore fileStore,
      final PersistBackend backend,
      final long capacityBytes,
      final long usedBytes,
      final TierDirectory before,
      final TimeSource time) {
    this.time = time;
    this.before = before;
    noWaitUntilNanos = time.nanos();
    this.tier = tier;
    this.type = type;
    this.ref = ref;
    this.device = device;
    this.backend = backend;
    this.capacityBytes = capacityBytes;
    limits = new TierLimits(capacityBytes, tier.threshold());
    this.usedBytes = new AtomicLong(usedBytes);
    this.fileStore = fileStore;
  }

  /** The time of the whole store. */
  TimeSource time() {
    return time;
  }

  void pressure(final Runnable told) {
    pressure = told;
  }

  /** The used bytes that migration steers to; negative: it leaves the directory alone. */
  long thresholdBytes() {
    return limits.thresholdBytes();
  }

  /** Bytes of segments: neither the recycle pool, which gives way, nor what is being given back. */
  long segmentBytes() {
    final RecyclePool recycled = pool;
    return usedBytes.get() - droppedBytes.get() - (recycled == null ? 0 : recycled.bytes());
  }

  /** A file of so many bytes is given back soon; negative: it was, or it stays. */
  void dropped(final long bytes) {
    droppedBytes.addAndGet(bytes);
    if (bytes < 0) {
      wakeWaiting();
    }
  }

  /** For tests: appends wait that long for what is being given back. */
  void awaitReleases(final Duration max) {
    releaseMax = max;
  }

  private void wakeWaiting() {
    synchronized (released) {
      released.notifyAll();
    }
  }

  /** Of what was {@link #dropped}, somebody still uses so many bytes; negative: no more. */
  void held(final long bytes) {
    heldBytes.addAndGet(bytes);
  }

  /**
   * True if a log directory is known to be on its file system: one journal keeps the order of what
   * happens in both.
   */
  boolean sharesFileSystemWith(final Path logDir) {
    return shares.computeIfAbsent(
        logDir,
        path -> {
          try {
            return fileStore.equals(Files.getFileStore(path));
          } catch (final IOException unknown) {
            return false;
          }
        });
  }

  /** True if its files are grown ahead of their writers. */
  boolean growsAhead() {
    return backend != PersistBackend.WRITE;
  }

  /** The back end's name for people. */
  String backendName() {
    return type == TierType.FILE && !growsAhead() ? "force" : backend.key();
  }

  /** The way of the zeros ahead, for people. */
  String zeros() {
    return growsAhead() ? device.zeroWay().key() : "none";
  }

  void pool(final RecyclePool recyclePool) {
    pool = recyclePool;
  }

  RecyclePool pool() {
    return pool;
  }

  long usedBytes() {
    return usedBytes.get();
  }

  @Override
  public boolean reserve(final long bytes) {
    long used = usedBytes.get();
    while (true) {
      if (used + bytes > limitBytes()) {
        if (!shrinkPool(bytes) && !awaitRelease(bytes)) {
          return false;
        }
        used = usedBytes.get();
      } else if (usedBytes.compareAndSet(used, used + bytes)) {
        if (tier.threshold() >= 0
            && used + bytes > thresholdBytes()
            && (used + bytes) / PRESSURE_STEP_BYTES != used / PRESSURE_STEP_BYTES) {
          pressure.run();
        }
        return true;
      } else {
        used = usedBytes.get();
      }
    }
  }

  /**
   * Waits for space that is being given back, where there is enough of it. A moment's wait costs an
   * append less than the move of its segment.
   */
  private boolean awaitRelease(final long bytes) {
    final long deadline = time.nanos() + releaseMax.toNanos();
    boolean interrupted = false;
    synchronized (released) {
      while (usedBytes.get() + bytes > limitBytes()) {
        final long given = droppedBytes.get() - heldBytes.get();
        final long now = time.nanos();
        if (usedBytes.get() - given + bytes > limitBytes() || now - noWaitUntilNanos < 0) {
          break;
        }
        if (now - deadline >= 0) {
          noWaitUntilNanos = now + NO_WAIT_NANOS;
          break;
        }
        try {
          TimeUnit.NANOSECONDS.timedWait(released, deadline - now);
        } catch (final InterruptedException e) {
          interrupted = true;
          break;
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return usedBytes.get() + bytes <= limitBytes();
  }

  /** Gives up pooled files for something that needs the room now. */
  private boolean shrinkPool(final long bytes) {
    final RecyclePool shrinking = pool;
    if (shrinking == null) {
      return false;
    }
    final long pooled = shrinking.bytes();
    shrinking.shrinkTo(Math.max(0, pooled - bytes));
    return shrinking.bytes() < pooled;
  }

  @Override
  public void release(final long bytes) {
    final long now = usedBytes.addAndGet(-bytes);
    if (droppedBytes.get() > 0) {
      wakeWaiting();
    }
    assert now >= 0 : ref.path() + ": " + now + " B used after a release of " + bytes + " B";
  }

  /**
   * Sets the bytes in quarantine at the start, and those that the device has for all of the
   * directory.
   */
  void quarantineHolds(final long bytes, final long ofDeviceBytes) {
    quarantinedBytes.set(bytes);
    deviceBytes = ofDeviceBytes;
  }

  /** A file that was counted as used was put into quarantine; negative: bytes left it for good. */
  void quarantined(final long bytes) {
    quarantinedBytes.addAndGet(bytes);
    if (bytes > 0) {
      release(bytes);
    }
  }

  long quarantinedBytes() {
    return quarantinedBytes.get();
  }

  /**
   * The bytes that files may take now: the capacity, as far as the device has that much beside the
   * quarantine, less what lies there from before a failure.
   */
  private long limitBytes() {
    final long quarantined = quarantinedBytes.get();
    final TierDirectory former = before;
    final long others = former == null ? 0 : former.usedBytes();
    return (quarantined == 0 ? capacityBytes : Math.min(capacityBytes, deviceBytes - quarantined))
        - others;
  }

  /** Counts bytes that are there already, whatever the capacity says. */
  void adopt(final long bytes) {
    usedBytes.addAndGet(bytes);
  }

  /** Bytes that a new segment may count on: of the capacity, and of what the device really has. */
  long roomBytes() {
    if (!takes()) {
      return 0;
    }
    final long onDevice;
    try {
      onDevice = fileStore.getUsableSpace();
    } catch (final IOException e) {
      fail();
      StoreCodes.TIER_UNREADABLE.log(this, e);
      return 0;
    }
    final HeldBack held = new HeldBack();
    final long now = time.nanos();
    for (final GrowingSegment segment : active) {
      segment.holdBack(held, now);
    }
    final long pooled = pool == null ? 0 : pool.bytes();
    final long free = Math.min(limitBytes() - usedBytes.get(), onDevice) + pooled;
    return held.leaves(free, capacityBytes);
  }

  /** The meaning for a segment of a device's error when it was asked for so many bytes. */
  IOException classified(final Path file, final long bytes, final IOException e) {
    final String message = this + ": " + e.getMessage();
    return Shortage.ofSpace(e, ref.path(), bytes)
        ? new DeviceFullException(file, message, e)
        : new DeviceFaultException(file, message, e);
  }

  void fail() {
    failed = true;
  }

  boolean failed() {
    return failed;
  }

  /** True if something new may be put there. */
  boolean takes() {
    return !failed && standing == StoreFacts.Standing.USED;
  }

  StoreFacts.Standing standing() {
    return standing;
  }

  void stand(final StoreFacts.Standing now) {
    standing = now;
  }

  /**
   * A file is about to be made there; {@link #arrived} follows, whatever becomes of it. Whoever
   * looks for what is there after {@link #takes} has become false, and nothing {@link #arrives},
   * misses no file.
   *
   * @return false: the directory takes nothing, and {@link #arrived} must not follow
   */
  boolean arrive() {
    arriving.incrementAndGet(); // before the look, as whoever waits looks in the other order
    if (takes()) {
      return true;
    }
    arriving.decrementAndGet();
    return false;
  }

  void arrived() {
    arriving.decrementAndGet();
  }

  /** True while a file is being made there. */
  boolean arrives() {
    return arriving.get() > 0;
  }

  /** True if another one is this directory before its device failed, and has files left there. */
  boolean follows(final TierDirectory other) {
    return before == other;
  }

  /** The same directory was taken back: of it only these files are this one's, until they go. */
  void supersededBut(final Set<Path> files) {
    leftFiles = Set.copyOf(files);
    quarantinedBytes.set(0); // which the other one counts
  }

  /** Nothing is left from before a failure, as far as one of its directories goes. */
  void forget(final TierDirectory gone) {
    if (before == gone) {
      before = gone.before;
    }
  }

  /** True if the same directory was taken back, by another one of this class. */
  boolean superseded() {
    return leftFiles != null;
  }

  /** A force of one of its files failed. */
  void forceFailed(final Path file) {
    unforceable.add(file);
  }

  /**
   * True if nothing that was written to a file before can be made durable any more, whatever a
   * force says.
   *
   * <p>After a force that failed, Linux takes the pages that it couldn't write for clean, or drops
   * them: the next force of the same file has nothing to write, and succeeds. So a failure is
   * remembered by file for as long as the process lives, and of a directory that failed and was
   * taken back no file of that time is trusted: which of its writes the device had lost is not
   * known. Such a segment is copied elsewhere, as it reads now, and forced there.
   */
  boolean distrusts(final Path file) {
    return superseded() || unforceable.contains(file);
  }

  /** True if a home's tier file is this directory's. */
  boolean holds(final UUID home, final Path file) {
    return superseded()
        ? isLeft(file)
        : segments(home).equals(file.getParent()) && !leftBefore(file);
  }

  /** True if a file is still this one's although the directory was taken back. */
  boolean isLeft(final Path file) {
    final Set<Path> left = leftFiles;
    return left != null && left.contains(file);
  }

  private boolean leftBefore(final Path file) {
    final TierDirectory former = before;
    return former != null && (former.isLeft(file) || former.leftBefore(file));
  }

  /** Segments that are being appended to. */
  Set<GrowingSegment> active() {
    return active;
  }

  void activated(final GrowingSegment segment) {
    active.add(segment);
  }

  void deactivated(final GrowingSegment segment) {
    active.remove(segment);
  }

  /** The directory of a home's segments. */
  Path segments(final UUID home) {
    return ref.segments(home);
  }

  /** A name for a new tier file, never used before. */
  Path newFile(final UUID home, final Path name) {
    return ref.newFile(home, name);
  }

  /** Creates an empty tier file and makes its name durable. */
  Path create(
      final UUID home,
      final Path name,
      final DirectoryForce directoryForce,
      final FileAttribute<?>... attributes)
      throws IOException {
    while (true) {
      final Path file = newFile(home, name);
      try {
        Files.createFile(file, attributes);
      } catch (final FileAlreadyExistsException taken) {
        continue;
      }
      try {
        directoryForce.force(file.getParent());
      } catch (final IOException e) {
        Files.deleteIfExists(file);
        throw e;
      }
      return file;
    }
  }

  /** A file couldn't be created: if that isn't for want of something, the device failed. */
  void createFailed(final IOException e) {
    if (e instanceof ForceFailedException
        || !Shortage.ofSpace(e, ref.path(), 0) && !Shortage.ofDescriptors(e, ref.path())) {
      fail();
    }
  }

  /** The name of a directory's tier; {@code home} for null. */
  static String tierName(final TierDirectory directory) {
    return directory == null ? "home" : directory.tier.name();
  }

  @Override
  public String toString() {
    return "tier " + tier.name() + " (" + ref.path() + ")";
  }
}
