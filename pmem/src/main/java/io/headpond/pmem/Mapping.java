// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

/**
 * Mode in which windows are mapped and stored to.
 *
 * @param backend what makes a store durable
 * @param sync map with {@code MAP_SYNC}: the device is DAX, and JEP352 or LIBPMEM stores to it
 */
record Mapping(PersistBackend backend, boolean sync) {
  /** True when a plain write must be forced before it counts as written. */
  boolean forcesWrites() {
    return backend.durableAtReturn() && backend != PersistBackend.DSYNC;
  }

  /** True when the JVM writes the cache lines back that a store has changed. */
  boolean writesBack() {
    return backend == PersistBackend.JEP352;
  }
}
