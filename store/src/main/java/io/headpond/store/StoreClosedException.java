// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

/** This process doesn't own the tiers: not yet, or not any more. */
public final class StoreClosedException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  StoreClosedException() {
    super("only the owner of the tiers knows");
  }
}
