// SPDX-License-Identifier: Apache-2.0
package io.headpond.observe;

/** The document that answers {@code /api/status}. Any thread. */
@FunctionalInterface
public interface StatusJson {
  /**
   * The document.
   *
   * @param sinceMs history after that moment only, milliseconds since 1970
   */
  String json(long sinceMs);
}
