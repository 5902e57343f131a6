// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The journal of an ext4 file system in a file, as a cut of the power left it. Its last commit
 * block may be torn: what the block held before is behind a header that is new. The kernel then
 * calls the transaction corrupt and refuses the file system, though nobody was told that it is
 * durable. The remedy is e2fsck, which drops that transaction. Stateless.
 *
 * <p>Source: {@code jbd2_journal_load} of Linux 6.1.
 */
final class Ext4Journal {
  /** Of dd. */
  private static final int BLOCK_BYTES = 1 << 20;

  private Ext4Journal() {}

  /**
   * Drops the last transaction if its commit is torn; else changes nothing, so that the guest's
   * kernel replays the journal by itself.
   *
   * @param fileSystem where it begins in the file, a multiple of a MiB
   * @return true if it was
   * @throws IOException if e2fsck can't mend the file system
   */
  static boolean mend(Path file, long fileSystem, HostPrograms host)
      throws IOException, InterruptedException {
    Path folder = file.toAbsolutePath().getParent();
    Path copy = folder.resolve(file.getFileName() + ".replayed");
    try {
      copy(file, fileSystem, copy, host);
      check(List.of("-E", "journal_only", copy.toString()), folder, host);
      boolean torn = Ext4Superblock.hasErrors(copy, 0);
      if (torn) {
        check(List.of(file + "?offset=" + fileSystem), folder, host);
      }
      return torn;
    } finally {
      Files.deleteIfExists(copy);
    }
  }

  private static void check(List<String> arguments, Path folder, HostPrograms host)
      throws IOException, InterruptedException {
    host.run("e2fsck", Ext4Superblock.check(arguments), folder, Ext4Superblock.MENDED);
  }

  private static void copy(Path file, long from, Path copy, HostPrograms host)
      throws IOException, InterruptedException {
    host.run(
        "dd",
        List.of(
            HostPrograms.find("dd", "coreutils").toString(),
            "if=" + file,
            "of=" + copy,
            "bs=" + BLOCK_BYTES,
            "skip=" + from / BLOCK_BYTES,
            "conv=sparse",
            "status=none"),
        copy.getParent());
  }
}
