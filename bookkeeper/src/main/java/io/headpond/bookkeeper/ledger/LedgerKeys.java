// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper.ledger;

import io.headpond.store.ConfigKey;
import java.util.List;

/** The keys of tiered ledgers, in the bookie's own configuration file, each declared once. */
public final class LedgerKeys {
  /** What all of them begin with; any other key that does is refused. */
  public static final String PREFIX = "headpond.ledger.";

  /** Where new entry logs go. */
  public static final ConfigKey FAST_DIRECTORIES =
      new ConfigKey(
          PREFIX + "fast.directories",
          "absolute paths, comma separated",
          "required",
          "The directories on the fast device, one for each of ledgerDirectories in their order: new"
              + " entry logs are created there.");

  /** How much of it may be used. */
  public static final ConfigKey FAST_CAPACITY =
      new ConfigKey(
          PREFIX + "fast.capacity",
          "size (200GiB)",
          "what the file system has, less 2 %",
          "Bytes that entry logs may use in each of the fast directories; where journals lie on the"
              + " same device, what they need must be left out.");

  /** The used share that migration steers to. */
  public static final ConfigKey MIGRATE_THRESHOLD =
      new ConfigKey(
          PREFIX + "migrate.threshold",
          "share of the capacity (0.5), or -1",
          "0.5",
          "The used share that migration steers each of the fast directories to: above it the oldest"
              + " sealed entry logs go to the ledger directory. 0: every sealed one. -1: none; new"
              + " ones go to the ledger directory when the fast one is full.");

  /** How fast. */
  public static final ConfigKey MIGRATE_RATE =
      new ConfigKey(
          PREFIX + "migrate.bytes.per.second",
          "size (200MiB), or -1",
          "-1",
          "What migration copies in a second at most, for each of the fast directories; -1: as fast"
              + " as the devices and the bookie's own writing of entry logs allow.");

  /** Whether copies are read again. */
  public static final ConfigKey MIGRATE_READ_BACK =
      new ConfigKey(
          PREFIX + "migrate.read.back",
          "true | false",
          "false",
          "Read every copy again and compare its checksum before it replaces the source.");

  /** How long orphans are kept. */
  public static final ConfigKey QUARANTINE_GRACE =
      new ConfigKey(
          PREFIX + "quarantine.grace",
          "duration (7d)",
          "7d",
          "How long a file in a fast directory that no name in the ledger directory leads to is kept"
              + " in quarantine before it is deleted.");

  /** All keys, in the order of the reference page. */
  public static final List<ConfigKey> ALL =
      List.of(
          FAST_DIRECTORIES,
          FAST_CAPACITY,
          MIGRATE_THRESHOLD,
          MIGRATE_RATE,
          MIGRATE_READ_BACK,
          QUARANTINE_GRACE);

  private LedgerKeys() {}
}
