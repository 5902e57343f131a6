// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.soak;

import io.headpond.harness.process.EngineRelease;
import java.nio.file.Path;
import java.util.Random;

/**
 * The settings of a soak's bookie and its clients.
 *
 * @param folder of everything but the fast directories
 * @param journal of the bookie
 * @param fast where new entry logs are created
 * @param random of the bookie's own settings
 * @param seed that the entries follow from
 */
record BookieSoakSettings(
    EngineRelease release, Path folder, Path journal, Path fast, Random random, long seed) {

  /** The ledger directory. */
  Path ledgers() {
    return folder.resolve("ledgers");
  }

  /** The folder of the client's process. */
  Path client() {
    return folder.resolve("client");
  }
}
