// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.migrate;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** {@code pinned}: topics that always stay up or never come up, and another policy for the rest. */
final class PinnedPolicy implements MigrationPolicy {
  private final List<Pattern> alwaysUp;
  private final List<Pattern> neverUp;
  private final MigrationPolicy rest;

  PinnedPolicy(final PolicySettings settings, final MigrationPolicy rest) {
    alwaysUp = settings.alwaysUp().stream().map(PinnedPolicy::pattern).toList();
    neverUp = settings.neverUp().stream().map(PinnedPolicy::pattern).toList();
    this.rest = rest;
  }

  private static Pattern pattern(final String topics) {
    return Pattern.compile(
        Pattern.compile("\\*")
            .splitAsStream(topics + "\0")
            .map(part -> part.replace("\0", ""))
            .map(Pattern::quote)
            .collect(Collectors.joining(".*")));
  }

  private static boolean any(final List<Pattern> patterns, final String topic) {
    for (final Pattern pattern : patterns) {
      if (pattern.matcher(topic).matches()) {
        return true;
      }
    }
    return false;
  }

  @Override
  public double rank(final SegmentFacts segment) {
    if (any(neverUp, segment.topic())) {
      return NEVER_UP;
    }
    return any(alwaysUp, segment.topic()) ? ALWAYS_UP : rest.rank(segment);
  }

  @Override
  public long downAtMs(final SegmentFacts segment) {
    return any(alwaysUp, segment.topic()) ? Long.MAX_VALUE : rest.downAtMs(segment);
  }

  @Override
  public double swapMargin() {
    return rest.swapMargin();
  }
}
