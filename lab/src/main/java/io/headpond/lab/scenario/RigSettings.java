// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.scenario;

import io.headpond.harness.process.EngineRelease;
import io.headpond.harness.process.JavaHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The place of rigs.
 *
 * @param release of their engine
 * @param java runs engines and clients
 * @param fast a folder on the fast device
 * @param home a folder on disk
 * @param pointBytesMax what one load may send
 */
public record RigSettings(
    EngineRelease release, JavaHome java, Path fast, Path home, long pointBytesMax) {

  private static final long POINT_BYTES_MAX = 2L << 30;
  private static final long POINT_BYTES_MIN = 128 << 20;

  /**
   * The copies of a point's bytes on disk: in the log, and those that were deleted and aren't freed
   * yet.
   */
  private static final int COPIES = 4;

  /**
   * Lets a load send as much as there is room for, 2 GiB at most unless it needs more.
   *
   * @param bytesMin what it needs
   */
  public static RigSettings of(
      EngineRelease release, JavaHome java, Path fast, Path home, long bytesMin)
      throws IOException {
    long least = Math.max(POINT_BYTES_MIN, bytesMin);
    long free =
        Math.min(
            Files.getFileStore(fast).getUsableSpace(), Files.getFileStore(home).getUsableSpace());
    long room = Math.min(Math.max(POINT_BYTES_MAX, least), free / COPIES);
    if (room < least) {
      throw new IOException(
          String.format(
              "a load needs %d MiB free in each of %s and %s, and there are %d MiB; name other folders",
              COPIES * least >> 20, fast, home, free >> 20));
    }
    return new RigSettings(release, java, fast.toRealPath(), home.toRealPath(), room);
  }
}
