// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut;

/** The device of a guest that an engine's tier, journal or new entry logs lie on. */
public enum FastDevice {
  /** Emulated persistent memory, by FSDAX. */
  NVDIMM("/pmem"),

  /** A disk of its own, apart from home's. */
  DISK("/fast");

  private final String mount;

  FastDevice(String mount) {
    this.mount = mount;
  }

  /** A directory of it in the guest. */
  String directory(String name) {
    return mount + "/" + name;
  }
}
