// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

/** Mechanism that makes a mapped store durable. */
public enum PersistBackend {
  /** libpmem's non-temporal copy, called without the JNI; Java 22 or newer, DAX (or tmpfs). */
  LIBPMEM("libpmem"),

  /** JEP 352: a {@code MAP_SYNC} mapping and cache-line write-back by the JVM; DAX only. */
  JEP352("jep352"),

  /** A shared mapping and nothing else: memory that tests and experiments take for DAX. */
  NONE("none"),

  /**
   * No mapping: a write that forces its own bytes ({@code O_DSYNC}, open(2)), into extents that
   * hold zeros written before, so that no commit of the file system's journal belongs to it. Only
   * where a file system writes in place ({@link Device#writesInPlace}).
   */
  DSYNC("dsync"),

  /**
   * No mapping: memory and disks are written to, and whoever writes forces. A {@link MappedFile}
   * writes zeros ahead of what is forced, as with {@link #DSYNC}.
   */
  WRITE("write");

  private final String key;

  PersistBackend(String key) {
    this.key = key;
  }

  /** The name in metrics and messages. */
  public String key() {
    return key;
  }

  /** True when a store is durable as soon as it returns, without a force. */
  public boolean durableAtReturn() {
    return this == LIBPMEM || this == JEP352 || this == DSYNC;
  }

  /** True if files are stored to by mappings of them. */
  public boolean maps() {
    return this != DSYNC && this != WRITE;
  }
}
