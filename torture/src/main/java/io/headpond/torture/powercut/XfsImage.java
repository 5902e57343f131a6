// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;

/**
 * An XFS file system in a file, as a cut of the power left it. Only a kernel replays its log, so it
 * is mounted, for which root is needed. Stateless.
 *
 * <p>Source of the format: "XFS Algorithms and Data Structures", 3rd edition, 12.1.
 */
final class XfsImage {
  /** "XFSB", the first bytes of a superblock. */
  private static final int MAGIC = 0x58465342;

  /** In a name space of its own: nothing stays mounted, however it ends. */
  private static final String SCRIPT =
      "mount -t xfs -o loop,nouuid \"$1\" \"$2\" && cp -a \"$2/.\" \"$3\"";

  private XfsImage() {}

  /** True if one begins there. */
  static boolean at(Path file, long offset) throws IOException {
    ByteBuffer magic = ByteBuffer.allocate(Integer.BYTES);
    try (FileChannel channel = FileChannel.open(file)) {
      return channel.read(magic, offset) == Integer.BYTES && magic.getInt(0) == MAGIC;
    }
  }

  /**
   * Where a file's file system begins.
   *
   * @param alignment in bytes, of which the place is a multiple
   * @return in bytes; empty if no superblock has XFS's magic number
   */
  static OptionalLong find(Path file, long from, long alignment) throws IOException {
    for (long at = from; at < Files.size(file); at += alignment) {
      if (at(file, at)) {
        return OptionalLong.of(at);
      }
    }
    return OptionalLong.empty();
  }

  /** Replays the log, and copies all files to a folder that is there. */
  static void copyOut(Path image, Path target, HostPrograms host)
      throws IOException, InterruptedException {
    Path folder = image.toAbsolutePath().getParent();
    Path mount = Files.createDirectories(folder.resolve("mount"));
    String unshare = HostPrograms.find("unshare", "util-linux").toString();
    host.run(
        "mount-xfs",
        List.of(
            unshare,
            "--mount",
            "sh",
            "-c",
            SCRIPT,
            "sh",
            image.toString(),
            mount.toString(),
            target.toString()),
        folder);
    Files.delete(mount);
  }
}
