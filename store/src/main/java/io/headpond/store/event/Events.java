// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.event;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The store's log for operators.
 *
 * <p>Design note: a class of its own because loading it starts the engine's logging, which reads
 * files through the default provider; that must not happen while the provider is being made.
 */
public final class Events {
  public static final Logger LOG = LoggerFactory.getLogger("io.headpond");

  private Events() {}
}
