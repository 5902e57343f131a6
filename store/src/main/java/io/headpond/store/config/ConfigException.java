// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.config;

/** A configuration that Headpond refuses; the message names the file, the key and the reason. */
public final class ConfigException extends Exception {
  private static final long serialVersionUID = 1L;

  /**
   * A refusal.
   *
   * @param source where the key stands
   * @param reason what is wrong, and what would be right
   */
  public ConfigException(final String source, final String key, final String reason) {
    super(source + ": " + key + ": " + reason);
  }

  ConfigException(final String source, final String reason, final Throwable cause) {
    super(source + ": " + reason, cause);
  }
}
