// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.claim;

import io.headpond.store.config.StoreConfig;
import io.headpond.store.config.TierConfig;
import io.headpond.store.event.PlainText;
import io.headpond.store.event.StartCodes;
import io.headpond.store.event.StoreRefusedException;
import io.headpond.store.layout.HomeIdentity;
import io.headpond.store.layout.LogDirScan;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * The check of a log directory's links at the owner's start: every link must lead to a file in one
 * of the configured tiers. Writes nothing. One thread at a time.
 */
final class LinkCheck {
  private static final int NAMES_SHOWN_MAX = 2;

  private final StoreConfig config;
  private long checked;

  /** The tier of a segment that is missing. */
  private String lostFrom;

  /** Nothing was checked yet. */
  LinkCheck(final StoreConfig config) {
    this.config = config;
  }

  /**
   * Scans a log directory.
   *
   * @param logDir its real path
   * @param home its identifier; any, if it has none yet
   * @param segments takes all segments that are found
   * @return the tier files that links lead to
   * @throws StoreRefusedException if a link leads elsewhere, nowhere, or where another one leads
   */
  Set<Path> check(final Path logDir, final UUID home, final List<LogDirScan.Entry> segments)
      throws IOException {
    final Set<Path> folders =
        config
            .tierPaths()
            .map(tier -> HomeIdentity.segments(tier, home))
            .collect(Collectors.toUnmodifiableSet());
    final Map<Path, Path> linked = new HashMap<>(); // each file with its name
    final List<String> lost = new ArrayList<>();
    final List<String> outside = new ArrayList<>();
    LogDirScan.scan(
        logDir,
        entry -> {
          segments.add(entry);
          if (!entry.linked()) {
            return;
          }
          final Path other = linked.putIfAbsent(entry.target(), entry.name());
          if (other != null) {
            throw StartCodes.LINK_COPIED.refusal(other, entry.name(), entry.target());
          }
          final Path folder = entry.target().getParent();
          if (folder == null || !folders.contains(folder)) {
            outside.add(entry.name() + " -> " + entry.target());
          } else if (entry.lost()) {
            lost.add(entry.name() + " -> " + entry.target());
            lostFrom = tierOf(entry.target());
          }
        });
    checked += linked.size();
    if (!outside.isEmpty()) {
      throw StartCodes.LINKS_OUTSIDE.refusal(logDir, shown(outside), config.source(), logDir);
    }
    if (!lost.isEmpty()) {
      throw StartCodes.SEGMENTS_MISSING.refusal(
          logDir, shown(lost), "headpond recover " + config.source() + " --tier " + lostFrom);
    }
    return linked.keySet();
  }

  private String tierOf(final Path target) {
    return config.tiers().stream()
        .filter(tier -> tier.paths().stream().anyMatch(target::startsWith))
        .map(TierConfig::name)
        .findFirst()
        .orElseThrow();
  }

  /** The number of links that led somewhere else than all others. */
  long checked() {
    return checked;
  }

  private static String shown(final List<String> names) {
    return PlainText.first(NAMES_SHOWN_MAX, names);
  }
}
