// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.channel;

import java.nio.ByteBuffer;
import java.util.Random;

/** The bytes that are appended. */
final class Source {
  private Source() {}

  /**
   * Bytes that don't compress; on the heap, as engines have them, where the subject can take that.
   */
  static ByteBuffer of(Subject subject, int bytes) {
    byte[] random = new byte[bytes];
    new Random(bytes).nextBytes(random);
    return subject.directSource()
        ? ByteBuffer.allocateDirect(bytes).put(random).flip()
        : ByteBuffer.wrap(random);
  }
}
