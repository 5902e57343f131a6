// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

import java.util.Arrays;
import java.util.stream.Collectors;

/** State of a device's persisted bytes after a power cut. Declared from the best to the worst. */
public enum Durability {
  /**
   * They are there afterwards, and sysfs shows why: a disk after a force, or persistent memory with
   * a persistence domain.
   */
  DURABLE("a power cut leaves what was forced"),

  /**
   * They outlive a power cut or a reboot, but not the machine: the instance storage of a cloud,
   * empty after a stop or a move to other hardware.
   */
  EPHEMERAL("its content is gone when the cloud stops or moves the machine"),

  /** Nothing shows what a force makes durable: a file system elsewhere, a device without facts. */
  UNKNOWN("nothing shows what a force makes durable there"),

  /**
   * The device behaves like persistent memory but nothing proves that it keeps its bytes: memory
   * declared by {@code memmap=}, an emulated NVDIMM without a persistence domain.
   */
  EMULATED("nothing proves that its device survives a power cut"),

  /** They are gone: tmpfs, ramfs, a RAM disk. */
  VOLATILE("a power cut or a reboot empties it");

  private final String meaning;

  Durability(String meaning) {
    this.meaning = meaning;
  }

  /** The meanings of all words but {@link #DURABLE}, as sentences. */
  public static String glossary() {
    return Arrays.stream(values())
        .filter(each -> each != DURABLE)
        .map(each -> each + ": " + each.meaning + ".")
        .collect(Collectors.joining(" "));
  }

  /** Consequence for stored bytes, in words that follow the device's name. */
  public String meaning() {
    return meaning;
  }
}
