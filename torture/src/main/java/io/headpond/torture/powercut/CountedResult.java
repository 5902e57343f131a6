// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut;

/**
 * The counts of one {@link CountedWay}.
 *
 * @param way as {@code --ways} names it
 * @param recordsAcknowledged each appended and forced alone
 * @param bytesAcknowledged of their keys and values
 * @param load written to both disks from the load's begin to its end
 * @param settled the same until what only the fast disk had came home
 * @param lost what is left if power and fast disk go at the load's end
 * @param lostSettled the same after all came home
 */
record CountedResult(
    String way,
    long recordsAcknowledged,
    long bytesAcknowledged,
    BothDisks load,
    BothDisks settled,
    Remains lost,
    Remains lostSettled) {}
