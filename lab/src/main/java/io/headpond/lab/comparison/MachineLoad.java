// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.comparison;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.StringTokenizer;

/**
 * The load of the machine's processors, by the first line of {@code /proc/stat} (proc(5)): a figure
 * measured while something else ran means little, and whoever reads it should know.
 *
 * @param busyTicks of all processors since boot, also those stolen by a hypervisor's other guests
 * @param idleTicks likewise, when nothing waited for a device
 * @param waitingTicks likewise, when something did
 */
public record MachineLoad(long busyTicks, long idleTicks, long waitingTicks) {

  private static final Path STAT = Path.of("/proc/stat");
  private static final int IDLE = 3;
  private static final int IOWAIT = 4;

  /** The last field that counts: what follows (guest time) is part of the first ones. */
  private static final int STEAL = 7;

  /** Since boot. */
  public static MachineLoad soFar() throws IOException {
    return of(Files.readAllLines(STAT).get(0));
  }

  static MachineLoad of(String line) {
    StringTokenizer fields = new StringTokenizer(line.substring("cpu".length()));
    long busy = 0;
    long idle = 0;
    long waiting = 0;
    for (int i = 0; i <= STEAL && fields.hasMoreTokens(); i++) {
      long ticks = Long.parseLong(fields.nextToken());
      if (i == IDLE) {
        idle += ticks;
      } else if (i == IOWAIT) {
        waiting += ticks;
      } else {
        busy += ticks;
      }
    }
    return new MachineLoad(busy, idle, waiting);
  }

  /**
   * The share of all processors, 0 to 1, that neither engine nor load generator used since {@code
   * start}; work that the kernel does for them in threads of its own counts here too.
   *
   * @param own processor time of engine and load generator over the same time
   */
  public double othersShare(MachineLoad start, Duration own, long elapsedNanos, int processors) {
    double busy = busyTicks - start.busyTicks;
    long all = ticks() - start.ticks();
    return all == 0
        ? 0
        : Math.max(0, busy / all - own.toNanos() / ((double) elapsedNanos * processors));
  }

  /**
   * The share of all processors, 0 to 1, that worked or waited for a device since {@code start}.
   */
  double activeShare(MachineLoad start) {
    long all = ticks() - start.ticks();
    return all == 0 ? 0 : 1 - (idleTicks - start.idleTicks) / (double) all;
  }

  private long ticks() {
    return busyTicks + idleTicks + waitingTicks;
  }
}
