// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.layout;

import io.headpond.pmem.UninterruptedForce;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Makes directory entries durable, many requests at the price of one.
 *
 * <p>A force that is under way may have begun before a caller's entry was made, so it can't serve
 * that caller: whoever arrives meanwhile waits for the next one, which then serves all of them
 * (group commit). Any thread.
 */
public final class DirectoryForce {
  private final ConcurrentHashMap<Path, Turns> directories = new ConcurrentHashMap<>();

  /**
   * Directories whose force failed, and how: as many as there are directories at most. Written
   * under its own monitor.
   */
  private final ConcurrentHashMap<Path, IOException> failed = new ConcurrentHashMap<>();

  private static final class Turns {
    /** The directory's present name; null: it is gone. Written under the failures' monitor. */
    volatile Path name;

    long requested;
    long done;
    boolean running;
    int waiting;
    long failedAt = -1;

    /** Of the force that failed; null: an error ended its thread. */
    IOException failure;

    Turns(final Path name) {
      this.name = name;
    }
  }

  /**
   * Returns when the entries that the directory had at the call are durable.
   *
   * @throws IOException if the force failed, now or ever; nothing is known about the entries then
   */
  public void force(final Path directory) throws IOException {
    refuseFailed(directory);
    final Turns turns =
        directories.compute(
            directory,
            (path, found) -> {
              final boolean same = found != null && directory.equals(found.name);
              final Turns mine = same ? found : new Turns(directory);
              mine.waiting++;
              return mine;
            });
    try {
      await(directory, turns);
    } finally {
      directories.compute(
          directory, (path, found) -> --turns.waiting == 0 && found == turns ? null : found);
    }
  }

  private void refuseFailed(final Path directory) throws IOException {
    final IOException before = failed.get(directory);
    if (before != null) {
      throw new ForceFailedException(directory, before);
    }
  }

  /**
   * A directory has another name now; null: it is gone. A failure goes with it, also a later one.
   */
  public void renamed(final Path directory, final Path to) {
    synchronized (failed) {
      for (final Turns turns : directories.values()) {
        if (directory.equals(turns.name)) {
          turns.name = to;
        }
      }
      final IOException before = failed.remove(directory);
      if (before != null && to != null) {
        failed.put(to, before);
      }
    }
  }

  private void failed(final Turns turns, final IOException cause) {
    synchronized (failed) {
      if (turns.name != null) {
        failed.put(turns.name, cause);
      }
    }
  }

  /**
   * As {@link #forceNow}, also after a force that failed; if it fails, no later force of the
   * directory counts, either.
   */
  public void forceAgain(final Path directory) throws IOException {
    try {
      forceNow(directory);
    } catch (final ForceFailedException e) {
      failed(directory, e);
      throw e;
    }
  }

  /** A {@link #forceNow} of a directory failed: no later force of it counts, either. */
  public void failed(final Path directory, final ForceFailedException e) {
    synchronized (failed) {
      failed.put(directory, (IOException) e.getCause());
    }
  }

  private void await(final Path directory, final Turns turns) throws IOException {
    final long mine;
    synchronized (turns) {
      mine = ++turns.requested;
      boolean interrupted = false;
      while (turns.running && turns.done < mine) {
        try {
          turns.wait();
        } catch (final InterruptedException e) {
          interrupted = true;
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
      if (turns.done >= mine) {
        if (turns.failedAt >= mine) {
          if (turns.failure instanceof NoSuchFileException) {
            throw new NoSuchFileException(directory.toString());
          }
          refuseFailed(directory);
          throw turns.failure == null
              ? new IOException(directory + ": the force of the directory was given up")
              : new IOException(turns.failure.getMessage(), turns.failure);
        }
        return;
      }
      if (turns.name != null) {
        refuseFailed(turns.name); // by the force that was waited for
      }
      turns.running = true;
    }
    lead(directory, turns);
  }

  private void lead(final Path directory, final Turns turns) throws IOException {
    final long upTo;
    synchronized (turns) {
      upTo = turns.requested;
    }
    boolean done = false;
    IOException failure = null;
    try {
      forceNow(directory);
      done = true;
    } catch (final ForceFailedException e) {
      failure = e;
      failed(turns, (IOException) e.getCause());
      throw e;
    } catch (final IOException e) {
      failure = e;
      throw e;
    } finally { // also if an error ends this thread: nobody may wait for ever
      synchronized (turns) {
        turns.running = false;
        turns.done = upTo;
        if (!done) {
          turns.failure = failure;
          turns.failedAt = upTo;
        }
        turns.notifyAll();
      }
    }
  }

  /**
   * Forces one directory, or a file, in the calling thread. An interrupt of the thread is put back
   * afterwards, because it would only close our own channel.
   *
   * @throws IOException if the force failed; nothing is known about the entries then
   */
  public static void forceNow(final Path directory) throws IOException {
    try (FileChannel channel = open(directory)) {
      UninterruptedForce.force(channel, () -> open(directory), true);
    } catch (final FileSystemException e) {
      throw e; // it couldn't be opened: nothing was forced, and nothing failed to be
    } catch (final IOException e) {
      throw new ForceFailedException(directory, e);
    }
  }

  private static FileChannel open(final Path directory) throws IOException {
    return FileChannel.open(directory, StandardOpenOption.READ);
  }
}
