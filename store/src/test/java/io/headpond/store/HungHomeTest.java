// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import static io.headpond.store.StoreFixture.CREATE;
import static io.headpond.store.StoreFixture.append;
import static io.headpond.store.StoreFixture.await;
import static io.headpond.store.StoreFixture.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.store.config.Internals;
import io.headpond.store.facts.Count;
import io.headpond.store.facts.StoreFacts;
import io.headpond.store.home.HomeSpace;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiPredicate;
import org.junit.jupiter.api.Test;

/** A log directory whose disk doesn't answer holds up nothing of the others. */
class HungHomeTest {
  private static final int KIB = 1 << 10;
  private static final long SEED = 3;

  /** More than there are threads for the forces of one log directory. */
  private static final int PARTITIONS = 8;

  private static final String LIVE = "tier00/" + LiveCounters.FILE_NAME;

  private static ModelRun run(final boolean append, final double threshold) throws IOException {
    return new ModelRun(ModelRun.Setup.of(append, "file").directories(2).threshold(threshold), SEED)
        .with("headpond.tier.t0.capacity", "2MiB");
  }

  /** Done on a thread of its own, because it may hang where something is wrong. */
  private static <T> T within20Seconds(final Callable<T> work) throws Exception {
    final FutureTask<T> task = new FutureTask<>(work);
    final Thread thread = new Thread(task, "headpond-test-hung");
    thread.setDaemon(true);
    thread.start();
    return task.get(20, TimeUnit.SECONDS);
  }

  private static Path segment(final ModelRun run, final String partition) throws IOException {
    if (!Files.isDirectory(run.real(partition))) {
      run.disk.createDirectory(run.real(partition));
    }
    return StoreFixture.segment(run.path(partition), 0);
  }

  private static Path sealed(final ModelRun run, final String partition) throws IOException {
    final Path name = segment(run, partition);
    try (FileChannel channel = run.store().open(name, CREATE)) {
      append(channel, bytes(40 * KIB, 1));
    }
    return name;
  }

  private static HungCalls hung(final ModelRun run, final ModelFaults.Call call) {
    return new HungCalls(
        run.disk, (made, path) -> made == call && path.startsWith(run.real("home0")));
  }

  @Test
  void metricsDontWaitForAHomeThatMigrationAsks() throws Exception {
    try (ModelRun run = run(false, 0)) {
      run.start();
      try (HungCalls hung = hung(run, ModelFaults.Call.SPACE)) {
        final Path first = sealed(run, "home0/t-0");
        final Path next = StoreFixture.segment(first.getParent(), 1);
        run.store().open(next, CREATE).close(); // the first may go down: home's room is asked for
        await("migration hangs", () -> hung.hanging("headpond-migrate") > 0);
        assertThat(within20Seconds(() -> run.store().facts().tiers())).hasSize(1);
      }
    }
  }

  @Test
  void metricsByTopicAskNoHome() throws Exception {
    try (ModelRun run = run(false, -1).with("headpond.metrics.topics", "10")) {
      run.start();
      run.store()
          .tiers()
          .get(0)
          .forEach(directory -> directory.space.adopt(directory.capacityBytes));
      final Path name = segment(run, "home0/t-0");
      try (FileChannel channel = run.store().open(name, CREATE)) {
        append(channel, bytes(40 * KIB, 1));
        try (HungCalls hung = hung(run, ModelFaults.Call.ATTRIBUTES)) {
          final StoreFacts.Topic topic = within20Seconds(() -> run.store().facts().topics()).get(0);
          assertThat(hung.hanging("headpond-test")).isZero();
          assertThat(topic.places().get(1).bytes()).isEqualTo(40 * KIB);
        }
      }
      run.store()
          .tiers()
          .get(0)
          .forEach(directory -> directory.space.adopt(-directory.capacityBytes));
    }
  }

  @Test
  void theClockTicksOnWhileAHomeHangs() throws Exception {
    try (ModelRun run = run(false, -1)) {
      run.start();
      try (HungCalls hung = hung(run, ModelFaults.Call.SPACE)) {
        await("the clock has asked for home's room", () -> hung.hanging("headpond") > 0);
        final Path name = segment(run, "home1/t-0");
        try (FileChannel channel = run.store().open(name, CREATE)) {
          append(channel, bytes(40 * KIB, 1));
          await(
              "the live counters are written",
              () ->
                  Files.readString(run.real(LIVE)).contains("appended.bytes.unforced=" + 40 * KIB));
        }
      }
    }
  }

