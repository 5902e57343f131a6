// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.channel;

import io.headpond.pmem.BareLibpmem;
import io.headpond.pmem.Device;
import io.headpond.pmem.MappedFile;
import io.headpond.pmem.MappedFileOptions;
import io.headpond.pmem.Persist;
import io.headpond.pmem.PersistBackend;
import io.headpond.pmem.RunAhead;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import java.util.Optional;

/** Something that bytes are appended to, and that is measured. */
enum Subject {
  /** libpmem's copy into a mapped file and nothing else: the limit. */
  BARE_LIBPMEM,
  /** The mapped file, stored to by libpmem. */
  HEADPOND_LIBPMEM,
  /** The mapped file, written back by the JVM (JEP 352). */
  HEADPOND_JEP352,
  /** The mapped file without any flush, on a volatile device. */
  HEADPOND_NONE,
  /** {@link FileChannel#write(ByteBuffer, long)}. */
  FILE_CHANNEL,
  /** The same, forced after each write. */
  FILE_CHANNEL_FORCE;

  /** An open subject; one thread. */
  interface Target extends AutoCloseable {
    void append(ByteBuffer src, long position) throws IOException;

    @Override
    void close() throws IOException;
  }

  /** The key in tables and JSON. */
  String key() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  static Subject of(String key) {
    return valueOf(key.toUpperCase(Locale.ROOT).replace('-', '_'));
  }

  boolean mapped() {
    return backend().isPresent();
  }

  Optional<PersistBackend> backend() {
    return switch (this) {
      case HEADPOND_LIBPMEM -> Optional.of(PersistBackend.LIBPMEM);
      case HEADPOND_JEP352 -> Optional.of(PersistBackend.JEP352);
      case HEADPOND_NONE -> Optional.of(PersistBackend.NONE);
      case BARE_LIBPMEM, FILE_CHANNEL, FILE_CHANNEL_FORCE -> Optional.empty();
    };
  }

  /** The reason why it can't be measured on that device; empty: it can. */
  Optional<String> unavailable(Device device) {
    if (this == BARE_LIBPMEM) {
      boolean memory = device.dax() || device.fileSystemType().equals("tmpfs");
      return memory
          ? BareLibpmem.unavailable()
          : Optional.of("libpmem takes a DAX file system or tmpfs");
    }
    return backend().flatMap(each -> Persist.unavailable(device, each));
  }

  /** True if what it appends from must be outside the heap. */
  boolean directSource() {
    return this == BARE_LIBPMEM;
  }

  /**
   * Opens it on a file whose first {@code pregrown} bytes are zeros already, and mapped before this
   * returns.
   */
  Target open(Path file, int pregrown, RunAhead runAhead) throws IOException {
    if (this == BARE_LIBPMEM) {
      BareLibpmem bare = BareLibpmem.map(file, pregrown);
      return new Target() {
        @Override
        public void append(ByteBuffer src, long position) {
          bare.copy(src, position);
        }

        @Override
        public void close() {
          bare.close();
        }
      };
    }
    return mapped() ? openMapped(file, pregrown, runAhead) : openChannel(file);
  }

  private Target openMapped(Path file, int pregrown, RunAhead runAhead) throws IOException {
    Device device = Device.detect(file.toAbsolutePath().getParent());
    MappedFileOptions options =
        MappedFileOptions.of(device, backend().orElseThrow(), new Unlimited(), runAhead)
            .maxChunkBytes(Math.max(pregrown, 16 << 20))
            .keepTail(true);
    MappedFile mapped = MappedFile.open(file, 0, options);
    if (pregrown > 0) {
      mapped.prepare(pregrown);
    }
    return new Target() {
      @Override
      public void append(ByteBuffer src, long position) throws IOException {
        mapped.write(src, position);
      }

      @Override
      public void close() throws IOException {
        mapped.close();
      }
    };
  }

  private Target openChannel(Path file) throws IOException {
    FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
    boolean force = this == FILE_CHANNEL_FORCE;
    return new Target() {
      @Override
      public void append(ByteBuffer src, long position) throws IOException {
        channel.write(src, position);
        if (force) {
          channel.force(false);
        }
      }

      @Override
      public void close() throws IOException {
        channel.close();
      }
    };
  }

  /** A new file of that many zeros, written and forced. */
  static Path zeroFile(Path folder, int bytes) throws IOException {
    Path file = Files.createTempFile(folder, "headpond-bench-", ".log");
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      ByteBuffer zeros = ByteBuffer.allocateDirect(1 << 20);
      for (long at = 0; at < bytes; at += zeros.capacity()) {
        zeros.clear().limit((int) Math.min(zeros.capacity(), bytes - at));
        channel.write(zeros, at);
      }
      channel.force(true);
    }
    return file;
  }
}
