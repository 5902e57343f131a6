// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper;

import io.headpond.pmem.Device;
import io.headpond.pmem.Durability;
import io.headpond.pmem.MappedFile;
import io.headpond.pmem.MappedFileOptions;
import io.headpond.pmem.Persist;
import io.headpond.pmem.PersistBackend;
import io.headpond.pmem.PersistChoice;
import io.headpond.pmem.RunAhead;
import io.headpond.pmem.Space;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import org.apache.bookkeeper.conf.ServerConfiguration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A journal directory: its device, and how its files are written. Any thread. */
final class JournalDirectory implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(JournalDirectory.class);

  /** Nothing else is kept in a journal directory: its file system has the last word. */
  private static final Space AS_THE_DEVICE_HAS =
      new Space() {
        @Override
        public boolean reserve(long bytes) {
          return true;
        }

        @Override
        public void release(long bytes) {}
      };

  private final Path path;
  private final Device device;
  private final PersistBackend backend;
  private RunAhead runAhead;
  private boolean closed;

  JournalDirectory(Path path, ServerConfiguration configuration) throws IOException {
    this.path = path;
    device = Device.detect(path);
    Optional<PersistBackend> named =
        Optional.ofNullable(configuration.getString("headpond.journal.persist", null))
            .map(PersistBackend::of);
    PersistChoice choice = Persist.decide(device, named);
    backend = choice.backend();
    LOG.info(
        "journal {}: {}; back end '{}': {}",
        path,
        device.explanation(),
        backend.key(),
        choice.reason());
    if (device.durability() != Durability.DURABLE) {
      LOG.warn(
          "journal {} is {}: {}. A power cut loses acknowledged entries.",
          path,
          device.durability(),
          device.explanation());
    }
  }

  FileChannel reading(Path file) throws IOException {
    return FileChannel.open(file, StandardOpenOption.READ);
  }

  FileChannel writing(Path file) throws IOException {
    if (backend == PersistBackend.WRITE) {
      return FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
    }
    return new MappedJournalChannel(MappedFile.open(file, 0, options()), path);
  }

  private synchronized MappedFileOptions options() {
    if (runAhead == null) {
      runAhead = new RunAhead("headpond-journal-run-ahead", 1);
      if (closed) {
        runAhead.close();
      }
    }
    return MappedFileOptions.of(device, backend, AS_THE_DEVICE_HAS, runAhead)
        .firstChunkBytes(16 << 20);
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (runAhead != null) {
      runAhead.close();
    }
  }
}
