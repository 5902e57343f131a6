// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.layout;

import java.nio.file.FileSystemException;
import java.nio.file.Path;

/** A small file of Headpond's holds what nobody of its kind has written. */
public final class DamagedFileException extends FileSystemException {
  private static final long serialVersionUID = 1L;

  DamagedFileException(final Path file, final String reason) {
    super(file.toString(), null, reason);
  }
}
