// SPDX-License-Identifier: Apache-2.0
package io.headpond.harness.bookkeeper;

/**
 * The numbers of bookies that store what a client writes.
 *
 * @param ensemble bookies of a ledger
 * @param written bookies that an entry is sent to
 * @param answered bookies that must have answered before an entry is acknowledged
 * @param goesOn whether the client leaves a bookie that fails in the ensemble while enough others
 *     answer ({@code delayEnsembleChange}); otherwise another one must take its place at once
 */
public record LedgerQuorum(int ensemble, int written, int answered, boolean goesOn) {

  /** The default of Pulsar's {@code broker.conf}: the third of three bookies is the spare one. */
  public static final LedgerQuorum TWO = new LedgerQuorum(2, 2, 2, false);

  /** All of three bookies; while one is dead, the other two are enough. */
  public static final LedgerQuorum THREE = new LedgerQuorum(3, 3, 2, true);

  /** One of the constants by its {@link #toString}. */
  public static LedgerQuorum of(String text) {
    for (LedgerQuorum quorum : new LedgerQuorum[] {TWO, THREE}) {
      if (quorum.toString().equals(text)) {
        return quorum;
      }
    }
    throw new IllegalArgumentException(
        "of three bookies one may die with the quorum " + TWO + " or " + THREE + ", not " + text);
  }

  /** Ensemble, write quorum, ack quorum, as {@code 2-2-2}. */
  @Override
  public String toString() {
    return ensemble + "-" + written + "-" + answered;
  }
}
