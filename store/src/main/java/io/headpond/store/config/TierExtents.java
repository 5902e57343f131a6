// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.config;

/**
 * The way in which a file tier's files grow where each append is durable ({@code
 * headpond.tier.NAME.extents}).
 */
public enum TierExtents {
  /** Zeros are written ahead of the appends where the file system writes in place. */
  AUTO,
  /** An append makes its file longer, and its force commits the file system's journal. */
  GROWING
}
