// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.headpond.pmem.Device;
import io.headpond.pmem.Durability;
import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.apache.bookkeeper.bookie.BookieFileChannel;
import org.apache.bookkeeper.bookie.DefaultFileChannelProvider;
import org.apache.bookkeeper.bookie.FileChannelProvider;
import org.apache.bookkeeper.conf.ServerConfiguration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The channel does to its file what BookKeeper's own does, call by call. */
class JournalFileChannelTest {
  private static final int SECTOR_BYTES = 512;
  private static final int PREALLOCATION_BYTES = 1 << 20;

  @TempDir Path folder;

  @TempDir(factory = InMemory.class)
  Path memory;

  private static ServerConfiguration with(BookieDirectories bookie, String kind) {
    ServerConfiguration configuration = bookie.configuration(BookieDirectories.OURS);
    InMemory.mapped(kind.equals("mapped"));
    return configuration;
  }

  private BookieDirectories bookie(String kind) throws IOException {
    return new BookieDirectories(kind.equals("mapped") ? memory : folder);
  }

  @AfterEach
  void mapNothing() {
    InMemory.mapped(false);
  }

  /** The calls of JournalChannel and BufferedChannel, made to two channels alike. */
  private static final class CallPattern {
    private final FileChannel ours;
    private final FileChannel theirs;
    private final Path ourFile;
    private final Path theirFile;
    private final Random random;
    private final byte[] before;
    private int committed;
    private long nextPreallocation = PREALLOCATION_BYTES;
    private byte[] records = new byte[0];
    private int written;

    /** {@code before}: what our file has from an earlier life. */
    CallPattern(
        FileChannel ours,
        Path ourFile,
        FileChannel theirs,
        Path theirFile,
        Random random,
        byte[] before) {
      this.ours = ours;
      this.ourFile = ourFile;
      this.theirs = theirs;
      this.theirFile = theirFile;
      this.random = random;
      this.before = before;
    }

    private void write(byte[] bytes) throws IOException {
      ByteBuffer direct = ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
      assertThat(ours.write(direct)).isEqualTo(bytes.length);
      assertThat(direct.hasRemaining()).isFalse();
      theirs.write(ByteBuffer.wrap(bytes));
      assertThat(ours.position()).isEqualTo(theirs.position());
    }

    private void preallocate() throws IOException {
      ByteBuffer zeros = ByteBuffer.allocate(SECTOR_BYTES);
      assertThat(ours.write(zeros, nextPreallocation - SECTOR_BYTES)).isEqualTo(SECTOR_BYTES);
      theirs.write(zeros.flip(), nextPreallocation - SECTOR_BYTES);
    }

    void header() throws IOException {
      byte[] header = new byte[SECTOR_BYTES];
      ByteBuffer.wrap(header).put("BKLG".getBytes()).putInt(6);
      write(header);
      committed = SECTOR_BYTES;
      ours.force(true);
      theirs.force(true);
      preallocate();
    }

    void flush(int maxBytes) throws IOException {
      byte[] group = group(maxBytes);
      if (ours.position() + group.length > nextPreallocation) {
        nextPreallocation += PREALLOCATION_BYTES;
        preallocate();
      }
      write(group);
      if (written == records.length) {
        committed = SECTOR_BYTES + written;
      }
      if (random.nextInt(3) == 0) {
        ours.force(false);
        theirs.force(false);
      }
    }

    /** The last record is whole and ends just before the preallocated bytes do. */
    void flushUpToPreallocation(int bytesLeft) throws IOException {
      byte[] rest = Arrays.copyOfRange(records, written, records.length);
      written = records.length;
      write(rest);
      if (nextPreallocation - ours.position() < 2 * SECTOR_BYTES) {
        nextPreallocation += PREALLOCATION_BYTES;
        preallocate();
      }
      int length = (int) (nextPreallocation - ours.position()) - bytesLeft;
      byte[] body = new byte[length - Integer.BYTES];
      random.nextBytes(body);
      byte[] record = ByteBuffer.allocate(length).putInt(body.length).put(body).array();
      records = Arrays.copyOf(records, written + length);
      System.arraycopy(record, 0, records, written, length);
      written += length;
      write(record);
      committed = SECTOR_BYTES + written;
    }

    /** Records one after the other, now and then padding; often cut in the middle of one. */
    private byte[] group(int maxBytes) {
      int wanted = random.nextInt(maxBytes);
      while (records.length - written < wanted) {
        boolean padding = random.nextInt(5) == 0;
        int length = padding ? random.nextInt(600) : 1 + random.nextInt(9_000);
        ByteBuffer record = ByteBuffer.allocate((padding ? 8 : 4) + length);
        if (padding) {
          record.putInt(-0x100).putInt(length);
        } else {
          byte[] body = new byte[length];
          random.nextBytes(body);
          record.putInt(length).put(body);
        }
        int before = records.length;
        records = Arrays.copyOf(records, before + record.capacity());
        System.arraycopy(record.array(), 0, records, before, record.capacity());
      }
      int end = random.nextInt(3) == 0 ? records.length : written + wanted;
      byte[] group = Arrays.copyOfRange(records, written, end);
      written = end;
      return group;
    }

