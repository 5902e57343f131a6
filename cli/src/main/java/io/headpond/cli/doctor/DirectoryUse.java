// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.doctor;

/** The use of a directory, in the words of its findings. */
enum DirectoryUse {
  /** A tier, or a directory that may become one. */
  SEGMENTS("kafka", "a broker", "every segment in this tier"),

  /** A log directory. */
  HOME("kafka", "a broker", "every segment in this log directory"),

  /** A journal directory of a bookie. */
  JOURNAL("bookkeeper", "a bookie", "every entry that isn't in a flushed ledger yet"),

  /** A directory for a bookie's new entry logs. */
  ENTRY_LOGS(
      "bookkeeper", "a bookie", "every entry log that wasn't migrated to its ledger directory yet");

  final String user;
  final String engine;
  final String lost;

  DirectoryUse(String user, String engine, String lost) {
    this.user = user;
    this.engine = engine;
    this.lost = lost;
  }

  /** True if Headpond maps files there, or writes zeros ahead of forced writes. */
  boolean mayGrowAhead() {
    return this == SEGMENTS || this == JOURNAL;
  }

  /** User and group of the engine, where nothing shows others. */
  String owner() {
    return user + ":" + user;
  }
}