  @Test
  void theClockTicksOnWhileATierDeviceHangs() throws Exception {
    try (ModelRun run =
        new ModelRun(ModelRun.Setup.of(false, "dax"), SEED).with(Internals.PREFIX + "idle", "1s")) {
      run.start();
      final BiPredicate<ModelFaults.Call, Path> cuts =
          (made, path) -> made == ModelFaults.Call.TRUNCATE && path.startsWith(run.real("tier00"));
      try (FileChannel idle = run.store().open(segment(run, "home0/t-0"), CREATE);
          FileChannel other = run.store().open(segment(run, "home0/t-1"), CREATE);
          HungCalls hung = new HungCalls(run.disk, cuts)) {
        append(idle, bytes(40 * KIB, 1));
        await("an idle segment is cut", () -> hung.hanging("headpond-idle") > 0);
        append(other, bytes(40 * KIB, 1));
        await(
            "the live counters are written",
            () -> Files.readString(run.real(LIVE)).contains("appended.bytes=" + 80 * KIB));
      }
    }
  }

  @Test
  void migrationOfOthersGoesOnWhileAHomeHangs() throws Exception {
    try (ModelRun run = run(false, 0)) {
      run.start();
      try (HungCalls hung = hung(run, ModelFaults.Call.SPACE)) {
        final Path home = run.real("home0");
        await("home0 counts as hung", () -> hangs(run, home));
        for (int i = 0; i < PARTITIONS; i++) {
          sealedByTheNext(run, "home0/t-" + i);
        }
        sealedByTheNext(run, "home1/t-0");
        await("home1's goes down", () -> run.store().facts().count(Count.DOWN_SEGMENTS) == 1);
        assertThat(hung.hanging("headpond-migrate")).isZero();
      }
      await("all go down", () -> run.store().facts().count(Count.DOWN_SEGMENTS) == PARTITIONS + 1);
    }
  }

  private static boolean hangs(final ModelRun run, final Path home) {
    return run.store().homes().spaces().stream()
        .map(HomeSpace::facts)
        .map(StoreFacts.Home::path)
        .filter(each -> each.toString().equals(home.toString()))
        .anyMatch(run.store().catalogue()::passesOver);
  }

  private static void sealedByTheNext(final ModelRun run, final String partition)
      throws IOException {
    final Path first = sealed(run, partition);
    run.store().open(StoreFixture.segment(first.getParent(), 1), CREATE).close();
  }

  @Test
  void whatIsTooMuchGoesDownWhileAnAgeIsReadAndHangs() throws Exception {
    final CountDownLatch released = new CountDownLatch(1);
    final AtomicInteger hanging = new AtomicInteger();
    try (ModelRun run =
        run(false, 0.1)
            .with(
                segment -> {
                  if (Thread.currentThread().getName().startsWith("headpond-migrate")) {
                    hanging.incrementAndGet();
                    uninterruptibly(released);
                  }
                  return 0;
                })
            .with("headpond.placement.max.age", "1h")) {
      run.start();
      run.store()
          .tiers()
          .get(0)
          .forEach(directory -> directory.space.adopt(directory.capacityBytes));
      sealedByTheNext(run, "home0/t-0");
      run.stop();
      run.start(); // of what a start finds nobody has looked at the age
      await("the age of what lies at home is read", () -> hanging.get() > 0);
      for (int i = 0; i < PARTITIONS; i++) {
        sealedByTheNext(run, "home1/t-" + i);
      }
      await("what is too much goes down", () -> run.store().facts().count(Count.DOWN_SEGMENTS) > 0);
      assertThat(hanging).hasValue(1);
      released.countDown(); // before the store waits for its threads
    }
  }

  private static void uninterruptibly(final CountDownLatch latch) {
    boolean interrupted = false;
    while (latch.getCount() > 0) {
      try {
        latch.await();
      } catch (final InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void anotherHomesNamesAndSpaceDontWaitForAHungOne() throws Exception {
    try (ModelRun run = run(true, -1)) {
      run.start();
      final List<Path> hungToo = new ArrayList<>();
      for (int i = 0; i < PARTITIONS; i++) {
        hungToo.add(sealed(run, "home0/t-" + i));
      }
      final List<FileChannel> channels = new ArrayList<>();
      try (HungCalls hung = hung(run, ModelFaults.Call.FORCE)) {
        for (int i = 0; i < PARTITIONS; i++) {
          run.store().delete(hungToo.get(i));
          channels.add(run.store().open(segment(run, "home0/u-" + i), CREATE));
        }
        await("names hang", () -> hung.hanging("headpond-names") > 0);
        await("reclaiming hangs", () -> hung.hanging("headpond-reclaim") > 0);
        final Path name = within20Seconds(() -> sealed(run, "home1/t-0"));
        assertThat(run.store().facts().count(Count.RECLAIMED_FILES)).isZero();
        run.store().delete(name);
        await("space came back", () -> run.store().facts().count(Count.RECLAIMED_FILES) == 1);
      }
      for (final FileChannel channel : channels) {
        channel.close();
      }
    }
  }
}
