// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import java.util.Locale;

/** Parts of {@code headpond-lab published}, in order, each measured with engines of its own. */
enum PublishedPart {
  /** Bookies with one journal: the rates, the highest throughput, the limit. */
  BOOKIES,

  /** Bookies with more journals: the highest throughput, the limit. */
  JOURNALS,

  /** The limit, large messages, a backlog. */
  BROKERS,

  /** A load that never ends. */
  STEADY,

  BURSTS,

  /** Nodes that die, one of three; not with {@code --quick}. */
  DEATHS;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
