// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.event;

/**
 * The store can't be opened safely: a tier is missing, foreign or in use, a link is dangling. The
 * message names what, where and the remedy. Unchecked, so that an engine's start fails with it
 * instead of going on without the data. Made by {@link EventCode#refusal}.
 */
public final class StoreRefusedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient EventCode.Words words;

  StoreRefusedException(final EventCode.Words words, final Throwable cause) {
    super(words.text(), cause);
    this.words = words;
  }

  /** The message, with its remedy apart. */
  public EventCode.Words words() {
    return words;
  }
}
