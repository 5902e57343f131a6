// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.tier;

import io.headpond.pmem.Device;
import io.headpond.pmem.DeviceFaultException;
import io.headpond.pmem.DeviceFullException;
import io.headpond.pmem.PersistBackend;
import io.headpond.pmem.Shortage;
import io.headpond.store.config.ConfigKey;
import io.headpond.store.config.TierConfig;
import io.headpond.store.event.PlaceCodes;
import io.headpond.store.event.PlainText;
import io.headpond.store.facts.TimeSource;
import io.headpond.store.layout.DirectoryForce;
import io.headpond.store.layout.ForceFailedException;
import io.headpond.store.layout.HomeIdentity;
import io.headpond.store.migrate.ExpectedSize;
import io.headpond.store.migrate.FillTrend;
import io.headpond.store.migrate.HeldBack;
import io.headpond.store.migrate.TierLimits;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileStore;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * One directory of a tier: its device, its space, the files in it. Any thread.
 *
 * <p>What active segments are expected to need further ({@link ExpectedSize}) is held back when a
 * new segment asks for room, so that many logs that roll together don't all start where only one
 * fits.
 */
public final class TierDirectory {
  /**
   * Maximum segments of one directory with a writer of their own, that is a descriptor and a
   * mapping. This is a quarter of the descriptors that a process with the usual limit of a broker
   * has.
   */
  public static final int WRITERS_MAX = 4_096;

  /** Writers that are open. */
  public final AtomicInteger writers = new AtomicInteger();

  /** The room that such a write looks for, at most. */
  private static final long PROBE_BYTES = 16 << 20;

  /** The time between two writes that look for room behind a quota. */
  private static final long ASK_NANOS = TimeUnit.SECONDS.toNanos(1);

  public final TierConfig tier;
  public final HomeIdentity.TierRef ref;
  public final Device device;

  /** The way in which its files become durable. */
  public final PersistBackend backend;

  public final long capacityBytes;
  public final TierLimits limits;
  public final TierSpace space;
  public final FillTrend filling = new FillTrend();

  /** Bytes that the engine appended here since the claim. */
  public final LongAdder appendedBytes = new LongAdder();

  /** Bytes that the engine read here since the claim. */
  public final LongAdder readBytes = new LongAdder();

  /** What a file system keeps for itself isn't others' use of it. */
  private static final double ALL_BUT_OVERHEAD = 0.95;

  private final FileStore fileStore;
  private final TimeSource time;

  /**
   * By log directory: {@link #sharesFileSystemWith}. At most one entry for each of this process.
   */
  private final Map<Path, Boolean> shares = new ConcurrentHashMap<>();

  private final Set<GrowingSegment> active = ConcurrentHashMap.newKeySet();

  /** Why the device counts as failed, so that nothing new is put there; null: it doesn't. */
  private volatile String failure;

  /** True from a write that found no room until one finds some. */
  private volatile boolean full;

  private volatile long askAgainNanos;

  /** The files whose force failed, as long as they are there. */
  private final Set<Path> unforceable = ConcurrentHashMap.newKeySet();

  public TierDirectory(
      final TierConfig tier,
      final HomeIdentity.TierRef ref,
      final Device device,
      final FileStore fileStore,
      final PersistBackend backend,
      final long capacityBytes,
      final long usedBytes,
      final TimeSource time) {
    this.time = time;
    this.tier = tier;
    this.ref = ref;
    this.device = device;
    this.backend = backend;
    this.capacityBytes = capacityBytes;
    askAgainNanos = time.nanos();
    limits = new TierLimits(capacityBytes, tier.threshold());
    space = new TierSpace(ref.path(), limits, usedBytes, time);
    this.fileStore = fileStore;
  }

  /** The time of the whole store. */
  public TimeSource time() {
    return time;
  }

  /** The used bytes that migration steers to; negative: it leaves the directory alone. */
  public long thresholdBytes() {
    return limits.thresholdBytes();
  }

  /**
   * True if a log directory is known to be on its file system, and that keeps the order of what
   * happens in both.
   */
  public boolean sharesFileSystemWith(final Path logDir) {
    return shares.computeIfAbsent(
        logDir,
        path -> {
          if (!device.keepsOrder()) {
            return false;
          }
          try {
            return fileStore.equals(Files.getFileStore(path));
          } catch (final IOException unknown) {
            return false;
          }
        });
  }

  /** True if its files are grown ahead of their writers. */
  public boolean growsAhead() {
    return backend != PersistBackend.WRITE;
  }

  /** Bytes that a new segment may count on: of the capacity, and of what the device really has. */
  public long roomBytes() {
    if (!takes()) {
      return 0;
    }
    final long onDevice;
    try {
      onDevice = fileStore.getUsableSpace();
    } catch (final IOException e) {
      fail(e);
      PlaceCodes.PLACE_REFUSED.log(
          this, "reading its free space", "placing no new segments there", e);
      return 0;
    }
    final long now = time.nanos();
    if (full && onDevice > 0 && now - askAgainNanos >= 0) {
      full = !Shortage.takesBytes(ref.path(), Math.min(PROBE_BYTES, onDevice / 2));
      askAgainNanos = now + ASK_NANOS;
    }
    if (full) {
      return 0;
    }
    final HeldBack held = new HeldBack();
    for (final GrowingSegment segment : active) {
      segment.holdBack(held, now);
    }
    return held.leaves(space.freeBytes(onDevice), capacityBytes);
  }

