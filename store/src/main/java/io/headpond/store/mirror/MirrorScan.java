// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.mirror;

import io.headpond.store.claim.OrphanSweep;
import io.headpond.store.event.Events;
import io.headpond.store.layout.LogDirScan;
import io.headpond.store.layout.MirrorName;
import io.headpond.store.layout.NameLook;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The look for mirrors that a former process has left, in the background of a start. Those that no
 * link needs are deleted.
 */
final class MirrorScan {
  /** Takes the segments that a start finds in tiers. */
  interface Found {
    /** True if it is to be mirrored. */
    boolean segment(Path tierFile, long bytes);
  }

  private final Path logDir;
  private final Found found;
  private final Predicate<String> known;

  /**
   * A look that is still to be taken.
   *
   * @param found takes what is to be mirrored
   * @param known does this process keep a mirror of this key?
   */
  MirrorScan(final Path logDir, final Found found, final Predicate<String> known) {
    this.logDir = logDir;
    this.found = found;
    this.known = known;
  }

  /**
   * Looks at the mirrors first: one that is made while the links are read is nobody's to delete.
   */
  void run() throws IOException {
    final List<Path> there = new ArrayList<>(NameLook.list(logDir));
    there.removeIf(file -> MirrorName.ofMirror(file) == null);
    final Set<String> needed = new HashSet<>();
    LogDirScan.scan(
        logDir,
        entry -> {
          final boolean isThere = entry.linked() && !entry.dangling();
          // Of a tier that is lost just now the mirrors are all that is left.
          if (entry.lost() || isThere && found.segment(entry.target(), entry.bytes())) {
            needed.add(MirrorName.ofTierFile(entry.target()));
          }
        });
    if (OrphanSweep.linkToNowhere(logDir).isPresent()) {
      return; // what is behind a link to a disk that isn't mounted may need any of them
    }
    for (final Path file : there) {
      final String key = MirrorName.ofMirror(file);
      if (!needed.contains(key) && !known.test(key)) {
        Events.LOG.debug("{}: no segment needs it", file);
        Files.deleteIfExists(file);
      }
    }
  }

  /**
   * Is a tier file that isn't there still a segment's? Then its tier is lost, and the mirror is all
   * that is left of it.
   *
   * @return true also if that can't be told
   */
  static boolean isSegments(final Path logDir, final Path tierFile) {
    final boolean[] found = new boolean[1];
    try {
      if (!NameLook.isDirectory(tierFile.getParent())
          || OrphanSweep.linkToNowhere(logDir).isPresent()) {
        return true;
      }
      LogDirScan.scan(
          logDir,
          entry ->
              found[0] |= tierFile.equals(entry.target()) && (!entry.dangling() || entry.lost()));
    } catch (final IOException unknown) {
      return true;
    }
    return found[0];
  }
}
