// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class Ext4SuperblockTest {
  private static final long MEMORY_BYTES = 256L << 20;
  private static final int AT = 2 << 20;

  @TempDir Path folder;

  private final HostPrograms host = new HostPrograms();

  @Test
  void aWholeFileSystemIsFoundAndLeftAsItIs() throws Exception {
    Path memory = memory(4096);
    assertThat(Ext4Superblock.find(memory, AT, AT)).hasValue(AT);
    assertThat(Ext4Superblock.torn(memory, AT)).isFalse();
    byte[] before = superblock(memory);
    Ext4Superblock.mend(memory, AT, host);
    assertThat(superblock(memory)).isEqualTo(before);
  }

  @Test
  void aTornSuperblockKeepsTheJournalFromBeingReplayed() throws Exception {
    Path memory = memory(4096);
    tear(memory);
    assertThatThrownBy(() -> replayJournal(memory)).hasMessageContaining("Superblock checksum");
  }

  @ParameterizedTest
  @ValueSource(ints = {1024, 4096})
  void aTornSuperblockIsMendedFromItsBackup(int blockBytes) throws Exception {
    Path memory = memory(blockBytes);
    tear(memory);
    assertThat(Ext4Superblock.torn(memory, AT)).isTrue();

    Ext4Superblock.mend(memory, AT, host);

    assertThat(Ext4Superblock.torn(memory, AT)).isFalse();
    replayJournal(memory);
    assertThat(content(memory)).isEqualTo("kept");
  }

  @Test
  void emptyMemoryHasNoFileSystem() throws Exception {
    Path memory = folder.resolve("empty");
    try (RandomAccessFile file = new RandomAccessFile(memory.toFile(), "rw")) {
      file.setLength(MEMORY_BYTES);
    }
    assertThat(Ext4Superblock.find(memory, AT, AT)).isEmpty();
  }

  private Path memory(int blockBytes) throws IOException, InterruptedException {
    Path memory = folder.resolve("memory");
    try (RandomAccessFile file = new RandomAccessFile(memory.toFile(), "rw")) {
      file.setLength(MEMORY_BYTES);
    }
    Path files = Files.createDirectory(folder.resolve("files"));
    Files.writeString(files.resolve("name"), "kept");
    String program = HostPrograms.find("mke2fs", "e2fsprogs").toString();
    host.run(
        "mke2fs",
        List.of(
            program,
            "-q",
            "-F",
            "-t",
            "ext4",
            "-O",
            "metadata_csum",
            "-b",
            Integer.toString(blockBytes),
            "-d",
            files.toString(),
            "-E",
            "offset=" + AT,
            memory.toString(),
            (MEMORY_BYTES - AT) / 1024 + "k"),
        folder);
    return memory;
  }

  /** One of its 8-byte atoms isn't what was written: here the count of free blocks. */
  private static void tear(Path memory) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(memory.toFile(), "rw")) {
      file.seek(AT + 1024 + 8);
      file.writeLong(42);
    }
  }

  private void replayJournal(Path memory) throws IOException, InterruptedException {
    String check = HostPrograms.find("e2fsck", "e2fsprogs").toString();
    host.run(
        "e2fsck", List.of(check, "-y", "-E", "journal_only", memory + "?offset=" + AT), folder);
  }

  private String content(Path memory) throws IOException, InterruptedException {
    Path copy = folder.resolve("copy");
    host.run(
        "dd",
        List.of("dd", "if=" + memory, "of=" + copy, "bs=" + AT, "skip=1", "conv=sparse"),
        folder);
    String debug = HostPrograms.find("debugfs", "e2fsprogs").toString();
    Path name = folder.resolve("name");
    host.run("debugfs", List.of(debug, "-R", "dump /name " + name, copy.toString()), folder);
    return Files.readString(name);
  }

  private static byte[] superblock(Path memory) throws IOException {
    byte[] bytes = new byte[1024];
    try (RandomAccessFile file = new RandomAccessFile(memory.toFile(), "r")) {
      file.seek(AT + 1024);
      file.readFully(bytes);
    }
    return bytes;
  }
}
