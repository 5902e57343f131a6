// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.file.Path;
import java.util.Optional;

/**
 * {@code fallocate} with {@code FALLOC_FL_WRITE_ZEROES} (fallocate(2), Linux 6.17): blocks that
 * read as zero and count as written, without a byte sent to the device. The class of the same name
 * for older JVMs can't call it.
 *
 * <p>Java doesn't give the descriptor of a channel away, so the file is opened by its name for the
 * call.
 */
final class WriteZeroes {
  private static final int O_WRONLY = 1;
  private static final int O_CLOEXEC = 0x80000;

  /** linux/falloc.h; can't be combined with {@code FALLOC_FL_KEEP_SIZE}. */
  private static final int FALLOC_FL_WRITE_ZEROES = 0x80;

  private WriteZeroes() {}

  /** The reason why it can't be called; empty: it can. */
  static Optional<String> unavailable() {
    if (!WriteZeroes.class.getModule().isNativeAccessEnabled()) {
      return Optional.of(
          "the call needs native access; start the JVM with --enable-native-access=ALL-UNNAMED");
    }
    return Optional.ofNullable(Functions.UNAVAILABLE);
  }

  /** See {@link ZeroRange#zero}. */
  static int zero(Path file, long from, long bytes) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(Functions.STATE);
      MemorySegment name = arena.allocateFrom(ValueLayout.JAVA_BYTE, name(file));
      int descriptor = (int) Functions.OPEN.invokeExact(state, name, O_WRONLY | O_CLOEXEC, 0);
      if (descriptor < 0) {
        return (int) Functions.ERRNO.get(state, 0L);
      }
      try {
        int result =
            (int)
                Functions.FALLOCATE.invokeExact(
                    state, descriptor, FALLOC_FL_WRITE_ZEROES, from, bytes);
        return result == 0 ? 0 : (int) Functions.ERRNO.get(state, 0L);
      } finally {
        int ignored = (int) Functions.CLOSE.invokeExact(descriptor);
      }
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError("a call of the C library throws nothing checked", e);
    }
  }

  /**
   * The name's bytes as the kernel has them, and a zero. A path's URI is made of those bytes,
   * whatever the JVM's encoding is.
   */
  private static byte[] name(Path file) {
    String encoded = file.toUri().getRawPath();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(encoded.length() + 1);
    for (int i = 0; i < encoded.length(); i++) {
      char each = encoded.charAt(i);
      if (each == '%') {
        bytes.write(Integer.parseInt(encoded, i + 1, i + 3, 16));
        i += 2;
      } else {
        bytes.write(each);
      }
    }
    bytes.write(0);
    return bytes.toByteArray();
  }

  /** Linked only where native access is allowed. */
  private static final class Functions {
    static final StructLayout STATE = Linker.Option.captureStateLayout();
    static final VarHandle ERRNO = STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));
    static final MethodHandle OPEN;
    static final MethodHandle FALLOCATE;
    static final MethodHandle CLOSE;
    static final String UNAVAILABLE;

    static {
      MethodHandle open = null;
      MethodHandle fallocate = null;
      MethodHandle close = null;
      String unavailable = null;
      try {
        Linker.Option errno = Linker.Option.captureCallState("errno");
        open =
            handle(
                "open",
                FunctionDescriptor.of(
                    ValueLayout.JAVA_INT,
                    ValueLayout.ADDRESS,
                    ValueLayout.JAVA_INT,
                    ValueLayout.JAVA_INT),
                errno,
                Linker.Option.firstVariadicArg(2));
        fallocate =
            handle(
                "fallocate",
                FunctionDescriptor.of(
                    ValueLayout.JAVA_INT,
                    ValueLayout.JAVA_INT,
                    ValueLayout.JAVA_INT,
                    ValueLayout.JAVA_LONG,
                    ValueLayout.JAVA_LONG),
                errno);
        close = handle("close", FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
      } catch (RuntimeException | LinkageError e) {
        unavailable = "the C library's fallocate can't be called (" + e.getMessage() + ")";
      }
      OPEN = open;
      FALLOCATE = fallocate;
      CLOSE = close;
      UNAVAILABLE = unavailable;
    }

    private static MethodHandle handle(
        String name, FunctionDescriptor type, Linker.Option... options) {
      Linker linker = Linker.nativeLinker();
      return linker.downcallHandle(linker.defaultLookup().find(name).orElseThrow(), type, options);
    }
  }
}
