// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.config;

import java.time.Duration;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Values that only tests and experiments change, with system properties of the JVM. No page names
 * them.
 *
 * @param mapsMemory whether tiers and journals in memory are mapped, as if it were DAX
 * @param idle the time without an append after which an active segment releases its mapping and the
 *     space grown ahead
 * @param upAfter the time after a move down out of a tier, for want of room, before something moves
 *     up into it
 * @param heatHalfLife the time after which a read counts half
 * @param cachesCopies whether copies at home go through the page cache; empty: the store decides
 */
public record Internals(
    boolean mapsMemory,
    Duration idle,
    Duration upAfter,
    Duration heatHalfLife,
    Optional<Boolean> cachesCopies) {
  /** The prefix of all properties. */
  public static final String PREFIX = "headpond.internal.";

  /** This JVM's. */
  public static Internals ofSystem() {
    return of(System::getProperty);
  }

  /**
   * Reads the values.
   *
   * @param property answers a property's value; null: its default
   */
  public static Internals of(final UnaryOperator<String> property) {
    return new Internals(
        Boolean.parseBoolean(property.apply(PREFIX + "maps.memory")),
        duration(property, "idle", "30s"),
        duration(property, "up.after", "5m"),
        duration(property, "heat.half.life", "10m"),
        Optional.ofNullable(property.apply(PREFIX + "caches.copies")).map(Boolean::valueOf));
  }

  private static Duration duration(
      final UnaryOperator<String> property, final String name, final String standard) {
    final String value = property.apply(PREFIX + name);
    return ConfigValues.duration(value == null ? standard : value);
  }
}