  /** The meaning for a segment of a device's error when it was asked for so many bytes. */
  public IOException classified(final Path file, final long bytes, final IOException e) {
    final String message = this + ": " + e.getMessage();
    return Shortage.ofSpace(e, ref.path(), bytes)
        ? new DeviceFullException(file, message, e)
        : new DeviceFaultException(file, message, e);
  }

  /**
   * The meaning for a segment of the error at the opening of its file for writing. A device that
   * can only be read any more, as the kernel sees to after an error, has failed. Other hands that
   * took the file or the right to it say nothing of the device.
   */
  public IOException unopened(final Path file, final FileSystemException e) {
    return e instanceof NoSuchFileException
            || e instanceof AccessDeniedException
            || Shortage.ofDescriptors(e, file)
        ? e
        : new DeviceFaultException(
            file, this + ": it can't be opened for writing: " + e.getMessage(), e);
  }

  /** A write to the device found no room: nothing new is put there until one finds some. */
  public void full() {
    full = true;
  }

  /** Its device failed: nothing new is put there from now on. */
  public void fail(final IOException why) {
    failure = PlainText.reason(why);
  }

  public boolean failed() {
    return failure != null;
  }

  /** Why; null if it hasn't failed. */
  public String failure() {
    return failure;
  }

  /**
   * What makes room in it.
   *
   * @param homeLow is home at its reserve, so that nothing moves there?
   */
  public String remedy(final boolean homeLow) {
    if (failed()) {
      return "Look at its device (dmesg); restart the engine when it works again, or was replaced";
    }
    if (homeLow) {
      return "Make room at home, or lower the retention: nothing moves there before";
    }
    final String name = tier.name();
    return isCrowded()
        ? "Remove other files from its file system, or lower "
            + ConfigKey.TIER_CAPACITY.of(name).name()
            + " by what they take"
        : "Nothing as long as a burst passes; if it comes again, lower "
            + ConfigKey.TIER_THRESHOLD.of(name).name()
            + ", make the tier larger, or keep topics out of it (headpond plan calculates it)";
  }

  /** Do other files take room that the capacity counts on? */
  private boolean isCrowded() {
    try {
      return space.usedBytes() + fileStore.getUsableSpace() < ALL_BUT_OVERHEAD * capacityBytes;
    } catch (final IOException unknown) {
      return false;
    }
  }

  /** True if new segments may be put there; if not, all segments leave it. */
  public boolean takes() {
    return failure == null && !tier.draining();
  }

  /** A force of one of its files failed. */
  public void forceFailed(final Path file) {
    unforceable.add(file);
  }

  /** A file was deleted; its name isn't given again. */
  public void deleted(final Path file) {
    unforceable.remove(file);
  }

  /**
   * True if nothing that was written to a file before can be made durable any more, whatever a
   * force says.
   *
   * <p>After a force that failed, Linux takes the pages that it couldn't write for clean, or drops
   * them: the next force of the same file has nothing to write, and succeeds. So a failure is
   * remembered for as long as the file is there. Such a segment is copied elsewhere, as it reads
   * now, and forced there.
   */
  public boolean distrusts(final Path file) {
    return unforceable.contains(file);
  }

  /** True if a home's tier file is this directory's. */
  public boolean holds(final UUID home, final Path file) {
    return segments(home).equals(file.getParent());
  }

  /** Segments that are being appended to. */
  public Set<GrowingSegment> active() {
    return active;
  }

  /** A segment is appended to from now on. */
  public void activated(final GrowingSegment segment) {
    active.add(segment);
  }

  /** A segment is not appended to any more. */
  public void deactivated(final GrowingSegment segment) {
    active.remove(segment);
  }

  /** The directory of a home's segments. */
  public Path segments(final UUID home) {
    return ref.segments(home);
  }

  /** A name for a new tier file, never used before. */
  public Path newFile(final UUID home, final Path name) {
    return ref.newFile(home, name);
  }

  /** Creates an empty tier file and makes its name durable. */
  public Path create(
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
  public void createFailed(final IOException e) {
    if (!(e instanceof ForceFailedException) && Shortage.ofSpace(e, ref.path(), 0)) {
      full();
    } else if (e instanceof ForceFailedException || !Shortage.ofDescriptors(e, ref.path())) {
      fail(e);
    }
  }

  /** A copy into it failed: if its device is the reason, and not the source's, it failed. */
  public void copyFailed(final IOException e) {
    final boolean itsDevice =
        e instanceof DeviceFaultException fault && fault.file().startsWith(ref.path());
    if (e instanceof ForceFailedException || itsDevice) {
      fail(e);
    } else if (e instanceof DeviceFullException && e.getCause() != null) {
      full();
    }
  }

  /** The name of a directory's tier; {@code home} for null. */
  public static String tierName(final TierDirectory directory) {
    return directory == null ? "home" : directory.tier.name();
  }

  @Override
  public String toString() {
    return "tier " + tier.name() + " (" + ref.path() + ")";
  }
}
