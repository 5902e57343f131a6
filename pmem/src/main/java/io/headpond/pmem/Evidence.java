// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

import java.util.Comparator;
import java.util.List;

/**
 * The durability of a device, and what shows it.
 *
 * @param durability one word
 * @param reason in words; of a durable disk what its forces do
 */
record Evidence(Durability durability, String reason) {
  static Evidence unknown(String reason) {
    return new Evidence(Durability.UNKNOWN, reason);
  }

  /** Of bytes that are spread over several devices, or need all of them: the first of the worst. */
  static Evidence worst(List<Evidence> all) {
    return all.stream().max(Comparator.comparing(Evidence::durability)).orElseThrow();
  }
}
