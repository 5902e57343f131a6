// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import io.headpond.pmem.Background;
import io.headpond.store.event.StoreCodes;
import io.headpond.store.layout.DirectoryForce;
import io.headpond.store.layout.NameLook;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Empty tier files that are there, durably, before the segments that they will hold: a roll then
 * forces no tier directory. One for each log that rolls, in the directory that its last segment
 * went to. A spare is a tier file like any other that no link names: the next start removes those
 * that a crash leaves. Any thread.
 */
final class SpareFiles implements AutoCloseable {
  /** At most, of all logs. Further ones make their files when they need them. */
  static final int FILES_MAX = 1_024;

  private static final String THREAD_NAME = "headpond-spare";
  private static final int THREADS = 1;
  private static final int QUEUE_MAX = 65_536;

  /** In place of a segment's name in its file's, while none is known. */
  private static final String NAME = "next";

  /**
   * A spare.
   *
   * @param file null: it is being made
   */
  private record Spare(TierDirectory directory, Path file) {}

  private final DirectoryForce directoryForce;
  private final Background background;

  /** The tier devices' threads: one that hangs holds up no other, and no home. */
  private final DeviceThreads<TierDirectory> threads;

  private final Map<PartitionDirectory, Spare> spares = new ConcurrentHashMap<>();
  private volatile boolean closed;

  SpareFiles(final DirectoryForce directoryForce, final Background background) {
    this.directoryForce = directoryForce;
    this.background = background;
    threads = new DeviceThreads<>(background, THREAD_NAME, THREADS, QUEUE_MAX);
  }

  /**
   * Begins to make a log's spare, unless it has one. What fails is left: the log's next file is
   * then made when it is needed, and that failure is told.
   */
  void prepare(final PartitionDirectory partition, final TierDirectory directory) {
    if (closed
        || spares.size() >= FILES_MAX
        || spares.putIfAbsent(partition, new Spare(directory, null)) != null) {
      return;
    }
    boolean begun = false;
    try {
      threads.of(directory).execute(() -> make(partition, directory));
      begun = true;
    } catch (final RuntimeException | Error e) { // no thread, no memory, or they are stopped
      background.failed(THREAD_NAME, e);
    } finally {
      if (!begun) {
        spares.remove(partition);
      }
    }
  }

  private void make(final PartitionDirectory partition, final TierDirectory directory) {
    final Spare wanted = new Spare(directory, null);
    Path file = null;
    boolean kept = false;
    try {
      if (!closed) {
        file =
            directory.create(partition.home.id(), partition.path().resolve(NAME), directoryForce);
        kept = spares.replace(partition, wanted, new Spare(directory, file));
      }
    } catch (final IOException e) {
      directory.createFailed(e);
      if (directory.failed()) {
        StoreCodes.CREATE_FAILED.log(directory, e);
      } // else there was no room, or no descriptor: whoever needs the file meets it
    } finally {
      if (!kept) {
        spares.remove(partition, wanted);
        delete(file);
      }
    }
  }

  /**
   * Takes a log's spare.
   *
   * @return null if it has none in that directory
   */
  Path take(final PartitionDirectory partition, final TierDirectory directory) throws IOException {
    final Spare spare = spares.remove(partition);
    if (spare == null || spare.file == null) {
      return null; // one that is being made finds that it isn't wanted any more
    }
    if (spare.directory == directory && NameLook.exists(spare.file)) {
      return spare.file;
    }
    delete(spare.file);
    return null;
  }

  /** The log is gone. */
  void discard(final PartitionDirectory partition) {
    final Spare spare = spares.remove(partition);
    if (spare != null) {
      delete(spare.file);
    }
  }

  /** Deletes all spares; none is made any more. */
  void discardAll() {
    closed = true;
    spares.keySet().forEach(this::discard);
  }

  /** It is empty, so nothing is lost if it stays; the next start deletes it. */
  private static void delete(final Path file) {
    try {
      if (file != null) {
        Files.deleteIfExists(file);
      }
    } catch (final IOException e) {
      StoreCodes.FILE_KEPT.log(file, e);
    }
  }

  @Override
  public void close() {
    discardAll();
    threads.close();
    discardAll(); // what was being made
  }
}
