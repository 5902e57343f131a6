// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class Ext4JournalTest {
  private static final int BLOCK = 1024;
  private static final int SECTOR = 512;
  private static final int MAGIC = 0xC03B3998;
  private static final int COMMIT = 2;

  /** Free at first; a transaction writes it. */
  private static final int WRITTEN_BLOCK = 9000;

  @TempDir Path folder;

  private final HostPrograms host = new HostPrograms();
  private Path disk;

  /** A file system with one transaction in its journal. */
  @BeforeEach
  void make() throws Exception {
    disk = folder.resolve("disk");
    run(
        "mke2fs",
        List.of("-q", "-F", "-t", "ext4", "-O", "metadata_csum", "-b", "1024", disk + "", "16M"));
    Path data = Files.write(folder.resolve("data"), block(7));
    Path commands =
        Files.write(
            folder.resolve("commands"),
            List.of("jo -c", "jw -b " + WRITTEN_BLOCK + " " + data, "jc"));
    run("debugfs", List.of("-w", "-f", commands.toString(), disk.toString()));
  }

  private void run(String program, List<String> arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(arguments);
    command.add(0, HostPrograms.find(program, "e2fsprogs").toString());
    host.run(program, command, folder);
  }

  private static byte[] block(int value) {
    byte[] block = new byte[BLOCK];
    Arrays.fill(block, (byte) value);
    return block;
  }

  private byte[] written() throws IOException {
    byte[] bytes = Files.readAllBytes(disk);
    int at = WRITTEN_BLOCK * BLOCK;
    return Arrays.copyOfRange(bytes, at, at + BLOCK);
  }

  /** The second sector of its commit block is what an older transaction left there. */
  private void tear() throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(disk));
    int at = 0;
    while (bytes.getInt(at) != MAGIC || bytes.getInt(at + 4) != COMMIT) {
      at += BLOCK;
    }
    try (RandomAccessFile file = new RandomAccessFile(disk.toFile(), "rw")) {
      file.seek(at + SECTOR);
      file.write(block(9), 0, SECTOR);
    }
  }

  @Test
  void aTornCommitIsDroppedAndTheFileSystemIsWhole() throws Exception {
    tear();
    assertThat(Ext4Journal.mend(disk, 0, host)).isTrue();
    assertThat(Ext4Superblock.hasErrors(disk, 0)).isFalse();
    assertThat(Ext4Journal.mend(disk, 0, host)).isFalse();
    assertThat(written()).containsOnly(0);
  }

  @Test
  void aWholeJournalIsLeftToTheKernel() throws Exception {
    byte[] before = Files.readAllBytes(disk);
    assertThat(Ext4Journal.mend(disk, 0, host)).isFalse();
    assertThat(Files.readAllBytes(disk)).isEqualTo(before);
    assertThat(folder.resolve("disk.replayed")).doesNotExist();
  }
}
