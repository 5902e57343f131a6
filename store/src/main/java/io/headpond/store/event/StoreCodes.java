// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.event;

import java.util.List;
import java.util.stream.Stream;

/**
 * All codes that the store has for an operator.
 *
 * <p>{@code docs/errors.md} is made from {@link #ALL}, and from the other modules' lists.
 */
public final class StoreCodes {
  /** All of them, in the order of the reference page. */
  public static final List<EventCode> ALL =
      Stream.of(StartCodes.ALL, PlaceCodes.ALL, BackgroundCodes.ALL).flatMap(List::stream).toList();

  private StoreCodes() {}
}
