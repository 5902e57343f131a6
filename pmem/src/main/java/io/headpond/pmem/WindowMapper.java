// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

import java.io.IOException;

/** Maps ranges of files; a test puts one here that fails, or one that simulates a device. */
interface WindowMapper {
  /**
   * Maps [{@code start}, {@code limit}) of the file for storing; the file is that long already.
   *
   * @throws IOException if the operating system refuses (too many mappings, no address space)
   */
  Window map(BackingFile file, long start, long limit, Mapping mapping) throws IOException;
}
