// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.results;

import java.util.Locale;

/**
 * Something that must be said wherever a figure is shown.
 *
 * @param name VOLATILE, EMULATED, EPHEMERAL, UNKNOWN, LIMITED, NOISY, THROTTLED, NOT COMPARABLE,
 *     NOT VALID or INCOMPLETE
 * @param reason in words
 */
public record Label(String name, String reason) {

  static Label noisy(double share) {
    return new Label(
        "NOISY",
        String.format(
            Locale.ROOT, "something else used %.0f %% of the processors meanwhile", 100 * share));
  }

  static Label throttled(String reason) {
    return new Label("THROTTLED", reason);
  }

  @Override
  public String toString() {
    return name + ": " + reason;
  }
}
