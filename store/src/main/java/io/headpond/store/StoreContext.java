// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import io.headpond.store.config.StoreConfig;
import io.headpond.store.facts.Counters;
import io.headpond.store.facts.TimeSource;
import io.headpond.store.home.Homes;
import io.headpond.store.layout.SegmentName;
import io.headpond.store.migrate.Pace;
import io.headpond.store.segment.ColdReads;
import io.headpond.store.tier.TopicCounters;
import java.nio.file.Path;

/**
 * The shared parts of an open store. Immutable but for its counters. Any thread.
 *
 * @param bootMs when the machine started, milliseconds since 1970
 */
record StoreContext(
    StoreConfig config,
    Counters counters,
    TopicCounters topics,
    DataAge dataAge,
    Homes homes,
    Pace pace,
    ColdReads coldReads,
    long bootMs,
    TimeSource time) {

  /** True for a segment of a topic that stays home, by its name {@code partition/segment}. */
  boolean staysHome(final Path name) {
    return config.homeOnly().match(SegmentName.topic(name.getParent().getFileName().toString()));
  }
}
