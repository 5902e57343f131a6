// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileSystem;
import java.nio.file.Path;

/** A file system whose mapped files are simulated: {@link MappedFile} runs on it unchanged. */
public abstract class SimulatedFileSystem extends FileSystem implements WindowMapper {
  /** What follows a store into a mapping before it returns. */
  public enum Then {
    /** Nothing: a later force of the file makes it durable. */
    NOTHING,
    /** {@code msync} of what was stored. */
    MSYNC,
    /** Write-back of its cache lines, and a fence. */
    WRITE_BACK
  }

  /** A mapped file. */
  public interface Stores {
    /** Copies {@code length} bytes of {@code source} from index {@code from} to the position. */
    void store(long position, ByteBuffer source, int from, int length, Then then)
        throws IOException;
  }

  /** The file of that path, mapped. */
  protected abstract Stores map(Path file) throws IOException;

  @Override
  public final Window map(
      final BackingFile file, final long start, final long limit, final Mapping mapping)
      throws IOException {
    return new SimulatedWindow(start, limit, map(file.path()), then(mapping));
  }

  private static Then then(final Mapping mapping) {
    if (mapping.backend() == PersistBackend.LIBPMEM) {
      return Then.WRITE_BACK;
    }
    return switch (mapping.afterStore()) {
      case WRITE_BACK -> Then.WRITE_BACK;
      case MSYNC -> Then.MSYNC;
      case NOTHING -> Then.NOTHING;
    };
  }

  private static final class SimulatedWindow extends Window {
    private final Stores file;
    private final Then then;

    SimulatedWindow(final long start, final long limit, final Stores file, final Then then) {
      super(start, limit);
      this.file = file;
      this.then = then;
    }

    @Override
    void store(final long position, final ByteBuffer source, final int from, final int length)
        throws IOException {
      assert position >= start && position + length <= limit;
      file.store(position, source, from, length, then);
    }

    @Override
    void touch(final long from, final boolean around) {
      // Zeros over zeros: no fault can come of it here.
    }

    @Override
    void unmap() {}
  }
}