    /**
     * The same bytes up to the tail, but for what BookKeeper skips, and for the head of a group
     * that isn't whole; that, or as much behind the tail, is zero; and what follows is zero or as
     * it was before.
     */
    void compare() throws IOException {
      byte[] expected = Files.readAllBytes(theirFile);
      byte[] found = Files.readAllBytes(ourFile);
      int tail = (int) theirs.position();
      int untouched = Math.max(tail, committed + GroupHead.BYTES);
      expected = Arrays.copyOf(expected, Math.max(expected.length, untouched));
      Arrays.fill(expected, committed, committed + GroupHead.BYTES, (byte) 0);
      found = Arrays.copyOf(found, Math.max(found.length, untouched)); // none behind its end
      System.arraycopy(found, 8, expected, 8, SECTOR_BYTES - 8);
      skipTrailers(expected, found);
      assertThat(Arrays.mismatch(expected, 0, untouched, found, 0, untouched)).isEqualTo(-1);
      for (int i = untouched; i < found.length; i++) {
        if (found[i] != 0 && (i >= before.length || found[i] != before[i])) {
          throw new AssertionError("byte " + i + " behind the tail " + tail + " is " + found[i]);
        }
      }
    }

    /** The end of what pads a group may hold its trailer. */
    private void skipTrailers(byte[] expected, byte[] found) {
      ByteBuffer record = ByteBuffer.wrap(records, 0, committed - SECTOR_BYTES);
      while (record.hasRemaining()) {
        int length = record.getInt();
        boolean padding = length == -0x100;
        length = padding ? record.getInt() : length;
        record.position(record.position() + length);
        if (padding && length >= GroupTrailer.BYTES) {
          int at = SECTOR_BYTES + record.position() - GroupTrailer.BYTES;
          System.arraycopy(found, at, expected, at, GroupTrailer.BYTES);
        }
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "mapped, new",
    "mapped, unknown",
    "mapped, ready",
    "plain, new",
    "plain, unknown",
    "plain, ready"
  })
  void theFileIsTheSameAfterEveryCall(String kind, String life) throws Exception {
    theFileIsTheSameAfterEveryCall(kind, life, bookie(kind));
  }

  /** Where nothing is written ahead. */
  @ParameterizedTest
  @ValueSource(strings = {"new", "unknown", "ready"})
  void theFileInMemoryIsTheSameAfterEveryCall(String life) throws Exception {
    theFileIsTheSameAfterEveryCall("plain", life, new BookieDirectories(memory));
  }

  private void theFileIsTheSameAfterEveryCall(String kind, String life, BookieDirectories bookie)
      throws Exception {
    long seed = System.nanoTime();
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    ServerConfiguration configuration = with(bookie, kind);
    Path ourFile = bookie.journalFile(0x20);
    Path theirFile = folder.resolve("20.txn");
    JournalDirectory directory = JournalDirectory.of(bookie.journals.toFile(), configuration);
    byte[] before = new byte[life.equals("new") ? 0 : 500_000];
    random.nextBytes(before);
    Arrays.fill(before, 0, Math.min(before.length, 4096), (byte) 0);
    Files.write(ourFile, before);
    if (life.equals("ready")) {
      directory.ready(ourFile, before.length, false);
    } else {
      before = new byte[0];
    }
    try (FileChannel ours = directory.writing(ourFile, configuration);
        RandomAccessFile plain = new RandomAccessFile(theirFile.toFile(), "rw")) {
      CallPattern calls =
          new CallPattern(ours, ourFile, plain.getChannel(), theirFile, random, before);
      calls.header();
      calls.compare();
      for (int i = 0; i < 150; i++) {
        calls.flush(i % 10 == 0 ? 200_000 : 20_000);
        calls.compare();
      }
      calls.flushUpToPreallocation(100);
      calls.compare();
    } finally {
      directory.close();
    }
    assertThat(directory.openFiles()).isZero();
  }

