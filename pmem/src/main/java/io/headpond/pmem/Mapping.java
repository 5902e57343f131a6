// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

/**
 * Mode in which windows are mapped and stored to.
 *
 * @param backend what makes a store durable
 * @param sync map with {@code MAP_SYNC}: the device is DAX, and JEP352 or LIBPMEM stores to it
 * @param persistEachWrite MSYNC: force the range of every store
 */
record Mapping(PersistBackend backend, boolean sync, boolean persistEachWrite) {
  /** True when a write must be durable when it returns. */
  boolean durableAtReturn() {
    return backend.durableAtReturn() || backend == PersistBackend.MSYNC && persistEachWrite;
  }

  /** True when a plain write must be forced before it counts as written. */
  boolean forcesWrites() {
    return durableAtReturn() && backend != PersistBackend.DSYNC;
  }

  BufferWindow.AfterStore afterStore() {
    return switch (backend) {
      case JEP352 -> BufferWindow.AfterStore.WRITE_BACK;
      case MSYNC ->
          persistEachWrite ? BufferWindow.AfterStore.MSYNC : BufferWindow.AfterStore.NOTHING;
      case NONE -> BufferWindow.AfterStore.NOTHING;
      case LIBPMEM -> throw new IllegalStateException("libpmem stores by itself");
      case DSYNC, WRITE ->
          throw new IllegalArgumentException("the back end '" + backend.key() + "' maps nothing");
    };
  }
}
