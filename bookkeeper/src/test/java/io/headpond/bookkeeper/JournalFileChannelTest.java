// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headpond.pmem.Device;
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

  private static ServerConfiguration with(BookieDirectories bookie, String kind) {
    ServerConfiguration configuration = bookie.configuration(BookieDirectories.OURS);
    if (kind.equals("mapped")) {
      configuration.setProperty(JournalSettings.PERSIST.name(), "msync");
    }
    return configuration;
  }

  /** The calls of JournalChannel and BufferedChannel, made to two channels alike. */
  private static final class CallPattern {
    private final FileChannel ours;
    private final FileChannel theirs;
    private final Path ourFile;
    private final Path theirFile;
    private final Random random;
    private long nextPreallocation = PREALLOCATION_BYTES;

    CallPattern(FileChannel ours, Path ourFile, FileChannel theirs, Path theirFile, Random random) {
      this.ours = ours;
      this.ourFile = ourFile;
      this.theirs = theirs;
      this.theirFile = theirFile;
      this.random = random;
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
      ours.force(true);
      theirs.force(true);
      preallocate();
    }

    void flush(int maxBytes) throws IOException {
      byte[] group = new byte[random.nextInt(maxBytes)];
      random.nextBytes(group);
      if (ours.position() + group.length > nextPreallocation) {
        nextPreallocation += PREALLOCATION_BYTES;
        preallocate();
      }
      write(group);
      if (random.nextInt(3) == 0) {
        ours.force(false);
        theirs.force(false);
      }
    }

    /** The same bytes up to the tail, and nothing but zeros behind it, however far it goes. */
    void compare() throws IOException {
      byte[] expected = Files.readAllBytes(theirFile);
      byte[] found = Files.readAllBytes(ourFile);
      int tail = (int) theirs.position();
      assertThat(Arrays.mismatch(expected, 0, tail, found, 0, tail)).isEqualTo(-1);
      for (int i = tail; i < found.length; i++) {
        if (found[i] != 0) {
          throw new AssertionError("byte " + i + " behind the tail " + tail + " is " + found[i]);
        }
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"mapped, false", "mapped, true", "plain, false", "plain, true"})
  void theFileIsTheSameAfterEveryCall(String kind, boolean reused) throws Exception {
    long seed = System.nanoTime();
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    BookieDirectories bookie = new BookieDirectories(folder);
    ServerConfiguration configuration = with(bookie, kind);
    Path ourFile = bookie.journalFile(0x20);
    Path theirFile = folder.resolve("20.txn");
    JournalDirectory directory = JournalDirectory.of(bookie.journals.toFile(), configuration);
    if (reused) { // by a file that isn't known to be zero
      byte[] stale = new byte[500_000];
      random.nextBytes(stale);
      Files.write(ourFile, stale);
    } else {
      Files.createFile(ourFile);
    }
    try (FileChannel ours = directory.writing(ourFile, configuration);
        RandomAccessFile plain = new RandomAccessFile(theirFile.toFile(), "rw")) {
      CallPattern calls = new CallPattern(ours, ourFile, plain.getChannel(), theirFile, random);
      calls.header();
      calls.compare();
      for (int i = 0; i < 150; i++) {
        calls.flush(i % 10 == 0 ? 200_000 : 20_000);
        calls.compare();
      }
    } finally {
      directory.close();
    }
    assertThat(directory.openFiles()).isZero();
  }

  @Test
  void aPreallocationIsNotWrittenToAMappedFile() throws Exception {
    BookieDirectories bookie = new BookieDirectories(folder);
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
      channel.write(ByteBuffer.wrap(new byte[] {1}), 600);
      assertThat(channel.size()).isEqualTo(601);
    } finally {
      directory.close();
    }
  }

  @Test
  void aJournalGoesOnPastTwoGibibytes() throws Exception {
    BookieDirectories bookie = new BookieDirectories(folder);
    Path file = bookie.journalFile(0x20);
    try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
      sparse.setLength(3L << 30);
    }
    ServerConfiguration configuration = with(bookie, "mapped");
    JournalDirectory directory = JournalDirectory.of(bookie.journals.toFile(), configuration);
    long at = (2L << 30) - 1_000;
    try (FileChannel channel = zeroed(directory, file, configuration)) {
      channel.position(at);
      for (int i = 1; i <= 100; i++) {
        byte[] group = new byte[100];
        Arrays.fill(group, (byte) i);
        channel.write(ByteBuffer.wrap(group));
      }
      channel.force(false);
      assertThat(channel.position()).isEqualTo(at + 10_000);
      try (FileChannel reader = FileChannel.open(file)) {
        ByteBuffer found = ByteBuffer.allocate(10_000);
        while (found.hasRemaining()) {
          assertThat(reader.read(found, at + found.position())).isPositive();
        }
        for (int i = 0; i < 10_000; i++) {
          assertThat(found.get(i)).isEqualTo((byte) (i / 100 + 1));
        }
      }
    } finally {
      directory.close();
    }
    assertThat(Files.size(file)).isEqualTo(at + 10_000);
  }

  private static FileChannel zeroed(
      JournalDirectory directory, Path file, ServerConfiguration configuration) throws IOException {
    directory.zeroed(file, Files.size(file));
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
  void aMappedFileOfTheDeviceBelowIsWhatIsUsed() throws Exception {
    // The test's folder is no DAX device: named, msync maps; unnamed, it is written to.
    BookieDirectories bookie = new BookieDirectories(folder);
    assertThat(Device.detect(bookie.journals).dax()).isFalse();
    Path file = Files.createFile(bookie.journalFile(0x20));
    for (String kind : new String[] {"mapped", "plain"}) {
      ServerConfiguration configuration = with(bookie, kind);
      JournalDirectory directory = JournalDirectory.of(bookie.journals.toFile(), configuration);
      try (FileChannel channel = directory.writing(file, configuration)) {
        assertThat(channel)
            .isInstanceOf(
                kind.equals("mapped") ? MappedJournalChannel.class : PlainJournalChannel.class);
        assertThatThrownBy(() -> channel.truncate(0))
            .isInstanceOf(UnsupportedOperationException.class)
            .hasMessageContaining(file.toString());
      } finally {
        directory.close();
      }
    }
  }
}
