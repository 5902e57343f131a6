// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.workload;

/** The distributions of keys; the names are those of the OpenMessaging Benchmark. */
public enum KeyDistribution {
  /** None. */
  NO_KEY,
  /** One after the other of a fixed set. */
  KEY_ROUND_ROBIN,
  /** Any of a fixed set. */
  RANDOM_NANO
}
