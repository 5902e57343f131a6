// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import static io.headpond.store.StoreFixture.await;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headpond.store.home.BallastSteps;
import io.headpond.store.layout.DirectoryForce;
import io.headpond.store.layout.ForceFailedException;
import io.headpond.store.partition.PartitionDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DirectoryForceTest {
  private static final int THREADS = 4;
  private static final int DIRECTORIES = 2_000;
  private static final String THREAD = "headpond-test-force";

  @TempDir Path logDir;

  private final DirectoryForce directoryForce = new DirectoryForce();

  @Test
  void aDirectoryDeletedUnderItsForcersIsForcedByItsParent() throws Exception {
    final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      for (int i = 0; i < DIRECTORIES; i++) {
        final PartitionDirectory partition =
            new PartitionDirectory(null, Files.createDirectory(logDir.resolve("t-" + i)));
        final CountDownLatch ready = new CountDownLatch(THREADS);
        final List<Future<Void>> forces = new ArrayList<>();
        for (int j = 0; j < THREADS; j++) {
          forces.add(threads.submit(() -> force(partition, ready)));
        }
        ready.await();
        Files.delete(partition.path());
        for (final Future<Void> force : forces) {
          force.get();
        }
      }
    } finally {
      threads.shutdownNow();
    }
  }

  /** As the force that gives a ballast's room back, of one that is another user's. */
  @Test
  void aBallastWhoseDirectoryIsNotForcedIsTheLastForceThere() throws Exception {
    try (ModelRun run = new ModelRun(ModelRun.Setup.of(false, "file"), 1)) {
      final Path directory = run.path("home0");
      final BallastSteps ballast = new BallastSteps(directory, 1 << 20, directoryForce);
      run.disk.faults().failForce(1, path -> true);
      assertThatThrownBy(ballast::remove).isInstanceOf(ForceFailedException.class);
      run.disk.faults().end();
      assertThatThrownBy(() -> directoryForce.force(directory))
          .isInstanceOf(ForceFailedException.class);
      ballast.remove(); // room is needed all the same
    }
  }

  @Test
  void whoWaitedForAForceThatFailedIsToldOfIt() throws Exception {
    try (ModelRun run = new ModelRun(ModelRun.Setup.of(false, "file"), 1)) {
      run.disk.faults().failForce(1, path -> true);
      final Path directory = run.path("home0");
      final FutureTask<Void> first = new FutureTask<>(() -> force(directory));
      final FutureTask<Void> second = new FutureTask<>(() -> force(directory));
      try (HungCalls hung = hungForces(run)) {
        thread(first);
        await("the first forces", () -> hung.hanging(THREAD) == 1);
        final Thread waiting = thread(second);
        await("the second waits", () -> waiting.getState() == Thread.State.WAITING);
      }
      assertThatThrownBy(first::get).hasCauseInstanceOf(ForceFailedException.class);
      assertThatThrownBy(second::get).hasCauseInstanceOf(ForceFailedException.class);
    }
  }

  @Test
  void aFailureIsKnownByTheNameThatTheDirectoryHasThen() throws Exception {
    try (ModelRun run = new ModelRun(ModelRun.Setup.of(false, "file"), 1)) {
      run.disk.faults().failForce(1, path -> true);
      final Path before = run.path("home0");
      final Path after = run.path("tier00");
      final FutureTask<Void> first = new FutureTask<>(() -> force(before));
      try (HungCalls hung = hungForces(run)) {
        thread(first);
        await("it is forced", () -> hung.hanging(THREAD) == 1);
        directoryForce.renamed(before, after);
      }
      assertThatThrownBy(first::get).hasCauseInstanceOf(ForceFailedException.class);
      assertThatThrownBy(() -> directoryForce.force(after))
          .isInstanceOf(ForceFailedException.class);
      directoryForce.force(before); // another directory by now
    }
  }

  @Test
  void aFailureGoesAlongWithItsDirectory() throws Exception {
    try (ModelRun run = new ModelRun(ModelRun.Setup.of(false, "file"), 1)) {
      run.disk.faults().failForce(1, path -> true);
      final Path before = run.path("home0");
      final Path after = run.path("tier00");
      assertThatThrownBy(() -> directoryForce.force(before))
          .isInstanceOf(ForceFailedException.class);
      assertThatThrownBy(() -> directoryForce.force(before))
          .isInstanceOf(ForceFailedException.class);
      directoryForce.renamed(before, after);
      assertThatThrownBy(() -> directoryForce.force(after))
          .isInstanceOf(ForceFailedException.class);
      directoryForce.force(before); // another directory by now
      directoryForce.renamed(after, null);
      directoryForce.force(after); // one that was made since
    }
  }

  private static HungCalls hungForces(final ModelRun run) {
    return new HungCalls(run.disk, (made, path) -> made == ModelFaults.Call.FORCE);
  }

  private static Thread thread(final Runnable work) {
    final Thread thread = new Thread(work, THREAD);
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  private Void force(final Path directory) throws IOException {
    directoryForce.force(directory);
    return null;
  }

  private Void force(final PartitionDirectory partition, final CountDownLatch ready)
      throws IOException {
    ready.countDown();
    partition.force(directoryForce);
    return null;
  }

  @Test
  void aDirectoryThatIsBeingRenamedIsFoundUnderItsNewName() throws IOException {
    // The new name is a link to itself, at which everything fails: that tells that it went there.
    final Path loop = logDir.resolve("t-0-delete");
    Files.createSymbolicLink(loop, loop);
    final PartitionDirectory partition = new PartitionDirectory(null, logDir.resolve("t-0"));
    partition.renaming(loop);
    assertThatThrownBy(() -> partition.force(directoryForce))
        .isInstanceOf(IOException.class)
        .isNotInstanceOf(NoSuchFileException.class)
        .hasMessageContaining("t-0-delete");
  }
}
