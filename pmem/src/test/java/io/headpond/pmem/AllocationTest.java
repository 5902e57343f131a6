// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** An append makes no garbage, once compiled; 16 bytes on Java 17 to 21, see {@link Faults}. */
class AllocationTest {
  private static final int APPENDS = 20_000;
  private static final int MAX_ROUNDS = 300;
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  @TestFactory
  Stream<DynamicTest> anAppendAllocatesNothing() {
    Stream<PersistBackend> backends =
        Mapper.libpmemUnavailable().isEmpty()
            ? Stream.of(PersistBackend.NONE, PersistBackend.LIBPMEM)
            : Stream.of(PersistBackend.NONE);
    return backends.flatMap(
        backend ->
            Stream.of(ByteBuffer.allocate(1_000), ByteBuffer.allocateDirect(1_000))
                .map(
                    src ->
                        DynamicTest.dynamicTest(
                            backend.key() + (src.isDirect() ? " from direct" : " from heap"),
                            () -> check(backend, src))));
  }

  private static void check(PersistBackend backend, ByteBuffer src) throws IOException {
    Path folder = Folders.inMemory();
    try (RunAhead runAhead =
        new RunAhead(new Background((name, failures, cause) -> {}), "ahead", 1)) {
      Path path = Files.createFile(folder.resolve("a.log"));
      MappedFileOptions options =
          BackEnds.of(folder, backend).options(Account.unlimited(), runAhead);
      try (MappedFile file = MappedFile.open(path, 0, options)) {
        file.prepare(8 << 20);
        double least = Double.MAX_VALUE;
        double allowed = allowed(backend, src);
        for (int round = 0; round < MAX_ROUNDS && least > allowed + 0.1; round++) {
          least = Math.min(least, allocatedPerAppend(file, src));
        }
        assertThat(least).isLessThanOrEqualTo(allowed + 0.1);
      }
    } finally {
      Folders.delete(folder);
    }
  }

  /**
   * From an array to libpmem the JVM makes three small objects, which C2 removes if the profile of
   * the JDK's own {@code asSlice} lets it inline; it was seen not to on a very busy machine. What
   * must never be is garbage that grows with the append.
   */
  private static double allowed(PersistBackend backend, ByteBuffer src) {
    if (backend == PersistBackend.LIBPMEM && !src.isDirect()) {
      return 128;
    }
    return Runtime.version().feature() < 22 ? 16 : 0;
  }

  private static double allocatedPerAppend(MappedFile file, ByteBuffer src) throws IOException {
    long before = THREADS.getCurrentThreadAllocatedBytes();
    for (int i = 0; i < APPENDS; i++) {
      file.write(src.clear(), i % 7_000 * 1_000L);
    }
    return (THREADS.getCurrentThreadAllocatedBytes() - before) / (double) APPENDS;
  }
}
