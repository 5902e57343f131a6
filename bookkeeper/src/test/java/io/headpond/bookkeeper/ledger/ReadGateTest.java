// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ReadGateTest {
  private final ReadGate gate = new ReadGate();
  private final AtomicInteger closes = new AtomicInteger();

  private boolean close(final long log) throws InterruptedException {
    return gate.closed(log, closes::incrementAndGet);
  }

  @Test
  void nobodyReadsWhileALogIsClosed() throws Exception {
    final CountDownLatch reading = new CountDownLatch(1);
    final CountDownLatch done = new CountDownLatch(1);
    final Thread reader =
        new Thread(
            () -> {
              final long stamp = gate.enter(7);
              reading.countDown();
              try {
                done.await();
              } catch (final InterruptedException e) {
                throw new AssertionError(e);
              } finally {
                gate.exit(7, stamp);
              }
            });
    reader.start();
    reading.await();
    assertThat(close(7)).isFalse();
    assertThat(close(8)).isTrue();
    done.countDown();
    reader.join();
    assertThat(close(7)).isTrue();
    assertThat(closes).hasValue(2);
  }

  @Test
  void aScanIsNotWaitedForAndMayBeNested() throws Exception {
    gate.beginScan(7);
    gate.beginScan(7);
    gate.endScan(7);
    assertThat(close(7)).isFalse();
    final long stamp = gate.enter(7); // reads go on beside it
    gate.exit(7, stamp);
    gate.endScan(7);
    assertThat(close(7)).isTrue();
  }
}
