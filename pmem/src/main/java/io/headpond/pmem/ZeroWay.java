// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * The way in which the files of a directory get their zeros before something else is written there:
 * by a system call that sends the device no bytes ({@code FALLOC_FL_WRITE_ZEROES}, fallocate(2)),
 * or written.
 *
 * <p>The call is tried once, with a small file, where sysfs says that the device zeroes by
 * unmapping. If it is refused then or later, zeros are written from then on. Any thread.
 */
public final class ZeroWay {
  /** errno(3) of a kernel, a file system or a device that can't: it never will. */
  private static final int EINVAL = 22;

  private static final int ENOSYS = 38;
  private static final int EOPNOTSUPP = 95;
  private static final Set<Integer> FOR_GOOD = Set.of(EINVAL, ENOSYS, EOPNOTSUPP);

  /** errno(3): the probe's file was swept away by another process's probe. */
  private static final int ENOENT = 2;

  /** errno(3): there is no room now; it says nothing of the device. */
  private static final int ENOSPC = 28;

  private static final int PROBES = 3;
  private static final int PROBE_BYTES = 64 << 10;

  private final ZeroRange range;

  /** Why zeros are written; null: they needn't be. */
  private volatile String refusal;

  private ZeroWay(ZeroRange range, String refusal) {
    this.range = range;
    this.refusal = refusal;
  }

  /** Zeros are written. */
  static ZeroWay written(String reason) {
    return new ZeroWay(null, reason);
  }

  /** Finds the way of an existing directory; may write and delete a probe file there. */
  static ZeroWay of(Path directory, boolean writesInPlace, DiskFacts disk) {
    if (!writesInPlace) {
      return written("the file system isn't known to write in place");
    }
    if (!disk.zeroesByUnmapping()) {
      return written(
          "the device has no unmapping write-zeroes (queue/write_zeroes_unmap_max_bytes)");
    }
    // A simulated file system zeroes its own files.
    if (directory.getFileSystem() instanceof ZeroRange simulated) {
      return probed(directory, simulated);
    }
    Optional<String> unavailable = WriteZeroes.unavailable();
    return unavailable.isPresent()
        ? written(unavailable.get())
        : probed(directory, WriteZeroes::zero);
  }

  /** Tries the call. */
  static ZeroWay probed(Path directory, ZeroRange range) {
    int error = ENOENT;
    try {
      for (int i = 0; error == ENOENT && i < PROBES; i++) {
        error = probe(directory.resolve(SyncMapProbe.PREFIX + UUID.randomUUID()), range);
      }
    } catch (IOException e) {
      return written("the call couldn't be tried: " + e.getMessage());
    }
    return new ZeroWay(range, error == 0 || error == ENOSPC ? null : refused(error));
  }

  private static int probe(Path file, ZeroRange range) throws IOException {
    try {
      FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE).close();
      return range.zero(file, 0, PROBE_BYTES);
    } finally {
      Files.deleteIfExists(file);
    }
  }

  private static String refused(int error) {
    return "FALLOC_FL_WRITE_ZEROES was refused (error " + error + ")";
  }

  /** True if the device is sent no bytes for zeros. */
  public boolean byCall() {
    return refusal == null;
  }

  /** The name used in messages and status: {@code write-zeroes} or {@code written}. */
  public String key() {
    return byCall() ? "write-zeroes" : "written";
  }

  /** The name, and of written zeros why they are. */
  public String explanation() {
    String reason = refusal;
    return reason == null ? key() : key() + ": " + reason;
  }

  /**
   * Zeros a range by the call, as {@link ZeroRange#zero}.
   *
   * @return false if it must be written: nobody needs to know why, since the write meets whatever
   *     else is wrong
   */
  boolean zero(Path file, long from, long bytes) throws IOException {
    if (!byCall()) {
      return false;
    }
    int error = range.zero(file, from, bytes);
    if (FOR_GOOD.contains(error)) {
      refusal = refused(error);
    }
    return error == 0;
  }
}
