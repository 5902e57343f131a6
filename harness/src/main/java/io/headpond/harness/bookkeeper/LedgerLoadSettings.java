// SPDX-License-Identifier: Apache-2.0
package io.headpond.harness.bookkeeper;

import io.headpond.harness.load.Pace;
import java.util.Properties;

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

  /** Other writers. */
  public LedgerLoadSettings writers(int number, int entriesUnderWay) {
    return new LedgerLoadSettings(
        metadataUri,
        number,
        quorum,
        entryBytes,
        varied,
        entriesUnderWay,
        bytesPerSecond,
        pace,
        entriesPerLedger,
        prepared,
        seed);
  }

  /** Other numbers of bookies. */
  public LedgerLoadSettings quorum(LedgerQuorum other) {
    return new LedgerLoadSettings(
        metadataUri,
        writers,
        other,
        entryBytes,
        varied,
        window,
        bytesPerSecond,
        pace,
        entriesPerLedger,
        prepared,
        seed);
  }

  /** Other entries. */
  public LedgerLoadSettings entries(int bytes, boolean vary, boolean madeBefore) {
    return new LedgerLoadSettings(
        metadataUri,
        writers,
        quorum,
        bytes,
        vary,
        window,
        bytesPerSecond,
        pace,
        entriesPerLedger,
        madeBefore,
        seed);
  }

  /** Another limit. */
  public LedgerLoadSettings bytesPerSecond(long limit) {
    return new LedgerLoadSettings(
        metadataUri,
        writers,
        quorum,
        entryBytes,
        varied,
        window,
        limit,
        pace,
        entriesPerLedger,
        prepared,
        seed);
  }

  /** Adds that are due at certain times. */
  public LedgerLoadSettings pace(Pace due) {
    return new LedgerLoadSettings(
        metadataUri,
        writers,
        quorum,
        entryBytes,
        varied,
        window,
        bytesPerSecond,
        due,
        entriesPerLedger,
        prepared,
        seed);
  }

  /** Another length of ledgers. */
  public LedgerLoadSettings entriesPerLedger(long entries) {
    return new LedgerLoadSettings(
        metadataUri,
        writers,
        quorum,
        entryBytes,
        varied,
        window,
        bytesPerSecond,
        pace,
        entries,
        prepared,
        seed);
  }

  /** For the file that the client's process reads. */
  Properties toProperties() {
    Properties p = new Properties();
    p.setProperty("metadataUri", metadataUri);
    p.setProperty("writers", Integer.toString(writers));
    p.setProperty("ensemble", Integer.toString(quorum.ensemble()));
    p.setProperty("writeQuorum", Integer.toString(quorum.written()));
    p.setProperty("ackQuorum", Integer.toString(quorum.answered()));
    p.setProperty("delayEnsembleChange", Boolean.toString(quorum.goesOn()));
    p.setProperty("entryBytes", Integer.toString(entryBytes));
    p.setProperty("varied", Boolean.toString(varied));
    p.setProperty("window", Integer.toString(window));
    p.setProperty("bytesPerSecond", Long.toString(bytesPerSecond));
    p.setProperty("pace", pace.encode());
    p.setProperty("entriesPerLedger", Long.toString(entriesPerLedger));
    p.setProperty("prepared", Boolean.toString(prepared));
    p.setProperty("seed", Long.toString(seed));
    return p;
  }

  /** The reverse of what a {@link LedgerLoad} hands to its process. */
  public static LedgerLoadSettings from(Properties p) {
    return new LedgerLoadSettings(
        p.getProperty("metadataUri"),
        Integer.parseInt(p.getProperty("writers")),
        new LedgerQuorum(
            Integer.parseInt(p.getProperty("ensemble")),
            Integer.parseInt(p.getProperty("writeQuorum")),
            Integer.parseInt(p.getProperty("ackQuorum")),
            Boolean.parseBoolean(p.getProperty("delayEnsembleChange"))),
        Integer.parseInt(p.getProperty("entryBytes")),
        Boolean.parseBoolean(p.getProperty("varied")),
        Integer.parseInt(p.getProperty("window")),
        Long.parseLong(p.getProperty("bytesPerSecond")),
        Pace.decode(p.getProperty("pace")),
        Long.parseLong(p.getProperty("entriesPerLedger")),
        Boolean.parseBoolean(p.getProperty("prepared")),
        Long.parseLong(p.getProperty("seed")));
  }
}
