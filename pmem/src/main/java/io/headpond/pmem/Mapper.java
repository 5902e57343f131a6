// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Optional;
import jdk.nio.mapmode.ExtendedMapMode;

/**
 * Maps files with what Java 17 offers. In the jar's layer for Java 22 and newer a class of the same
 * name takes its place, which unmaps at once and knows libpmem.
 *
 * <p>Here a window that was dropped stays mapped until the garbage collector finds it. That is
 * safe: nobody touches it any more, readers read through the file, and truncating the file gives
 * its space back at once.
 */
final class Mapper {
  private static final Runnable BY_GARBAGE_COLLECTOR = () -> {};

  private Mapper() {}

  /** The reason why libpmem can't be used; empty: it can. */
  static Optional<String> libpmemUnavailable() {
    int feature = Runtime.version().feature();
    if (feature < 22) {
      return Optional.of("libpmem needs Java 22 or newer, this is Java " + feature);
    }
    return Optional.of(
        "the Java 22 layer of headpond-pmem was not loaded: the class path holds plain classes or a"
            + " jar built by a JDK older than 22, or the jar is on -Xbootclasspath/a, which ignores"
            + " such layers; put it on -classpath or use -javaagent");
  }

  /** True when {@link Window#unmap()} gives the address range back at once. */
  static boolean unmapsAtOnce() {
    return false;
  }

  /** See {@link WindowMapper#map}. */
  static Window map(BackingFile file, long start, long limit, Mapping mapping) throws IOException {
    MappedByteBuffer buffer = file.run(ch -> map(ch, start, limit - start, mapping.sync()));
    return new BufferWindow(file, start, buffer, mapping.writesBack(), BY_GARBAGE_COLLECTOR);
  }

  private static MappedByteBuffer map(FileChannel channel, long start, long bytes, boolean sync)
      throws IOException {
    return channel.map(
        sync ? ExtendedMapMode.READ_WRITE_SYNC : FileChannel.MapMode.READ_WRITE, start, bytes);
  }
}
