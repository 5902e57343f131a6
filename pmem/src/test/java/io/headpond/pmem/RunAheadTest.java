// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RunAheadTest {
  /** A client that keeps its thread until released. */
  private static final class Blocking implements RunAhead.Client {
    final CountDownLatch begun = new CountDownLatch(1);
    final CountDownLatch release = new CountDownLatch(1);
    final AtomicInteger dropped = new AtomicInteger();

    @Override
    public void runAhead() {
      begun.countDown();
      try {
        release.await();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }

    @Override
    public void runAheadDropped() {
      dropped.incrementAndGet();
    }
  }

  @Test
  void theQueueIsBoundedAndSaysSo() throws Exception {
    RunAhead runAhead =
        new RunAhead(
            new Background((name, failures, cause) -> {}), "ahead", 1, 3, System::nanoTime);
    Blocking inWork = new Blocking();
    assertThat(runAhead.submit(inWork)).isTrue();
    inWork.begun.await();
    List<Blocking> queued = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      queued.add(new Blocking());
      assertThat(runAhead.submit(queued.get(i))).isTrue();
    }
    assertThat(runAhead.submit(new Blocking())).isFalse();

    Thread closer = new Thread(runAhead::close);
    closer.start();
    while (!runAhead.closed()) {
      Thread.onSpinWait();
    }
    inWork.release.countDown();
    closer.join();

    assertThat(queued).allSatisfy(each -> assertThat(each.dropped).hasValue(1));
    assertThat(queued).allSatisfy(each -> assertThat(each.begun.getCount()).isEqualTo(1));
    assertThat(runAhead.submit(new Blocking())).isFalse();
  }

  @Test
  void aFailingFileDoesNotStopTheOthers() throws Exception {
    try (RunAhead runAhead =
        new RunAhead(new Background((name, failures, cause) -> {}), "ahead", 1)) {
      runAhead.submit(
          new RunAhead.Client() {
            @Override
            public void runAhead() {
              throw new OutOfMemoryError("expected by this test");
            }

            @Override
            public void runAheadDropped() {}
          });
      Blocking next = new Blocking();
      next.release.countDown();
      runAhead.submit(next);
      next.begun.await();
    }
  }

  @Test
  void afterARefusedMappingThereIsAPauseAndOneWarning() {
    try (RunAhead runAhead =
        new RunAhead(new Background((name, failures, cause) -> {}), "ahead", 1)) {
      assertThat(runAhead.mappingPaused()).isFalse();
      assertThat(runAhead.pauseMapping()).isTrue();
      assertThat(runAhead.mappingPaused()).isTrue();
      assertThat(runAhead.pauseMapping()).isFalse();
    }
  }

  @Test
  void aThreadThatIsMissingIsAskedForAgainLater() throws Exception {
    AtomicBoolean poor = new AtomicBoolean(true);
    AtomicLong nanos = new AtomicLong();
    Background background =
        Background.startedBy(
            thread -> {
              if (poor.get()) {
                throw new OutOfMemoryError("unable to create native thread");
              }
              thread.start();
            },
            (name, failures, cause) -> {});
    try (RunAhead runAhead = new RunAhead(background, "ahead", 1, 3, nanos::get)) {
      Blocking work = new Blocking();
      work.release.countDown();
      assertThat(runAhead.submit(work)).isFalse();
      poor.set(false);
      assertThat(runAhead.submit(work)).as("too soon").isFalse();
      assertThat(background.failures()).isEqualTo(1);
      nanos.addAndGet(TimeUnit.MINUTES.toNanos(1));
      assertThat(runAhead.submit(work)).isTrue();
      work.begun.await();
    }
  }

  @Test
  void withoutAThreadThereIsNoRunAhead() {
    assertThatThrownBy(
            () -> new RunAhead(new Background((name, failures, cause) -> {}), "ahead", 0))
        .hasMessageContaining("at least one");
  }
}
