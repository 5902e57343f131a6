// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.scenario;

import io.headpond.lab.comparison.ComparedVariant;
import io.headpond.lab.comparison.CpuTime;
import java.time.Duration;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * A rig without an engine: nothing when it is first asked so often, then ten messages of a
 * millisecond and one failure whenever it is asked, and after the load's end five messages of a
 * second.
 *
 * @param begun gets a line for each load
 * @param silent how often it has done nothing yet
 * @param spent of what there is room for, from the beginning
 */
record FakeRig(ComparedVariant variant, List<String> begun, int silent, double spent)
    implements Rig {

  FakeRig(ComparedVariant variant, List<String> begun) {
    this(variant, begun, 0, 0);
  }

  static final long IN_TIME = 10;
  static final long LATE = 5;
  static final long FAILURES = 1;

  @Override
  public void start() {}

  @Override
  public RunningLoad begin(Point point) {
    begun.add(variant + ", " + point.text() + ", ramp " + point.rampSeconds());
    return new Load(silent, spent);
  }

  @Override
  public Duration quiet() {
    return Duration.ZERO;
  }

  @Override
  public CpuTime cpu() {
    return new CpuTime(Duration.ZERO, Duration.ZERO);
  }

  @Override
  public void check() {}

  @Override
  public void close() {}

  private static final class Load implements RunningLoad {

    private final double spent;
    private int silent;
    private boolean stopped;

    Load(int silent, double spent) {
      this.silent = silent;
      this.spent = spent;
    }

    @Override
    public LoadInterval interval() {
      if (silent-- > 0) {
        return LoadInterval.sum(List.of());
      }
      long messages = stopped ? LATE : IN_TIME;
      Histogram latency = new Histogram(PointRun.LATENCY_MAX_NANOS, PointRun.DIGITS);
      latency.recordValueWithCount(stopped ? 1_000_000_000 : 1_000_000, messages);
      return new LoadInterval(messages, messages * 1024, latency, FAILURES);
    }

    @Override
    public double spent() {
      return spent;
    }

    @Override
    public void stop() {
      stopped = true;
    }

    @Override
    public void close() {}
  }
}
