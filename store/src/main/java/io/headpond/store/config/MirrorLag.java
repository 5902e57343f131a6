// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.config;

/** Behaviour of appends while a tier's mirror is further behind than it may be. */
public enum MirrorLag {
  /** They wait, as long as home is merely slow. */
  WAIT,

  /** They go on. */
  CONTINUE
}
