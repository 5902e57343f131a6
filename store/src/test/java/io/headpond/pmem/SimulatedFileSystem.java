// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileSystem;
import java.nio.file.Path;

/** A file system whose mapped files are simulated: {@link MappedFile} runs on it unchanged. */
public abstract class SimulatedFileSystem extends FileSystem implements WindowMapper {
  /** A mapped file. */
  public interface Stores {
    /**
     * Copies {@code length} bytes of {@code source} from index {@code from} to the position, and
     * writes their cache lines back.
     */
    void store(long position, ByteBuffer source, int from, int length) throws IOException;
  }

  /** The file of that path, mapped. */
  protected abstract Stores map(Path file) throws IOException;

  @Override
  public final Window map(
      final BackingFile file, final long start, final long limit, final Mapping mapping)
      throws IOException {
    assert mapping.backend().durableAtReturn();
    return new SimulatedWindow(start, limit, map(file.path()));
  }

  private static final class SimulatedWindow extends Window {
    private final Stores file;

    SimulatedWindow(final long start, final long limit, final Stores file) {
      super(start, limit);
      this.file = file;
    }

    @Override
    void store(final long position, final ByteBuffer source, final int from, final int length)
        throws IOException {
      assert position >= start && position + length <= limit;
      file.store(position, source, from, length);
    }

    @Override
    void touch(final long from, final boolean around) {
      // Zeros over zeros: no fault can come of it here.
    }

    @Override
    void unmap() {}
  }
}
