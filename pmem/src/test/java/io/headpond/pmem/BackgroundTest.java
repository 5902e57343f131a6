// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Threads that survive what their work throws. */
@Timeout(60)
class BackgroundTest {
  private final List<String> reports = new CopyOnWriteArrayList<>();
  private final Background background =
      new Background((name, failures, cause) -> reports.add(name + ": " + cause.getMessage()));

  @Test
  void aLoopGoesOnAfterWhateverItsTurnThrows() throws Exception {
    List<Throwable> thrown =
        List.of(
            new OutOfMemoryError("no memory"),
            new StackOverflowError(),
            new IllegalStateException(),
            new AssertionError(),
            new Exception());
    AtomicInteger turns = new AtomicInteger();
    Thread thread =
        background.loop(
            "loop",
            () -> {
              int turn = turns.getAndIncrement();
              if (turn < thrown.size()) {
                BackgroundTest.<RuntimeException>throwAny(thrown.get(turn));
              }
              return turn < 10;
            });
    thread.start();
    thread.join();
    assertThat(turns).hasValue(11);
    assertThat(background.failures()).isEqualTo(thrown.size());
    assertThat(background.deadThreads()).isZero();
    assertThat(reports).as("not a flood").containsExactly("loop: no memory");
  }

  @Test
  void aThreadThatTheSystemDoesNotHaveIsReported() {
    Background poor =
        Background.startedBy(
            thread -> {
              throw new OutOfMemoryError("unable to create native thread");
            },
            (name, failures, cause) -> reports.add(name + ": " + cause.getMessage()));
    assertThat(poor.start(poor.loop("loop", () -> false))).isFalse();
    assertThat(poor.start(poor.loop("loop", () -> false))).isFalse();
    assertThat(poor.failures()).isEqualTo(2);
    assertThat(reports).as("not a flood").containsExactly("loop: unable to create native thread");
  }

  @Test
  void aThreadThatEndedBeforeItsWorkIsNoticed() throws Exception {
    Background dying =
        new Background(
            (name, failures, cause) -> {},
            nanos -> {
              throw new OutOfMemoryError("not even a pause");
            });
    Thread thread =
        dying.loop(
            "loop",
            () -> {
              throw new OutOfMemoryError("no memory");
            });
    thread.setUncaughtExceptionHandler((ended, cause) -> {});
    thread.start();
    thread.join();
    assertThat(dying.deadThreads()).isEqualTo(1);
    assertThat(dying.failures()).isEqualTo(1);
  }

  @Test
  void aClockTicksOnAfterAnError() throws Exception {
    CountDownLatch ticks = new CountDownLatch(3);
    try (Background.Clock clock = background.clock("clock")) {
      clock.every(
          () -> {
            ticks.countDown();
            throw new OutOfMemoryError("no memory");
          },
          0,
          1,
          TimeUnit.MILLISECONDS);
      ticks.await();
    }
    assertThat(background.failures()).isGreaterThanOrEqualTo(3);
    assertThat(reports).containsExactly("clock: no memory");
  }

  @Test
  void aPoolGoesOnAfterAnError() throws Exception {
    ThreadPoolExecutor pool = background.pool("pool", 1, 1);
    CountDownLatch done = new CountDownLatch(1);
    pool.execute(
        () -> {
          throw new OutOfMemoryError("no memory");
        });
    pool.execute(done::countDown);
    done.await();
    pool.shutdown();
    assertThat(background.failures()).isEqualTo(1);
    assertThat(reports).containsExactly("pool: no memory");
  }

  @Test
  void aFullPoolLetsTheCallerDoTheWork() throws Exception {
    ThreadPoolExecutor pool = background.pool("pool", 1, 1);
    CountDownLatch goOn = new CountDownLatch(1);
    AtomicInteger done = new AtomicInteger();
    Runnable waiting =
        () -> {
          try {
            goOn.await();
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
          done.incrementAndGet();
        };
    pool.execute(waiting);
    pool.execute(waiting);
    AtomicInteger byCaller = new AtomicInteger();
    pool.execute(byCaller::incrementAndGet);
    assertThat(byCaller).hasValue(1);
    goOn.countDown();
    pool.shutdown();
    assertThat(pool.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
    assertThat(done).hasValue(2);
  }

  @Test
  void aReportThatFailsEndsNoThread() throws Exception {
    Background unable =
        new Background(
            (name, failures, cause) -> {
              throw new OutOfMemoryError("no memory for words");
            });
    AtomicInteger turns = new AtomicInteger();
    Thread thread =
        unable.loop(
            "loop",
            () -> {
              if (turns.getAndIncrement() < 3) {
                throw new OutOfMemoryError("no memory");
              }
              return false;
            });
    thread.start();
    thread.join();
    assertThat(turns).hasValue(4);
    assertThat(unable.failures()).isGreaterThanOrEqualTo(3);
  }

  @SuppressWarnings("unchecked")
  private static <T extends Throwable> void throwAny(Throwable thrown) throws T {
    throw (T) thrown;
  }
}
