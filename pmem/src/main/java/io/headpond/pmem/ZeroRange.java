// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

import java.io.IOException;
import java.nio.file.Path;

/** Zeros a range of a file without writing it; a simulated file system has its own. */
interface ZeroRange {
  /**
   * Zeros [{@code from}, {@code from + bytes}), with blocks that count as written, and makes the
   * file so long at least. Nothing of it is durable before a force.
   *
   * @param file an existing file
   * @return 0, or the error's number (errno(3)), after which the range holds what it held or zeros
   * @throws IOException as a simulated device does; the system call only has numbers
   */
  int zero(Path file, long from, long bytes) throws IOException;
}
