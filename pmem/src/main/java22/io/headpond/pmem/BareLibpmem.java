// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/**
 * A bare non-temporal copy by libpmem into a mapped file and nothing else: what the LIBPMEM back
 * end is measured against. For benchmarks.
 */
public final class BareLibpmem implements AutoCloseable {
  /** libpmem.h. */
  private static final int PMEM_F_MEM_NONTEMPORAL = 1 << 3;

  private final Arena arena;
  private final long address;

  private BareLibpmem(Arena arena, long address) {
    this.arena = arena;
    this.address = address;
  }

  /** The reason why it can't be used; empty: it can. */
  public static Optional<String> unavailable() {
    return Mapper.libpmemUnavailable();
  }

  /** Maps the first {@code bytes} of an existing file of that size at least, and touches them. */
  public static BareLibpmem map(Path file, int bytes) throws IOException {
    Arena arena = Arena.ofShared();
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      MemorySegment segment = channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes, arena);
      segment.fill((byte) 0);
      return new BareLibpmem(arena, segment.address());
    }
  }

  /** Copies a whole direct buffer to {@code offset} past the caches, and fences. */
  public void copy(ByteBuffer direct, long offset) {
    try {
      Function.MEMCPY.invokeExact(
          address + offset,
          MemorySegment.ofBuffer(direct).address(),
          (long) direct.remaining(),
          PMEM_F_MEM_NONTEMPORAL);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError("a call of libpmem throws nothing checked", e);
    }
  }

  @Override
  public void close() {
    arena.close();
  }

  private static final class Function {
    static final MethodHandle MEMCPY =
        Linker.nativeLinker()
            .downcallHandle(
                SymbolLookup.libraryLookup("libpmem.so.1", Arena.global())
                    .find("pmem_memcpy")
                    .orElseThrow(),
                FunctionDescriptor.ofVoid(
                    ValueLayout.JAVA_LONG,
                    ValueLayout.JAVA_LONG,
                    ValueLayout.JAVA_LONG,
                    ValueLayout.JAVA_INT),
                Linker.Option.critical(false));
  }
}
