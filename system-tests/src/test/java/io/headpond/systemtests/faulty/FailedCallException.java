// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests.faulty;

import java.io.IOException;

/** A call that fails because it was told to. */
final class FailedCallException extends IOException {

  private static final long serialVersionUID = 1L;

  private final int errno;

  FailedCallException(Fault fault) {
    super(fault.toString());
    this.errno = fault.errno();
  }

  int errno() {
    return errno;
  }
}
