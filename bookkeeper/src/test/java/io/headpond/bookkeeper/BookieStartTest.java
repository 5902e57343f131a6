// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class BookieStartTest {
  private static final Duration NEVER = Duration.ofDays(1);

  private final CountDownLatch testEnds = new CountDownLatch(1);

  @Test
  void aJournalWaitsForTheWatcherOfItsOwnBookie() throws Exception {
    CompletableFuture<Boolean> returned = new CompletableFuture<>();
    watcher(7002);
    Thread journal = journal(7001, NEVER, returned);
    // It sleeps between two looks: the other bookie's watcher didn't let it go.
    Await.until(() -> journal.getState() == Thread.State.TIMED_WAITING);
    assertThat(returned).isNotDone();
    watcher(7001);
    assertThat(returned.get()).as("interrupted").isFalse();
    testEnds.countDown();
  }

  @Test
  void aJournalWithoutAWatcherWaitsNoLongerThanTheLimit() throws Exception {
    CompletableFuture<Boolean> returned = new CompletableFuture<>();
    journal(7003, Duration.ofMillis(50), returned);
    assertThat(returned.get()).as("interrupted").isFalse();
  }

  @Test
  void aJournalThatIsInterruptedDoesntWait() throws Exception {
    CompletableFuture<Boolean> returned = new CompletableFuture<>();
    journal(7004, NEVER, returned).interrupt();
    assertThat(returned.get()).as("interrupted").isTrue();
  }

  @Test
  void anotherThreadDoesntWait() {
    BookieStart.awaitEnd(NEVER);
  }

  /** Completes the future with whether it is interrupted when it comes back. */
  private static Thread journal(int port, Duration limit, CompletableFuture<Boolean> returned) {
    return start(
        "BookieJournal-" + port,
        () -> {
          BookieStart.awaitEnd(limit);
          returned.complete(Thread.currentThread().isInterrupted());
        });
  }

  private void watcher(int port) {
    start(
        "BookieDeathWatcher-" + port,
        () -> {
          try {
            testEnds.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
  }

  private static Thread start(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    thread.start();
    return thread;
  }
}
