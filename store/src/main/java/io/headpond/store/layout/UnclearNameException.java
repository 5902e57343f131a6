// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.layout;

import io.headpond.store.event.PlaceCodes;
import java.io.IOException;
import java.nio.file.Path;

/**
 * A rename failed, and a look at the name failed too: it leads to the segment's file as before, or
 * to its copy. Neither may be deleted, and nothing more may be written, until the next start has
 * looked.
 */
public final class UnclearNameException extends IOException {
  private static final long serialVersionUID = 1L;

  UnclearNameException(
      final Path name, final Path source, final Path copy, final Throwable rename) {
    super(PlaceCodes.NAME_UNCLEAR.text(name, source, copy, rename.getMessage()), rename);
  }
}
