// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut;

import java.io.IOException;
import java.util.List;

/**
 * The counters of a guest's two disks at one moment.
 *
 * @param home where data stay
 * @param fast the other one
 */
record BothDisks(DiskCounters home, DiskCounters fast) {
  static final BothDisks NOTHING = new BothDisks(DiskCounters.NOTHING, DiskCounters.NOTHING);

  /** Shell words that a guest writes behind the first word of a report's line. */
  static final String SHELL = "$(cat /sys/block/vdc/stat) $(cat /sys/block/vdd/stat)";

  /** As a line of a report has them. */
  static BothDisks of(List<String> words) throws IOException {
    int each = words.size() / 2;
    return new BothDisks(
        DiskCounters.of(words.subList(0, each)), DiskCounters.of(words.subList(each, 2 * each)));
  }

  /** Since earlier ones. */
  BothDisks since(BothDisks earlier) {
    return new BothDisks(home.since(earlier.home), fast.since(earlier.fast));
  }
}
