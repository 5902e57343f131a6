// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Tells a full device from a failing one. */
final class Failures {
  /** Below this the device counts as full even if the message is in another language. */
  private static final long NEARLY_NOTHING_BYTES = 1 << 20;

  private Failures() {}

  /** The failure as the exception this package promises; {@code doing} says what failed. */
  static IOException classify(Path file, String doing, IOException failure) {
    if (failure instanceof ClosedChannelException
        || failure instanceof DeviceFullException
        || failure instanceof DeviceFaultException) {
      return failure;
    }
    String detail = doing + ": " + failure.getMessage();
    return full(file, failure)
        ? new DeviceFullException(file, detail, failure)
        : new DeviceFaultException(file, detail, failure);
  }

  private static boolean full(Path file, IOException failure) {
    String message = String.valueOf(failure.getMessage());
    if (message.contains("No space left") || message.contains("quota exceeded")) {
      return true;
    }
    if (message.contains("Input/output error")) {
      return false;
    }
    try {
      return Files.getFileStore(file).getUsableSpace() < NEARLY_NOTHING_BYTES;
    } catch (IOException e) {
      return false;
    }
  }
}
