// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.tier;

import io.headpond.store.migrate.Candidate;
import java.nio.file.Path;
import java.util.OptionalLong;

/** A segment as it was when the {@link Catalogue} was asked for it; immutable. */
public record SegmentCandidate(
    CatalogueEntry entry,
    Path name,
    TierDirectory directory,
    long bytes,
    boolean active,
    boolean existing,
    double rank,
    long downAtMs,
    long lastAppendMs,
    OptionalLong newestMs)
    implements Candidate<TierDirectory> {
  @Override
  public Path home() {
    return name.getParent().getParent();
  }

  /** The same of another length. */
  public SegmentCandidate ofBytes(final long now) {
    return new SegmentCandidate(
        entry, name, directory, now, active, existing, rank, downAtMs, lastAppendMs, newestMs);
  }
}
