// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import static io.headpond.store.StoreFixture.CREATE;
import static io.headpond.store.StoreFixture.append;
import static io.headpond.store.StoreFixture.await;
import static io.headpond.store.StoreFixture.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.store.facts.Count;
import io.headpond.store.tier.TierDirectory;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An append that finds its tier full while a deleted segment's space is being given back. */
class SpaceOnItsWayTest {
  private static final int KIB = 1 << 10;
  private static final long SEED = 5;

  private ModelRun run;
  private TieredStore store;
  private TierDirectory directory;
  private Path growing;
  private FileChannel channel;

  @BeforeEach
  void makeFullTier() throws IOException {
    run = new ModelRun(ModelRun.Setup.of(false, "file"), SEED);
    run.with("headpond.tier.t0.capacity", "1MiB").start();
    store = run.store();
    directory = store.tiers().get(0).get(0);
    try (FileChannel dropped = store.open(segment("t-0"), CREATE)) {
      append(dropped, bytes(512 * KIB, 1));
      dropped.force(true); // its name's own force is over, or the reclaimer would wait for that one
    }
    growing = segment("u-0");
    channel = store.open(growing, CREATE);
    append(channel, bytes(400 * KIB, 2));
  }

  @AfterEach
  void remove() throws IOException {
    channel.close();
    run.close();
  }

  private Path segment(final String partition) throws IOException {
    if (!Files.isDirectory(run.real("home0/" + partition))) {
      run.disk.createDirectory(run.real("home0/" + partition));
    }
    return StoreFixture.segment(run.path("home0/" + partition), 0);
  }

  /** The directory that the name went from is forced before the space is given back. */
  private HungCalls reclaiming() throws Exception {
    final Path forced = run.real("home0/t-0");
    final HungCalls hung =
        new HungCalls(
            run.disk, (call, path) -> call == ModelFaults.Call.FORCE && path.equals(forced));
    store.delete(segment("t-0"));
    await("reclaiming hangs", () -> hung.hanging("headpond-reclaim") > 0);
    return hung;
  }

  /** An append on a thread of its own, because it may wait where it must not. */
  private final class Engine {
    private final FutureTask<Void> appended;
    private final Thread thread;

    Engine(final int length) {
      appended =
          new FutureTask<>(
              () -> {
                append(channel, bytes(length, 3));
                return null;
              });
      thread = new Thread(appended, "headpond-test-engine");
      thread.setDaemon(true);
      thread.start();
    }

    boolean done() {
      return appended.isDone();
    }

    boolean waits() {
      return thread.getState() == Thread.State.TIMED_WAITING;
    }

    void join() throws Exception {
      appended.get(20, TimeUnit.SECONDS);
    }
  }

  @Test
  void anAppendWaitsForItAndStaysInItsTier() throws Exception {
    directory.space.awaitReleases(Duration.ofMinutes(1));
    final Engine engine;
    try (HungCalls hung = reclaiming()) {
      engine = new Engine(300 * KIB);
      await("the append waits, or is over", () -> engine.waits() || engine.done());
      assertThat(engine.done()).isFalse();
      assertThat(hung.hanging("headpond-reclaim")).isPositive();
    }
    engine.join();
    assertThat(store.counters().sum(Count.EVACUATED_SEGMENTS)).isZero();
    assertThat(
            Files.isSymbolicLink(run.real("home0/u-0").resolve(growing.getFileName().toString())))
        .isTrue();
  }

  @Test
  void anAppendMovesItsSegmentWhenTheWaitWasInVain() throws Exception {
    directory.space.awaitReleases(Duration.ofMillis(1));
    try (HungCalls hung = reclaiming()) {
      new Engine(300 * KIB).join();
      assertThat(hung.hanging("headpond-reclaim")).isPositive();
      assertThat(store.counters().sum(Count.EVACUATED_SEGMENTS)).isOne();
    }
    assertThat(channel.size()).isEqualTo(700 * KIB);
  }

  @Test
  void anAppendDoesntWaitForLessThanItNeeds() throws Exception {
    directory.space.awaitReleases(Duration.ofMinutes(1));
    try (HungCalls hung = reclaiming()) {
      new Engine(700 * KIB).join();
      assertThat(hung.hanging("headpond-reclaim")).isPositive();
      assertThat(store.counters().sum(Count.EVACUATED_SEGMENTS)).isOne();
    }
  }
}
