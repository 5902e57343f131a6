// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

/** State of a device's persisted bytes after a power cut. */
public enum Durability {
  /**
   * They are there afterwards: a disk after a force, or persistent memory that says so in sysfs.
   */
  DURABLE,

  /**
   * The device behaves like persistent memory but nothing proves that it keeps its bytes: memory
   * declared by {@code memmap=}, an emulated NVDIMM without a persistence domain.
   */
  EMULATED,

  /** They are gone: tmpfs, ramfs, a RAM disk. */
  VOLATILE
}
