// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.migrate;

import java.time.Duration;
import java.util.List;

/**
 * The configuration of policies.
 *
 * @param age {@code headpond.migrate.age}: how old a segment's last append may be in a fast tier
 * @param alwaysUp {@code headpond.migrate.pin.up}: topic patterns, {@code *} for any characters
 * @param neverUp {@code headpond.migrate.pin.home}: topic patterns
 */
public record PolicySettings(Duration age, List<String> alwaysUp, List<String> neverUp) {

  /** Copies the lists. */
  public PolicySettings {
    alwaysUp = List.copyOf(alwaysUp);
    neverUp = List.copyOf(neverUp);
  }
}
