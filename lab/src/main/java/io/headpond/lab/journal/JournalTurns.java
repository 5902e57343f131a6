// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.journal;

import io.headpond.cli.measure.Spread;
import io.headpond.lab.bookkeeper.journal.JournalSlice;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.ToDoubleFunction;

/** The turns of one journal under one load. Not safe for use by several threads. */
final class JournalTurns {
  private final JournalProcess journal;
  private final int entryBytes;
  private final int underWay;
  private final Optional<BlockCounter> counter;
  private final List<JournalSlice> slices = new ArrayList<>();
  private final List<Double> deviceBytesPerByte = new ArrayList<>();

  /**
   * None as yet.
   *
   * @param underWay as {@link JournalBench.Options#underWay}
   * @param counter of the journal's device; empty: nobody counts what it writes
   */
  JournalTurns(
      JournalProcess journal, int entryBytes, int underWay, Optional<BlockCounter> counter) {
    this.journal = journal;
    this.entryBytes = entryBytes;
    this.underWay = underWay;
    this.counter = counter;
  }

  /** A turn that doesn't count. */
  JournalSlice warmUp(Duration time, long bytesPerSecond) throws IOException, InterruptedException {
    return journal.run(entryBytes, time, bytesPerSecond, underWay);
  }

  /** One more turn. */
  void turn(Duration time, long bytesPerSecond) throws IOException, InterruptedException {
    OptionalLong before = written();
    JournalSlice slice = journal.run(entryBytes, time, bytesPerSecond, underWay);
    OptionalLong after = written();
    slices.add(slice);
    if (before.isPresent() && after.isPresent()) {
      deviceBytesPerByte.add((double) (after.getAsLong() - before.getAsLong()) / slice.bytes());
    }
  }

  private OptionalLong written() {
    return counter.map(BlockCounter::writtenBytes).orElse(OptionalLong.empty());
  }

  /** The last turn. */
  JournalSlice last() {
    return slices.get(slices.size() - 1);
  }

  Spread bytesPerSecond() {
    return Spread.of(values(JournalSlice::bytesPerSecond));
  }

  Spread cpuNanosPerByte() {
    return Spread.of(values(JournalSlice::cpuNanosPerByte));
  }

  /** Null where none is measured. */
  JournalBenchReport.Latency latency() {
    return underWay == 0
        ? null
        : new JournalBenchReport.Latency(
            Spread.of(values(JournalSlice::medianNanos)),
            Spread.of(values(JournalSlice::p99Nanos)));
  }

  /** Null where nobody counts what the device writes. */
  Spread deviceBytesPerByte() {
    return deviceBytesPerByte.isEmpty() ? null : Spread.of(deviceBytesPerByte);
  }

  /** The spread of the rounds' ratios to another's; null: there is none. */
  Spread ratio(JournalTurns baseline, ToDoubleFunction<JournalSlice> figure) {
    return Spread.ofRatios(values(figure), baseline.values(figure)).orElse(null);
  }

  private List<Double> values(ToDoubleFunction<JournalSlice> figure) {
    return slices.stream().map(figure::applyAsDouble).toList();
  }
}
