// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Path;

/** Distinction between a full device and a failing one. */
final class Failures {
  private Failures() {}

  /**
   * The failure as the exception this package promises.
   *
   * @param doing what failed
   * @param bytes that were asked of the device
   */
  static IOException classify(Path file, String doing, long bytes, IOException failure) {
    if (failure instanceof ClosedChannelException
        || failure instanceof DeviceFullException
        || failure instanceof DeviceFaultException) {
      return failure;
    }
    String detail = doing + ": " + failure.getMessage();
    return Shortage.ofSpace(failure, file.getParent(), bytes)
        ? new DeviceFullException(file, detail, failure)
        : new DeviceFaultException(file, detail, failure);
  }
}
