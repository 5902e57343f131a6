// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import io.headpond.store.facts.Count;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The counters of a broker over its lives, added up. Each life begins at zero, and one that ended
 * by SIGKILL counts with what it had published last, so every sum is a lower bound. One thread at a
 * time.
 */
public final class OwnerLives {

  /** One process; a process id alone may come back. */
  private record Life(long pid, long startedMs) {}

  private final Path tier;
  private final Map<Life, OwnerCounters> lives = new LinkedHashMap<>();

  /**
   * @param tier the first directory of the first tier
   */
  public OwnerLives(Path tier) {
    this.tier = tier;
  }

  /** Reads the counters again; about once a second there is something new. */
  public void look() throws IOException {
    Optional<OwnerCounters> found = OwnerCounters.newest(List.of(tier));
    found.ifPresent(
        counters -> lives.put(new Life(counters.get("pid"), counters.get("started.ms")), counters));
  }

  /** A counter of all lives together, as far as seen. */
  public long sum(Count count) {
    return sum(count.key());
  }

  /** The sum of a counter. */
  public long sum(String key) {
    return lives.values().stream().mapToLong(counters -> counters.get(key)).sum();
  }
}