  /** A full device: what the failed write left must not be taken for records. */
  @ParameterizedTest
  @ValueSource(ints = {0, 3, 1_000})
  void aWriteThatFailsHalfwayLeavesNoRecord(int openBytes) throws Exception {
    BookieDirectories bookie = new BookieDirectories(folder);
    assumeTrue(root());
    new ProcessBuilder("mount", "-t", "tmpfs", "-o", "size=1m", "hp", bookie.journals.toString())
        .start()
        .waitFor();
    Path file = bookie.journalFile(0x20);
    try {
      assumeTrue(Device.detect(bookie.journals).fileSystemType().equals("tmpfs"));
      assumeTrue(Files.getFileStore(bookie.journals).getTotalSpace() == 1 << 20);
      Files.createFile(file);
      ServerConfiguration configuration = with(bookie, "plain");
      JournalDirectory directory = JournalDirectory.of(bookie.journals.toFile(), configuration);
      try (FileChannel channel = directory.writing(file, configuration)) {
        channel.write(ByteBuffer.allocate(SECTOR_BYTES));
        byte[] whole = new byte[2_000];
        Arrays.fill(whole, (byte) 5);
        channel.write(ByteBuffer.wrap(whole).putInt(0, 1_996));
        ByteBuffer large = ByteBuffer.allocate(2 << 20);
        Arrays.fill(large.array(), (byte) 6);
        large.putInt(0, large.capacity() - 4);
        channel.write(large.slice().limit(openBytes));
        ByteBuffer rest = large.position(openBytes).slice();
        assertThatThrownBy(() -> channel.write(rest)).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> channel.write(ByteBuffer.wrap(whole)))
            .isInstanceOf(IOException.class);
      } finally {
        directory.close();
      }
      byte[] left = Files.readAllBytes(file);
      assertThat(left.length).isGreaterThan(SECTOR_BYTES + 2_000);
      assertThat(left[SECTOR_BYTES + 1_999]).isEqualTo((byte) 5);
      for (int i = SECTOR_BYTES + 2_000; i < SECTOR_BYTES + 2_004; i++) {
        assertThat(left[i]).as("byte %d, of the next length", i).isZero();
      }
    } finally {
      new ProcessBuilder("umount", "-l", bookie.journals.toString()).start().waitFor();
    }
  }

  private static boolean root() {
    return System.getProperty("user.name").equals("root");
  }

  private static ByteBuffer group(int bytes) {
    return ByteBuffer.allocateDirect(bytes).putInt(0, bytes - Integer.BYTES);
  }

  /** A sector behind it would dirty another page of a disk. */
  @ParameterizedTest
  @ValueSource(strings = {"mapped", "plain"})
  void aNewFileEndsWithItsLastGroup(String kind) throws Exception {
    // A written one on a disk goes on in zeros.
    BookieDirectories bookie = new BookieDirectories(memory);
    ServerConfiguration configuration = with(bookie, kind);
    Path file = Files.createFile(bookie.journalFile(0x20));
    JournalDirectory directory = JournalDirectory.of(bookie.journals.toFile(), configuration);
    try (FileChannel channel = directory.writing(file, configuration)) {
      channel.write(ByteBuffer.allocate(SECTOR_BYTES));
      channel.write(group(4096 - SECTOR_BYTES));
      channel.write(group(4096));
      channel.force(false);
    } finally {
      directory.close();
    }
    assertThat(Files.size(file)).isEqualTo(8192);
  }

  @ParameterizedTest
  @CsvSource({"mapped, true", "mapped, false", "plain, true", "plain, false"})
  void zerosAreStoredBehindAGroupWhereOldBytesCanBe(String kind, boolean zeroed) throws Exception {
    BookieDirectories bookie = bookie(kind);
    ServerConfiguration configuration = with(bookie, kind);
    Path file = bookie.journalFile(0x20);
    byte[] old = new byte[1 << 20];
    Arrays.fill(old, (byte) 7); // shows what was stored, though nothing is zeroed
    Files.write(file, old);
    JournalDirectory directory = JournalDirectory.of(bookie.journals.toFile(), configuration);
    directory.ready(file, old.length, zeroed);
    try (FileChannel channel = directory.writing(file, configuration)) {
      channel.write(ByteBuffer.allocate(SECTOR_BYTES));
      channel.write(group(4096));
      byte[] behind = Arrays.copyOfRange(Files.readAllBytes(file), 4608, 4608 + SECTOR_BYTES);
      assertThat(behind).containsOnly(zeroed ? 7 : 0);
    } finally {
      directory.close();
    }
  }

  @Test
  void aPreallocationIsNotWrittenToAMappedFile() throws Exception {
    BookieDirectories bookie = bookie("mapped");
    ServerConfiguration configuration = with(bookie, "mapped");
    Path file = Files.createFile(bookie.journalFile(0x20));
    JournalDirectory directory = JournalDirectory.of(bookie.journals.toFile(), configuration);
    try (FileChannel channel = directory.writing(file, configuration)) {
      channel.write(ByteBuffer.allocate(SECTOR_BYTES));
      long size = Files.size(file);
      channel.write(ByteBuffer.allocate(SECTOR_BYTES), 100 << 20);
      assertThat(Files.size(file)).isLessThan(20 << 20).isGreaterThanOrEqualTo(size);
      assertThat(channel.size()).isEqualTo(SECTOR_BYTES);
      // Anything but zeros is no preallocation.
      channel.write(ByteBuffer.wrap(new byte[] {1}), 1_500);
      assertThat(channel.size()).isEqualTo(1_501);
    } finally {
      directory.close();
    }
  }

