// SPDX-License-Identifier: Apache-2.0
package io.headpond.observe;

/** What {@code /api/status} is answered with. Any thread. */
@FunctionalInterface
interface StatusJson {
  /**
   * The document.
   *
   * @param sinceMs history after that moment only, milliseconds since 1970
   */
  String json(long sinceMs);
}
