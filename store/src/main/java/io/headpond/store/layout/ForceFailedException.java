// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.layout;

import java.io.IOException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.file.Path;

/**
 * A force failed. The kernel may have dropped what it couldn't write, so that a second try would
 * succeed and make nothing durable: whatever it was isn't forced again until the next start.
 */
public final class ForceFailedException extends IOException {
  private static final long serialVersionUID = 1L;

  /** The failure itself, or an earlier one of the same file or directory. */
  public ForceFailedException(final Path path, final IOException cause) {
    super(
        path
            + ": can't be forced ("
            + cause.getMessage()
            + "), and isn't tried again until the next start: what was done to it last may not"
            + " survive a power cut",
        cause);
  }

  /** The exception for a force that ended because its channel was closed. */
  public static IOException interrupted(final AsynchronousCloseException e) {
    return new IOException("interrupted while it was forced, so that its outcome is unknown", e);
  }
}
