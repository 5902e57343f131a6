// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.bookkeeper.speed;

/**
 * One load.
 *
 * @param entryBytes size of every entry
 * @param window adds that may wait for their answer
 */
public record LoadPoint(int entryBytes, int window) {}
