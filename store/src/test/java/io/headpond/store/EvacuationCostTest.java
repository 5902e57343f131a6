// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import static io.headpond.store.StoreFixture.CREATE;
import static io.headpond.store.StoreFixture.append;
import static io.headpond.store.StoreFixture.bytes;
import static io.headpond.store.StoreFixture.segment;
import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.store.facts.Count;
import io.headpond.store.layout.SegmentMove;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Calls of home's disk that an append waits for when it finds its tier full. */
class EvacuationCostTest {
  private static final int KIB = 1 << 10;
  private static final long SEED = 7;

  @AutoClose private ModelRun run;

  @BeforeEach
  void makeTier() throws IOException {
    run = new ModelRun(ModelRun.Setup.of(false, "file"), SEED);
    run.with("headpond.tier.t0.capacity", "1MiB");
  }

  /** The calls that concern the copy of a segment of 900 KiB, before it has its name. */
  private int callsOfCopy(final ModelFaults.Call counted) throws IOException {
    final TieredStore store = run.store();
    run.disk.createDirectory(run.real("home0/t-0"));
    final AtomicInteger calls = new AtomicInteger();
    try (FileChannel channel = store.open(segment(run.path("home0/t-0"), 0), CREATE)) {
      append(channel, bytes(900 * KIB, 1));
      run.disk.schedule(
          (call, path, made) -> {
            if (!made
                && call == counted
                && SegmentMove.isTemporary(path.getFileName().toString())) {
              calls.incrementAndGet();
            }
          });
      append(channel, bytes(200 * KIB, 2));
    }
    assertThat(store.counters().sum(Count.EVACUATED_SEGMENTS)).isOne();
    return calls.get();
  }

  @Test
  void aCopyWithItsAttributesIsForcedOnce() throws IOException {
    run.start();
    assertThat(callsOfCopy(ModelFaults.Call.FORCE)).isOne();
  }

  @Test
  void aCopyIsNotReadAgain() throws IOException {
    run.start();
    assertThat(callsOfCopy(ModelFaults.Call.READ)).isZero();
  }
}
