// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.partition;

import io.headpond.pmem.Background;
import io.headpond.store.layout.DirectoryForce;
import io.headpond.store.tier.DeviceThreads;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Makes the names of new segments durable, while the engine is still busy with opening them.
 *
 * <p>A new name, and the partition directory's own entry, which the engine doesn't force, must be
 * durable before the first append is acknowledged as durable. The force of the home disk is the
 * price of a roll; here it runs beside the engine's own work and is waited for at the first append.
 */
public final class NameForces implements AutoCloseable {
  private static final String THREAD_NAME = "headpond-names";

  /** Forces of one log directory at the same time; one that hangs holds up no other. */
  private static final int THREADS = 4;

  /** Beyond this the thread that makes names forces them itself. */
  private static final int QUEUE_MAX = 65_536;

  private final DirectoryForce directoryForce;
  private final Background background;

  /** By log directory. */
  private final DeviceThreads<Path> threads;

  public NameForces(final DirectoryForce directoryForce, final Background background) {
    this.directoryForce = directoryForce;
    this.background = background;
    threads = new DeviceThreads<>(background, THREAD_NAME, THREADS, QUEUE_MAX);
  }

  /** Starts to force a directory's names; the future fails with an {@link IOException} inside. */
  public CompletableFuture<Void> force(final PartitionDirectory partition) {
    return run(partition, () -> forceNow(partition));
  }

  /** A step that can fail. */
  public interface Step {
    /** Runs on one of these threads. */
    void run() throws IOException;
  }

  /** Starts a step; its future fails as {@link #force} does. */
  public CompletableFuture<Void> run(final PartitionDirectory partition, final Step step) {
    return CompletableFuture.runAsync(completing(step), threads.of(partition.home.path()));
  }

  private Runnable completing(final Step step) {
    return () -> {
      try {
        step.run();
      } catch (final IOException e) {
        throw new CompletionException(e);
      } catch (final RuntimeException | Error e) {
        background.failed(THREAD_NAME, e); // the future keeps it from the pool
        throw e;
      }
    };
  }

  /** Forces a directory's names in the calling thread. */
  public void forceNow(final PartitionDirectory partition) throws IOException {
    partition.force(directoryForce);
    final Path entry = partition.path(); // before the force: a rename beside it is another's
    if (!entry.equals(partition.durableEntry)) {
      directoryForce.force(partition.home.path());
      partition.durableEntry = entry;
    }
  }

  @Override
  public void close() {
    threads.close();
  }
}
