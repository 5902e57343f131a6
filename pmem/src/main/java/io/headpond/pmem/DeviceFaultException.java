// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

import java.io.IOException;
import java.nio.file.Path;

/**
 * A device failed: a page that could not be stored to, an I/O error, a file changed behind its
 * owner's back.
 */
public final class DeviceFaultException extends IOException {
  private static final long serialVersionUID = 1L;

  private final transient Path file;

  /** A cause may be missing. */
  public DeviceFaultException(Path file, String detail, Throwable cause) {
    super(file + ": " + detail, cause);
    this.file = file;
  }

  /** The file whose bytes could not be stored. */
  public Path file() {
    return file;
  }
}
