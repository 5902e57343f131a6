// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/**
 * Something that happens in a real engine, and that a cut should come into the middle of.
 *
 * @param name as results count it
 * @param said a part of a line that the guest reports or its engine logs when it begins
 * @param lastsMillis at least
 */
record EngineMoment(String name, String said, int lastsMillis) {
  private static final String MOVE = "MOVE";
  private static final long LIMIT_NANOS = 5_000_000_000L;
  private static final long POLL_MILLIS = 5;

  /** A file is copied from the fast device home. */
  static final EngineMoment MIGRATION = new EngineMoment("migration", MOVE, 0);

  /** A part of the guest's job, beside the engine: tells of copies in a folder. */
  static String reportMoves(String folder) {
    return ("(while :; do for f in " + folder + "/*.move; do [ -e \"$f\" ] && echo " + MOVE)
        + " >/dev/report; done; usleep 50000; done) &\n";
  }

  /**
   * Waits for one of those that were hit least and, if it doesn't come, for any of them; in some
   * boots for nothing.
   *
   * @param hits cuts and instants of the campaign so far, by what they came into the middle of
   * @return what has begun; nothing if the cut comes by chance
   */
  static List<String> await(
      List<EngineMoment> all, Boot boot, Map<String, Integer> hits, Random random)
      throws IOException, InterruptedException {
    if (random.nextInt(all.size() + 1) == 0) {
      return List.of();
    }
    Optional<EngineMoment> begun =
        awaitFirst(List.of(Rarest.of(all, EngineMoment::name, hits, random)), boot);
    if (begun.isEmpty()) {
      begun = awaitFirst(all, boot);
    }
    if (begun.isEmpty()) {
      return List.of();
    }
    Thread.sleep(random.nextInt(begun.get().lastsMillis() + 1));
    return List.of(begun.get().name());
  }

  /** The first of some that begins from now on; nothing if none does for a while. */
  private static Optional<EngineMoment> awaitFirst(List<EngineMoment> wanted, Boot boot)
      throws IOException, InterruptedException {
    int reported = boot.lines().size();
    int logged = boot.consoleLines().size();
    long limit = System.nanoTime() + LIMIT_NANOS;
    while (System.nanoTime() < limit) {
      boot.check();
      List<String> said = new ArrayList<>(after(reported, boot.lines()));
      said.addAll(after(logged, boot.consoleLines()));
      for (EngineMoment each : wanted) {
        if (said.stream().anyMatch(line -> line.contains(each.said()))) {
          return Optional.of(each);
        }
      }
      Thread.sleep(POLL_MILLIS);
    }
    return Optional.empty();
  }

  private static List<String> after(int before, List<String> lines) {
    return lines.subList(before, lines.size());
  }
}
