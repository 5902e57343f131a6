// SPDX-License-Identifier: Apache-2.0
package io.headpond.bench.kafka.rig;

import io.headpond.bench.kafka.KafkaNode;

/** What the fast tier of a broker with Headpond does with data that gets old. */
public enum KafkaTier {
  /** It keeps all of it: what is measured is the append path. */
  KEEPS {
    @Override
    void configure(KafkaNode node) {
      node.set(THRESHOLD, "-1");
    }
  },
  /**
   * What wasn't written to for ten seconds goes home, so that a backlog lies there; the turns of a
   * few seconds that are measured beside it see no migration.
   */
  AGES {
    @Override
    void configure(KafkaNode node) {
      node.set(THRESHOLD, "1")
          .set("headpond.migrate.policy", "age")
          .set("headpond.migrate.age", "10s");
    }
  };

  private static final String THRESHOLD = "headpond.tier.fast.migrate.threshold";

  abstract void configure(KafkaNode node);
}
