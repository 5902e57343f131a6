// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper.ledger;

import io.headpond.bookkeeper.BookieSettings;
import io.headpond.store.config.ConfigKey;
import io.headpond.store.config.ConfigValues;
import java.util.List;
import java.util.OptionalLong;

/** The keys of tiered ledgers, in the bookie's own configuration file, each declared once. */
public final class LedgerKeys {
  /** The prefix of all of them; any other key with it is refused. */
  public static final String PREFIX = BookieSettings.LEDGER_KEYS;

  /** The directories of new entry logs. */
  public static final ConfigKey<List<String>> FAST_DIRECTORIES =
      new ConfigKey<>(
          PREFIX + "fast.directories",
          "absolute paths, comma separated",
          "required",
          "The directories on the fast device, one for each of ledgerDirectories, in the same"
              + " order. New entry logs are created there.",
          ConfigValues::list);

  /** The bytes of it that may be used. */
  public static final ConfigKey<OptionalLong> FAST_CAPACITY =
      new ConfigKey<>(
          PREFIX + "fast.capacity",
          "size (200GiB)",
          "what the file system has, less 2 %",
          "Bytes that entry logs may use in each of the fast directories. If journals are on the"
              + " same device, leave room for them.",
          (values, key) -> values.size(key, 0));

  /** The used share that migration steers to. */
  public static final ConfigKey<Double> MIGRATE_THRESHOLD =
      new ConfigKey<>(
          PREFIX + "migrate.threshold",
          "share of the capacity (0.5), or -1",
          "0.5",
          "The used share that migration aims at in each of the fast directories. Above it the"
              + " oldest sealed entry logs move to the ledger directory. 0: each sealed one"
              + " moves. -1: none moves; new ones are created in the ledger directory while the"
              + " fast one is full.",
          ConfigValues::threshold);

  /** The limit of a move's speed. */
  public static final ConfigKey<Long> MIGRATE_RATE =
      new ConfigKey<>(
          PREFIX + "migrate.bytes.per.second",
          "size (200MiB), or -1",
          "-1",
          "Most bytes that migration copies in a second, for each of the fast directories. -1: as"
              + " fast as the devices and the bookie's own writes of entry logs allow.",
          ConfigValues::rate);

  /** The ballast at home. */
  public static final ConfigKey<Long> HOME_BALLAST =
      new ConfigKey<>(
          PREFIX + "home.ballast",
          "size (512MiB); 0: none",
          "512MiB",
          "Space that a file in each ledger directory really takes, at most 2 % of the file system."
              + " With it a bookie goes on above diskUsageThreshold while the fast device has room"
              + " for entry logs: when others have filled the ledger directory's disk, the ballast is"
              + " given back step by step, so that the index and checkpoints still have room; at its"
              + " last quarter the bookie becomes read-only as by diskUsageThreshold. It is taken"
              + " again when there is room. 0, or an index on another file system: BookKeeper's own"
              + " rule alone.",
          ConfigValues::bytes);

  /** All keys, in the order of the reference page. */
  public static final List<ConfigKey<?>> ALL =
      List.of(FAST_DIRECTORIES, FAST_CAPACITY, MIGRATE_THRESHOLD, MIGRATE_RATE, HOME_BALLAST);

  private LedgerKeys() {}
}
