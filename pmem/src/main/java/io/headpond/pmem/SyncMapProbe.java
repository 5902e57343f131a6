// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.UUID;
import jdk.nio.mapmode.ExtendedMapMode;

/** Tries whether files of a directory can be mapped with {@code MAP_SYNC}: the proof of DAX. */
class SyncMapProbe {
  private static final int PROBE_BYTES = 4096;
  static final String PREFIX = ".headpond-probe-";

  private String refusal = "";

  /** The reason for the last probe's no. */
  String lastRefusal() {
    return refusal;
  }

  /**
   * Tries it.
   *
   * @throws IOException if that says nothing of the directory: this process has no descriptor left,
   *     or no mapping
   */
  boolean succeeds(Path directory) throws IOException {
    sweep(directory);
    Path file = directory.resolve(PREFIX + UUID.randomUUID());
    try (FileChannel channel =
        FileChannel.open(
            file,
            StandardOpenOption.CREATE_NEW,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE)) {
      Files.deleteIfExists(file); // at once: a kill must not leave it
      // Makes the file longer, and takes no block: a full device is no other device.
      channel.map(ExtendedMapMode.READ_WRITE_SYNC, 0, PROBE_BYTES);
      return true;
    } catch (IOException e) {
      if (e.getCause() instanceof OutOfMemoryError) { // the JDK's word for a lack of mappings
        throw new IOException(directory + ": nothing can be mapped (vm.max_map_count, memory)", e);
      }
      if (Shortage.ofDescriptors(e, directory)) {
        throw e;
      }
      return refused(e);
    } catch (UnsupportedOperationException | InternalError | LinkageError e) {
      return refused(e);
    }
  }

  private boolean refused(Throwable e) {
    refusal = "MAP_SYNC: " + e.getMessage();
    return false;
  }

  /** Deletes what a kill or a power cut left of an earlier probe. Another process needs none. */
  private static void sweep(Path directory) {
    try (DirectoryStream<Path> left = Files.newDirectoryStream(directory, PREFIX + "*")) {
      for (Path file : left) {
        Files.deleteIfExists(file);
      }
    } catch (IOException | DirectoryIteratorException nextTime) {
      return;
    }
  }
}
