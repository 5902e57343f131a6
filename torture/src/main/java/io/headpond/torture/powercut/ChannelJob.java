// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut;

import io.headpond.torture.powercut.guest.PowerCutCheck;
import io.headpond.torture.powercut.guest.PowerCutWriter;

/**
 * The job of the guest in a campaign with the bare store.
 *
 * @param seed of the campaign
 */
record ChannelJob(long seed) {
  static final String LOG_DIRECTORY = "/home/logs";

  private static final String PORT = "/dev/report";

  /** From now on the guest's kernel doesn't flush the fast disk. */
  private static final String HIDE_CACHE =
      "echo 'write through' >/sys/block/vdd/queue/write_cache || exit 13\n";

  /** Compares what is there; needs the file {@code living}. */
  String check(Setup setup) {
    return "mkdir -p "
        + LOG_DIRECTORY
        + " /fast/tier /pmem/tier\n"
        + setup.command(PowerCutCheck.class)
        + String.format(" %d %s /app/living %s || exit 10\n", seed, LOG_DIRECTORY, PORT);
  }

  /**
   * The same, and then writes; needs the file {@code headpond.properties} too.
   *
   * @param records to append; 0: no end
   * @param bootSeed rolls, deletions and the like follow from it
   */
  String write(Setup setup, long records, int bootSeed) {
    return check(setup)
        + (setup.tier() == Setup.Tier.UNFLUSHED ? HIDE_CACHE : "")
        + setup.command(PowerCutWriter.class)
        + String.format(
            " %d %s /app/headpond.properties %s %s %d %d || exit 11\n",
            seed, LOG_DIRECTORY, setup.tier().directory, PORT, records, bootSeed);
  }

  /** The same as {@link #check}, and then brings all segments home. */
  String drain(Setup setup, DrainJob drain) {
    return check(setup) + drain.script(setup, LOG_DIRECTORY);
  }
}