  @Test
  void aJournalGoesOnPastTwoGibibytes() throws Exception {
    BookieDirectories bookie = bookie("mapped");
    Path file = bookie.journalFile(0x20);
    try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
      sparse.setLength(3L << 30);
    }
    ServerConfiguration configuration = with(bookie, "mapped");
    JournalDirectory directory = JournalDirectory.of(bookie.journals.toFile(), configuration);
    long at = (2L << 30) - 1_000;
    try (FileChannel channel = ready(directory, file, configuration)) {
      channel.position(at);
      for (int i = 1; i <= 100; i++) {
        byte[] group = new byte[100];
        Arrays.fill(group, (byte) i);
        channel.write(ByteBuffer.wrap(group).putInt(0, 96));
      }
      channel.force(false);
      assertThat(channel.position()).isEqualTo(at + 10_000);
      try (FileChannel reader = FileChannel.open(file)) {
        ByteBuffer found = ByteBuffer.allocate(10_000);
        while (found.hasRemaining()) {
          assertThat(reader.read(found, at + found.position())).isPositive();
        }
        for (int i = 0; i < 10_000; i++) {
          byte expected = (byte) (i % 100 > 3 ? i / 100 + 1 : i % 100 == 3 ? 96 : 0);
          assertThat(found.get(i)).isEqualTo(expected);
        }
      }
    } finally {
      directory.close();
    }
    assertThat(Files.size(file)).isEqualTo(at + 10_000 + GroupHead.BYTES);
  }

  private static FileChannel ready(
      JournalDirectory directory, Path file, ServerConfiguration configuration) throws IOException {
    directory.ready(file, Files.size(file), false);
    return directory.writing(file, configuration);
  }

  /** No shorter file is left by either provider, but an operator's copy may be cut anywhere. */
  @ParameterizedTest
  @ValueSource(ints = {0, 3, 4, 7, 8, 100, 511, 512, 513, 515, 516, 600})
  void aFileCutInItsHeaderReadsAsTheDefaultProviderReadsIt(int bytes) throws Exception {
    BookieDirectories bookie = new BookieDirectories(folder);
    byte[] content = new byte[1_000];
    Arrays.fill(content, (byte) 7);
    ByteBuffer.wrap(content).put("BKLG".getBytes()).putInt(6);
    File file = bookie.journalFile(0x20).toFile();
    Files.write(file.toPath(), Arrays.copyOf(content, bytes));
    ServerConfiguration configuration = bookie.configuration(BookieDirectories.OURS);
    assertThat(read(new PmemJournalChannelProvider(), file, configuration))
        .isEqualTo(read(new DefaultFileChannelProvider(), file, configuration))
        .hasSize(bytes);
  }

  private static byte[] read(
      FileChannelProvider provider, File file, ServerConfiguration configuration)
      throws IOException {
    BookieFileChannel opened = provider.open(file, configuration);
    assertThat(opened.fileExists(file)).isTrue();
    try (FileChannel channel = opened.getFileChannel()) {
      ByteBuffer all = ByteBuffer.allocate(2_000);
      int read = channel.read(all);
      return Arrays.copyOf(all.array(), Math.max(0, read));
    } finally {
      provider.close(opened);
      provider.close();
    }
  }

  @Test
  void theDeviceDecidesHowAJournalIsWritten() throws Exception {
    assumeTrue(Device.detect(folder).writesInPlace(), "ext4 or XFS");
    assumeTrue(Device.detect(memory).durability() == Durability.VOLATILE, "no memory here");
    for (String kind : new String[] {"mapped", "plain"}) {
      BookieDirectories bookie = bookie(kind);
      Path file = Files.createFile(bookie.journalFile(0x20));
      ServerConfiguration configuration = with(bookie, kind);
      JournalDirectory directory = JournalDirectory.of(bookie.journals.toFile(), configuration);
      try (FileChannel channel = directory.writing(file, configuration)) {
        assertThat(channel)
            .isInstanceOf(
                kind.equals("mapped") ? MappedJournalChannel.class : WrittenJournalChannel.class);
        assertThatThrownBy(() -> channel.truncate(0))
            .isInstanceOf(UnsupportedOperationException.class)
            .hasMessageContaining(file.toString());
      } finally {
        directory.close();
      }
    }
  }
}
