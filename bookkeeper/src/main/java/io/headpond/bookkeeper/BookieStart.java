// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The start of the bookie that a journal belongs to.
 *
 * <p>What ends the process of a bookie whose journal has failed is BookKeeper's death watcher, the
 * last thread that {@code BookieServer#start} makes (4.16 to 4.18). If the bookie has ended before,
 * that method returns without a word, and the process stays and serves nothing. So a journal that
 * can't even begin waits for the watcher before it fails.
 */
final class BookieStart {
  /** Followed by the bookie's port, as are the watcher's. */
  private static final String JOURNAL = "BookieJournal-";

  private static final String WATCHER = "BookieDeathWatcher-";

  /** Longer than registering with a slow ZooKeeper takes. */
  private static final Duration LIMIT = Duration.ofSeconds(30);

  private static final long POLL_MILLIS = 20;

  private BookieStart() {}

  /**
   * On a bookie's journal thread, returns when the bookie is watched over, or after half a minute;
   * on another thread, and when it is interrupted, at once.
   */
  static void awaitEnd() {
    awaitEnd(LIMIT);
  }

  static void awaitEnd(Duration limit) {
    String name = Thread.currentThread().getName();
    if (!name.startsWith(JOURNAL)) {
      return;
    }
    String watcher = WATCHER + name.substring(JOURNAL.length());
    long from = System.nanoTime();
    while (!running(watcher) && System.nanoTime() - from < limit.toNanos()) {
      try {
        TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  private static boolean running(String name) {
    return Thread.getAllStackTraces().keySet().stream().anyMatch(t -> t.getName().equals(name));
  }
}
