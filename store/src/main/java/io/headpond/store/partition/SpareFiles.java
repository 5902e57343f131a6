// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.partition;

import io.headpond.pmem.Background;
import io.headpond.pmem.PersistBackend;
import io.headpond.pmem.ZeroFill;
import io.headpond.store.event.BackgroundCodes;
import io.headpond.store.event.PlaceCodes;
import io.headpond.store.layout.DirectoryForce;
import io.headpond.store.layout.NameLook;
import io.headpond.store.layout.SpareFile;
import io.headpond.store.tier.DeviceThreads;
import io.headpond.store.tier.TierDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Tier files that are there, durably, before the segments that they will hold: a roll then forces
 * no tier directory. One for each log that rolls, in the directory that its last segment went to.
 * Where each append forces its own bytes, the first of them go where zeros were written: nothing is
 * committed with them. A spare is a tier file like any other that no link names: the next start
 * removes those that a crash leaves. Any thread.
 */
public final class SpareFiles implements AutoCloseable {
  /** At most, of all logs. Further ones make their files when they need them. */
  public static final int FILES_MAX = 1_024;

  private static final String THREAD_NAME = "headpond-spare";
  private static final int THREADS = 1;
  private static final int QUEUE_MAX = 65_536;

  /** All spares' zeros take this part of what a directory has left, at most. */
  private static final int ROOM_PARTS = 4;

  /**
   * A spare.
   *
   * @param file null: it is being made
   * @param bytes zeros in it, which are reserved
   */
  public record Spare(TierDirectory directory, Path file, int bytes) {
    private static Spare wanted(final TierDirectory directory) {
      return new Spare(directory, null, 0);
    }

    private static Spare empty(final TierDirectory directory, final Path file) {
      return new Spare(directory, file, 0);
    }

    private Spare zeroed(final int zeros) {
      return new Spare(directory, file, zeros);
    }
  }

  private final DirectoryForce directoryForce;

  private final Background background;

  /** The tier devices' threads: one that hangs holds up no other, and no home. */
  private final DeviceThreads<TierDirectory> threads;

  private final Map<PartitionDirectory, Spare> spares = new ConcurrentHashMap<>();

  private final AtomicLong zeroBytes = new AtomicLong();
  private volatile boolean closed;

  public SpareFiles(final DirectoryForce directoryForce, final Background background) {
    this.directoryForce = directoryForce;
    this.background = background;
    threads = new DeviceThreads<>(background, THREAD_NAME, THREADS, QUEUE_MAX);
  }

  /**
   * Begins to make a log's spare, unless it has one. What fails is left: the log's next file is
   * then made when it is needed, and that failure is told.
   */
  public void prepare(final PartitionDirectory partition, final TierDirectory directory) {
    if (closed
        || !directory.takes()
        || spares.size() >= FILES_MAX
        || spares.putIfAbsent(partition, Spare.wanted(directory)) != null) {
      return;
    }
    boolean begun = false;
    try {
      if (!partition.gone) { // asked after it is entered: a deletion comes before or after both
        threads.of(directory).execute(() -> make(partition, directory));
        begun = true;
      }
    } catch (final RuntimeException | Error e) { // no thread, no memory, or they are stopped
      background.failed(THREAD_NAME, e);
    } finally {
      if (!begun) {
        spares.remove(partition);
      }
    }
  }

  private void make(final PartitionDirectory partition, final TierDirectory directory) {
    final Spare wanted = Spare.wanted(directory);
    Spare made = null;
    boolean kept = false;
    try {
      if (!closed) {
        final Path name = partition.path().resolve(SpareFile.NAME);
        made = Spare.empty(directory, directory.create(partition.home.id(), name, directoryForce));
        made = zeroed(made);
        kept = spares.replace(partition, wanted, made);
      }
    } catch (final IOException e) {
      directory.createFailed(e);
      if (directory.failed()) {
        PlaceCodes.PLACE_REFUSED.log(
            directory, "creating a segment's file", "trying further down", e);
      } // else there was no room, or no descriptor: whoever needs the file meets it
    } finally {
      if (!kept) {
        spares.remove(partition, wanted);
        delete(made);
      }
    }
  }

  /** The spare with zeros, where they pay and there is more than enough room. */
  private Spare zeroed(final Spare empty) throws IOException {
    final TierDirectory directory = empty.directory;
    final int bytes = SpareFile.ZERO_BYTES;
    if (directory.backend != PersistBackend.DSYNC
        || directory.roomBytes() / ROOM_PARTS < zeroBytes.get() + bytes
        || !directory.space.reserve(bytes)) {
      return empty;
    }
    zeroBytes.addAndGet(bytes);
    boolean written = false;
    try {
      ZeroFill.extend(empty.file, bytes);
      written = true;
      return empty.zeroed(bytes);
    } finally {
      if (!written) {
        zeroBytes.addAndGet(-bytes);
        directory.space.release(bytes);
      }
    }
  }

  /** True if a log has one: it has rolled before. */
  public boolean isReady(final PartitionDirectory partition) {
    final Spare spare = spares.get(partition);
    return spare != null && spare.file != null;
  }

  /**
   * Takes a log's spare.
   *
   * @return null if it has none in that directory
   */
  public Spare take(final PartitionDirectory partition, final TierDirectory directory)
      throws IOException {
    final Spare spare = spares.remove(partition);
    if (spare == null || spare.file == null) {
      return null; // one that is being made finds that it isn't wanted any more
    }
    if (spare.directory == directory && NameLook.exists(spare.file)) {
      zeroBytes.addAndGet(-spare.bytes); // the segment's now
      return spare;
    }
    delete(spare);
    return null;
  }

  /** The log is gone. */
  public void discard(final PartitionDirectory partition) {
    partition.gone = true;
    delete(spares.remove(partition));
  }

  /** Deletes all spares; none is made any more. */
  public void discardAll() {
    closed = true;
    spares.keySet().forEach(partition -> delete(spares.remove(partition)));
  }

  /** It holds nothing, so nothing is lost if it stays; the next start deletes it. */
  private void delete(final Spare spare) {
    if (spare == null || spare.file == null) {
      return;
    }
    try {
      Files.deleteIfExists(spare.file);
      zeroBytes.addAndGet(-spare.bytes);
      spare.directory.space.release(spare.bytes);
    } catch (final IOException e) {
      BackgroundCodes.FILE_KEPT.log(spare.file, e);
    }
  }

  @Override
  public void close() {
    discardAll();
    threads.close();
    discardAll(); // what was being made
  }
}
