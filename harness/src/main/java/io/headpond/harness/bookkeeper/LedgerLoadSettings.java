// SPDX-License-Identifier: Apache-2.0
package io.headpond.harness.bookkeeper;

import io.headpond.harness.load.Fields;
import io.headpond.harness.load.Pace;
import java.util.Map;

/**
 * The settings of a {@link LedgerLoad}.
 *
 * @param metadataUri as {@link ZooKeeperNode#metadataUri} gives it
 * @param writers number of ledgers written at a time, each by a thread of its own
 * @param quorum how many bookies have an entry
 * @param entryBytes size of an entry, or its mean if {@code varied}
 * @param varied whether sizes go from half to one and a half of {@code entryBytes}
 * @param window adds of a writer that may wait for their answer
 * @param bytesPerSecond limit over all writers; 0: none
 * @param pace when adds are due, from which their latencies count then
 * @param entriesPerLedger after so many a new ledger is begun. Every other ledger is never closed
 * @param prepared whether up to a thousand entries are made before and sent again and again, so
 *     that making them costs nothing
 * @param seed all content follows from it
 */
public record LedgerLoadSettings(
    String metadataUri,
    int writers,
    LedgerQuorum quorum,
    int entryBytes,
    boolean varied,
    int window,
    long bytesPerSecond,
    Pace pace,
    long entriesPerLedger,
    boolean prepared,
    long seed) {

  /** Two writers of entries of about 1 KiB on one bookie, 64 under way each. */
  public static LedgerLoadSettings of(String metadataUri, long seed) {
    return new LedgerLoadSettings(
        metadataUri,
        2,
        new LedgerQuorum(1, 1, 1, false),
        1024,
        true,
        64,
        0,
        Pace.FULL_SPEED,
        20_000,
        false,
        seed);
  }

  /** Another cluster with the same ledgers. */
  public LedgerLoadSettings in(String otherMetadataUri) {
    return Fields.with(this, Map.of("metadataUri", otherMetadataUri));
  }

  /** Other writers. */
  public LedgerLoadSettings writers(int number, int entriesUnderWay) {
    return Fields.with(this, Map.of("writers", number, "window", entriesUnderWay));
  }

  /** Other numbers of bookies. */
  public LedgerLoadSettings quorum(LedgerQuorum other) {
    return Fields.with(this, Map.of("quorum", other));
  }

  /** Other entries. */
  public LedgerLoadSettings entries(int bytes, boolean vary, boolean madeBefore) {
    return Fields.with(this, Map.of("entryBytes", bytes, "varied", vary, "prepared", madeBefore));
  }

  /** Another limit. */
  public LedgerLoadSettings bytesPerSecond(long limit) {
    return Fields.with(this, Map.of("bytesPerSecond", limit));
  }

  /** Adds that are due at certain times. */
  public LedgerLoadSettings pace(Pace due) {
    return Fields.with(this, Map.of("pace", due));
  }

  /** Another length of ledgers. */
  public LedgerLoadSettings entriesPerLedger(long entries) {
    return Fields.with(this, Map.of("entriesPerLedger", entries));
  }
}
