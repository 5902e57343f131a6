// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** What the operating system says, in the language that it is set to. */
public final class SystemWords {
  private SystemWords() {}

  /** {@code No space left on device}, by full(4). */
  public static String noSpaceLeft() throws IOException {
    try (FileChannel full = FileChannel.open(Path.of("/dev/full"), StandardOpenOption.WRITE)) {
      full.write(ByteBuffer.allocate(1));
    } catch (final IOException e) {
      return e.getMessage();
    }
    throw new AssertionError("/dev/full isn't full");
  }
}
