// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Optional;
import jdk.nio.mapmode.ExtendedMapMode;

/**
 * Maps files with what Java 22 offers: a window is unmapped at once, and libpmem can store to it.
 * The class of the same name for older JVMs lies in the jar's root.
 */
final class Mapper {
  private Mapper() {}

  /** The reason why libpmem can't be used; empty: it can. */
  static Optional<String> libpmemUnavailable() {
    if (!Mapper.class.getModule().isNativeAccessEnabled()) {
      return Optional.of(
          "libpmem needs native access; start the JVM with --enable-native-access=ALL-UNNAMED");
    }
    return Libpmem.unavailable();
  }

  /** False: a window that was dropped is unmapped. */
  static boolean isMapped(Path file) {
    return false;
  }

  /** True when {@link Window#unmap()} gives the address range back at once. */
  static boolean unmapsAtOnce() {
    return true;
  }

  /** See {@link WindowMapper#map}. */
  static Window map(BackingFile file, long start, long limit, Mapping mapping) throws IOException {
    Arena arena = Arena.ofShared(); // written to by one engine thread after the other
    try {
      MemorySegment segment =
          file.run(
              ch ->
                  ch.map(
                      mapping.sync()
                          ? ExtendedMapMode.READ_WRITE_SYNC
                          : FileChannel.MapMode.READ_WRITE,
                      start,
                      limit - start,
                      arena));
      return mapping.backend() == PersistBackend.LIBPMEM
          ? new PmemWindow(start, segment, arena)
          : new BufferWindow(
              file,
              start,
              (MappedByteBuffer) segment.asByteBuffer(),
              mapping.writesBack(),
              arena::close);
    } catch (IOException | RuntimeException | Error e) {
      arena.close();
      throw e;
    }
  }
}
