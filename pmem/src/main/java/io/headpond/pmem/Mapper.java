// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

import java.io.IOException;
import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import jdk.nio.mapmode.ExtendedMapMode;

/**
 * Maps files with what Java 17 offers. In the jar's layer for Java 22 and newer a class of the same
 * name takes its place, which unmaps at once and knows libpmem.
 *
 * <p>Here a window that was dropped stays mapped until the garbage collector finds it. That is
 * safe: nobody touches it any more, and readers read through the file. A deleted file keeps its
 * blocks until then ({@link #isMapped}).
 */
final class Mapper {
  private static final Runnable BY_GARBAGE_COLLECTOR = () -> {};

  private static final ReferenceQueue<MappedByteBuffer> COLLECTED = new ReferenceQueue<>();
  private static final Set<Mapped> MAPPED = ConcurrentHashMap.newKeySet();
  private static final Map<Path, Integer> MAPPINGS = new ConcurrentHashMap<>();

  /** A mapping of a file, until the garbage collector has found it. */
  private static final class Mapped extends PhantomReference<MappedByteBuffer> {
    final Path file;

    Mapped(MappedByteBuffer buffer, Path file) {
      super(buffer, COLLECTED);
      this.file = file;
    }
  }

  private Mapper() {}

  /** True while a mapping of the file is there, also one that was dropped. */
  static boolean isMapped(Path file) {
    for (Object found = COLLECTED.poll(); found != null; found = COLLECTED.poll()) {
      MAPPED.remove(found);
      MAPPINGS.computeIfPresent(((Mapped) found).file, (path, n) -> n == 1 ? null : n - 1);
    }
    return MAPPINGS.containsKey(file);
  }

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
    MAPPINGS.merge(file.path(), 1, Integer::sum);
    MAPPED.add(new Mapped(buffer, file.path()));
    return new BufferWindow(file, start, buffer, mapping.writesBack(), BY_GARBAGE_COLLECTOR);
  }

  private static MappedByteBuffer map(FileChannel channel, long start, long bytes, boolean sync)
      throws IOException {
    return channel.map(
        sync ? ExtendedMapMode.READ_WRITE_SYNC : FileChannel.MapMode.READ_WRITE, start, bytes);
  }
}
