// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * {@code pmem_memcpy} of libpmem (libpmem(7)): copies by non-temporal stores from 256 bytes on,
 * writes the cache lines back below, and ends with a fence.
 *
 * <p>Called as a critical function: no change of thread state, and a heap array is read where it
 * lies. A garbage collection has to wait for such a call, so large copies are cut into slices.
 */
final class Libpmem {
  private static final String LIBRARY = "libpmem.so.1";

  /** About 10 microseconds of copying. */
  private static final int SLICE_BYTES = 256 << 10;

  /** libpmem.h: the caller fences later. */
  private static final int PMEM_F_MEM_NODRAIN = 1;

  private static final MethodHandle FROM_ADDRESS;
  private static final MethodHandle FROM_HEAP;
  private static final String UNAVAILABLE;

  static {
    MethodHandle fromAddress = null;
    MethodHandle fromHeap = null;
    String unavailable = null;
    try {
      MemorySegment function =
          SymbolLookup.libraryLookup(LIBRARY, Arena.global()).find("pmem_memcpy").orElseThrow();
      fromAddress = handle(function, ValueLayout.JAVA_LONG);
      fromHeap = handle(function, ValueLayout.ADDRESS);
    } catch (RuntimeException | LinkageError e) {
      unavailable =
          LIBRARY
              + " cannot be loaded ("
              + e.getMessage()
              + "); install the package libpmem1 (Debian, Ubuntu) or libpmem (Fedora, RHEL)";
    }
    FROM_ADDRESS = fromAddress;
    FROM_HEAP = fromHeap;
    UNAVAILABLE = unavailable;
  }

  private Libpmem() {}

  /** An address passes as a long in the same register, without a segment object around it. */
  private static MethodHandle handle(MemorySegment function, MemoryLayout source) {
    return Linker.nativeLinker()
        .downcallHandle(
            function,
            FunctionDescriptor.ofVoid(
                ValueLayout.JAVA_LONG, source, ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT),
            Linker.Option.critical(true));
  }

  /** The reason why the library can't be called; empty: it can. */
  static Optional<String> unavailable() {
    return Optional.ofNullable(UNAVAILABLE);
  }

  /** The address of a direct buffer's position; may allocate. */
  static long address(ByteBuffer direct) {
    return MemorySegment.ofBuffer(direct).address();
  }

  /** Copies from an address to an address; durable at return. */
  static void persist(long address, long source, int length) {
    try {
      int done = 0;
      do {
        int slice = Math.min(SLICE_BYTES, length - done);
        FROM_ADDRESS.invokeExact(
            address + done, source + done, (long) slice, flags(done + slice < length));
        done += slice;
      } while (done < length);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError("a call of libpmem throws nothing checked", e);
    }
  }

  /**
   * Copies {@code length} bytes of an array from index {@code from}; durable at return. All in one
   * method: the compiler does without the segment objects only if they are made and used in one
   * piece.
   */
  static void persist(long address, byte[] array, int from, int length) {
    try {
      MemorySegment source = MemorySegment.ofArray(array);
      int done = 0;
      do {
        int slice = Math.min(SLICE_BYTES, length - done);
        FROM_HEAP.invokeExact(
            address + done,
            source.asSlice(from + done, slice),
            (long) slice,
            flags(done + slice < length));
        done += slice;
      } while (done < length);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError("a call of libpmem throws nothing checked", e);
    }
  }

  /** Only the last slice is followed by a fence. */
  private static int flags(boolean moreToCome) {
    return moreToCome ? PMEM_F_MEM_NODRAIN : 0;
  }
}
