// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import io.headpond.store.event.PlainText;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Locale;

/**
 * One thing that a check found.
 *
 * @param severity whether data is wrong
 * @param kind a stable word for scripts, {@code snake_case} in JSON
 * @param path the file or directory
 * @param detail what is wrong with it, and where a remedy exists, that
 */
record Finding(Severity severity, Kind kind, Path path, String detail) {

  enum Severity {
    /** Data is wrong, missing or at risk. */
    PROBLEM,
    /** Worth knowing; nothing is lost, and the next start takes care of it. */
    NOTE
  }

  enum Kind {
    MISSING_TIER,
    FOREIGN_TIER,
    DAMAGED_IDENTITY,
    DUPLICATE_HOME,
    LOST_SEGMENT,
    LOST_WRITES,
    LINK_OUTSIDE_TIERS,
    SHARED_TIER_FILE,
    UNREADABLE,
    CORRUPT_BATCH,
    CORRUPT_ENTRY_LOG,
    CORRUPT_JOURNAL,
    DAMAGED_GROUP,
    MISSING_JOURNAL,
    OFFSETS_NOT_INCREASING,
    OVERLAPPING_SEGMENTS,
    ZERO_TAIL,
    TORN_TAIL,
    TORN_GROUP,
    ORPHAN,
    QUARANTINED,
    SET_ASIDE,
    UNFINISHED_MOVE,
    DANGLING_DELETED;

    /** As scripts see it. */
    String key() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** As an operator reads it. */
    String words() {
      return key().replace('_', ' ');
    }
  }

  static Finding problem(Kind kind, Path path, String detail) {
    return new Finding(Severity.PROBLEM, kind, path, detail);
  }

  static Finding note(Kind kind, Path path, String detail) {
    return new Finding(Severity.NOTE, kind, path, detail);
  }

  /** A file or directory that couldn't be read. */
  static Finding unreadable(Path path, IOException cause) {
    return problem(
        Kind.UNREADABLE,
        path,
        cause instanceof NoSuchFileException
            ? cause.getMessage() + " isn't there"
            : PlainText.reason(cause));
  }

  boolean isProblem() {
    return severity == Severity.PROBLEM;
  }
}
