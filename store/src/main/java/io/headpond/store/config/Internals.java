// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.config;

import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Values that only tests and experiments change, with system properties of the JVM. No page names
 * them.
 *
 * @param cachesCopies whether copies at home go through the page cache; empty: the store decides
 */
public record Internals(Optional<Boolean> cachesCopies) {
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
        Optional.ofNullable(property.apply(PREFIX + "caches.copies")).map(Boolean::valueOf));
  }
}
