// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.config;

/** The use of the page cache by copies at home ({@code headpond.migrate.cache}). */
public enum MigrateCache {
  /** As long as the page cache could hold everything that is above home. */
  AUTO,
  /** Copies go through the page cache. */
  ALWAYS,
  /** Copies go past the page cache, where the file system lets them. */
  NEVER
}
