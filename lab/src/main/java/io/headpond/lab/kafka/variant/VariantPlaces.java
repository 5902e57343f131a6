// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.kafka.variant;

import io.headpond.pmem.Device;
import io.headpond.pmem.Durability;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The two devices that variants of a broker have their logs on. */
public final class VariantPlaces {

  private final Device fast;
  private final Device home;
  private final boolean durableAppends;

  /**
   * Refuses devices on which one of {@code variants} wouldn't be what its name says.
   *
   * @param durableAppends whether each append of Headpond's is durable before it is acknowledged
   */
  public VariantPlaces(Path fast, Path home, Collection<Variant> variants, boolean durableAppends)
      throws IOException {
    this.durableAppends = durableAppends;
    this.fast = Device.detect(fast);
    this.home = Device.detect(home);
    if (variants.contains(Variant.VANILLA_TMPFS) && !this.fast.fileSystemType().equals("tmpfs")) {
      throw new IOException(
          fast
              + " is "
              + this.fast.fileSystemType()
              + ", and vanilla-tmpfs needs tmpfs there; leave it out of what is compared");
    }
    if (this.home.fileSystemType().equals("tmpfs") && variants.stream().anyMatch(Variant::onDisk)) {
      throw new IOException(
          home
              + " is tmpfs, and what is compared needs a disk there; leave "
              + variants.stream()
                  .filter(Variant::onDisk)
                  .map(Variant::key)
                  .collect(Collectors.joining(", "))
              + " out, or name a folder on disk");
    }
  }

  /** The places of the logs of {@code variants} by their keys, in words. */
  public Map<String, String> of(List<Variant> variants) {
    Map<String, String> all = new LinkedHashMap<>();
    variants.forEach(variant -> all.put(variant.key(), describe(variant)));
    return all;
  }

  /** The place of the variant's log, and what its device keeps, in words. */
  private String describe(Variant variant) {
    return switch (variant) {
      case HEADPOND -> "tier on " + tier();
      case VANILLA_TMPFS, VANILLA_FAST -> "log directory on " + text(fast);
      case VANILLA_FORCED ->
          "log directory on " + text(home) + ", each append forced (flush.messages=1)";
      case VANILLA_DISK ->
          "log directory on " + text(home) + ", nothing forced before it is acknowledged";
    };
  }

  private String tier() {
    return text(fast)
        + (durableAppends ? ", each append durable (headpond.durability=append)" : "")
        + "; home with its indexes on "
        + text(home);
  }

  /** True if a power cut takes what Headpond's tier holds. */
  public boolean fastIsVolatile() {
    return fast.durability() == Durability.VOLATILE;
  }

  private static String text(Device device) {
    String name = device.directory() + " (" + device.fileSystemType();
    return device.durability() == Durability.DURABLE
        ? name + ")"
        : name + ", " + device.durability() + ")";
  }
}
