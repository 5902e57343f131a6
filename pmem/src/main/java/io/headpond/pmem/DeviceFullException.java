// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

import java.io.IOException;
import java.nio.file.Path;

/**
 * A device, or the capacity configured for it, has no room left. The file that could not grow keeps
 * its bytes up to its end.
 */
public final class DeviceFullException extends IOException {
  private static final long serialVersionUID = 1L;

  private final transient Path file;

  /** A cause may be missing. */
  public DeviceFullException(Path file, String detail, Throwable cause) {
    super(file + ": " + detail, cause);
    this.file = file;
  }

  /** The file that could not grow. */
  public Path file() {
    return file;
  }
}
