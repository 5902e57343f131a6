// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.zip.CRC32C;

/**
 * The superblock of an ext4 file system in a file, as a cut of the power left it. It is two sectors
 * long, and persistent memory has no atomic sectors at all: a cut within the kernel's own write of
 * the superblock tears it, and its checksum then refuses the file system, before its journal could
 * be replayed. The remedy is the one that mount and e2fsck name: the superblock's backup.
 * Stateless.
 *
 * <p>Source of the format: "ext4 Data Structures and Algorithms", 3.1, of the Linux kernel.
 */
final class Ext4Superblock {
  private static final int AT = 1024;
  private static final int BYTES = 1024;
  private static final short MAGIC = (short) 0xEF53;
  private static final int MAGIC_AT = 0x38;
  private static final int STATE_AT = 0x3A;
  private static final int ERRORS = 2;
  private static final int FEATURES_AT = 0x64;
  private static final int CHECKSUMS = 0x400;
  private static final int CHECKSUM_AT = 0x3FC;

  /** The geometry, which never changes, so that no tear harms it. */
  private static final int FIRST_BLOCK_AT = 0x14;

  private static final int BLOCK_SIZE_AT = 0x18;
  private static final int GROUP_BLOCKS_AT = 0x20;
  private static final int SMALLEST_BLOCK_BYTES = 1024;

  /** e2fsck's exit code if it has mended something. */
  static final int MENDED = 1;

  private Ext4Superblock() {}

  /**
   * Where a file's file system begins.
   *
   * @param alignment in bytes, of which the place is a multiple
   * @return in bytes; empty if no superblock has ext4's magic number
   */
  static OptionalLong find(Path file, long from, long alignment) throws IOException {
    for (long at = from; at + AT + BYTES <= Files.size(file); at += alignment) {
      if (read(file, at).getShort(MAGIC_AT) == MAGIC) {
        return OptionalLong.of(at);
      }
    }
    return OptionalLong.empty();
  }

  /** True if it says that the file system has errors. */
  static boolean hasErrors(Path file, long fileSystem) throws IOException {
    return (read(file, fileSystem).getShort(STATE_AT) & ERRORS) != 0;
  }

  /** True if its checksum doesn't match; false if it has none. */
  static boolean torn(Path file, long fileSystem) throws IOException {
    ByteBuffer superblock = read(file, fileSystem);
    if ((superblock.getInt(FEATURES_AT) & CHECKSUMS) == 0) {
      return false;
    }
    CRC32C crc = new CRC32C();
    crc.update(superblock.slice(0, CHECKSUM_AT));
    // ext4 doesn't invert the result.
    return superblock.getInt(CHECKSUM_AT) != ~(int) crc.getValue();
  }

  /**
   * Puts the backup of block group 1 in its place and replays the journal, if it is torn; else
   * changes nothing.
   *
   * @throws IOException if e2fsck can't mend the file system
   */
  static void mend(Path file, long fileSystem, HostPrograms host)
      throws IOException, InterruptedException {
    if (torn(file, fileSystem)) {
      ByteBuffer geometry = read(file, fileSystem);
      int backup = geometry.getInt(FIRST_BLOCK_AT) + geometry.getInt(GROUP_BLOCKS_AT);
      int blockBytes = SMALLEST_BLOCK_BYTES << geometry.getInt(BLOCK_SIZE_AT);
      host.run(
          "e2fsck",
          check(
              List.of(
                  "-b",
                  Integer.toString(backup),
                  "-B",
                  Integer.toString(blockBytes),
                  file + "?offset=" + fileSystem)),
          file.toAbsolutePath().getParent(),
          MENDED);
    }
  }

  /** A command line of e2fsck that mends whatever it can. */
  static List<String> check(List<String> arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(HostPrograms.find("e2fsck", "e2fsprogs").toString());
    command.add("-y");
    command.addAll(arguments);
    return command;
  }

  private static ByteBuffer read(Path file, long fileSystem) throws IOException {
    ByteBuffer superblock = ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN);
    try (FileChannel channel = FileChannel.open(file)) {
      while (superblock.hasRemaining()) {
        long at = fileSystem + AT + superblock.position();
        if (channel.read(superblock, at) < 0) {
          throw new EOFException(file + " ends within the superblock at byte " + at);
        }
      }
    }
    return superblock.flip();
  }
}
