// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import io.headpond.store.event.StoreRefusedException;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** What an engine must be told when a device fails: which file, and what the device said. */
final class FaultWords {
  private FaultWords() {}

  private static String said(final Throwable e) {
    return e.getClass().getSimpleName() + ": " + e.getMessage();
  }

  /**
   * Looks at whether an error names a file, and nothing else.
   *
   * @param root above all simulated devices
   */
  static void checkFile(final Throwable e, final Path root) {
    if (!(e instanceof IOException || e instanceof StoreRefusedException)
        || e instanceof ClosedChannelException
        || e instanceof NoSuchFileException) {
      throw new AssertionError("an engine takes this for something else: " + said(e), e);
    }
    if (!e.getMessage().contains(root.toString())) {
      throw new AssertionError("the message names no file: " + said(e), e);
    }
  }

  /**
   * Looks at an error.
   *
   * @param root above all simulated devices
   */
  static void check(final Throwable e, final Path root) {
    checkFile(e, root);
    final String said = said(e);
    for (final ModelFaults.Reason reason : ModelFaults.Reason.values()) {
      if (reason.words.stream().anyMatch(e.getMessage()::contains)) {
        return;
      }
    }
    if (e.getCause() instanceof ClosedByInterruptException
        && e.getMessage().contains("interrupted")) {
      return; // an interrupt that came with a fault, and closed the next file
    }
    if (!e.getMessage().contains("unsafe memory access")
        && !(e instanceof FileAlreadyExistsException)) { // all that Files.createDirectories tells
      throw new AssertionError("the message doesn't say what the device said: " + said, e);
    }
  }
}
