// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class MappedFileTest {
  private final Account account = Account.unlimited();
  private final RunAhead runAhead =
      new RunAhead(new Background((name, failures, cause) -> {}), "ahead", 1);
  private Path folder;
  private Path path;
  private MappedFileOptions options;

  @BeforeEach
  void createFile() throws IOException {
    folder = Folders.inMemory();
    path = Files.createFile(folder.resolve("00000000000000000000.log"));
    options = BackEnds.of(folder, PersistBackend.NONE).options(account, runAhead);
  }

  @AfterEach
  void deleteFolder() throws IOException {
    runAhead.close();
    Folders.delete(folder);
  }

  private static ByteBuffer ones(int bytes) {
    byte[] content = new byte[bytes];
    Arrays.fill(content, (byte) 1);
    return ByteBuffer.wrap(content);
  }

  private static void awaitQuiet(MappedFile file) {
    while (!file.quiet()) {
      Thread.onSpinWait();
    }
  }

  @Test
  void aNewFileTakesNothingBeforeTheFirstAppendAndLittleAfterIt() throws IOException {
    try (MappedFile file = MappedFile.open(path, 0, options.firstChunkBytes(64 << 10))) {
      assertThat(file.physicalBytes()).isZero();
      assertThat(file.mapped()).isFalse();

      file.write(ones(100), 0);

      assertThat(file.mapped()).isTrue();
      assertThat(file.physicalBytes()).isEqualTo(64 << 10);
      assertThat(account.reserved()).isEqualTo(64 << 10);
      assertThat(runAhead.misses()).isZero();
    }
    assertThat(path).hasSize(100);
    assertThat(account.reserved()).isEqualTo(100);
  }

  @Test
  void chunksGrowWhileTheyAreUsedUpFastAndShrinkWhenTheyLast() throws IOException {
    long[] nanos = {0};
    MappedFileOptions timed = options.clock(() -> nanos[0]).maxChunkBytes(1 << 20);
    try (MappedFile file = MappedFile.open(path, 0, timed)) {
      assertThat(file.chunkBytes()).isEqualTo(64 << 10);
      while (file.end() < 8 << 20) {
        file.write(ones(10_000), file.end());
        nanos[0] += 1_000_000;
      }
      assertThat(file.chunkBytes()).isEqualTo(1 << 20);
      while (file.end() < 20 << 20) {
        file.write(ones(10_000), file.end());
        nanos[0] += 1_000_000_000L;
      }
      assertThat(file.chunkBytes()).isEqualTo(64 << 10);
      assertThat(file.physicalBytes() - file.end()).isLessThan(3 << 20);
    }
  }

  @Test
  void aWriterThatIsNotTooFastNeverGrowsItsFileItself() throws IOException {
    try (MappedFile file = MappedFile.open(path, 0, options)) {
      while (file.end() < 50 << 20) {
        file.write(ones(1_000), file.end());
        if (file.end() % 16_000 == 0) {
          awaitQuiet(file);
        }
      }
      assertThat(runAhead.misses()).isZero();
    }
  }

  @Test
  void aWriterThatOvertakesTheRunAheadWaitsAndIsCounted() throws IOException {
    runAhead.close(); // nobody runs ahead any more
    try (MappedFile file = MappedFile.open(path, 0, options)) {
      for (int i = 0; i < 100; i++) {
        file.write(ones(64 << 10), file.end());
      }
      assertThat(runAhead.misses()).isGreaterThan(5);
      assertThat(file.quiet()).isTrue();
    }
    Contents.are(path, 100 * (64 << 10), 1);
  }

  @Test
  void aWriteLargerThanAnyChunkIsWritten() throws IOException {
    byte[] content = new byte[5 << 20];
    new Random(1).nextBytes(content);
    try (MappedFile file = MappedFile.open(path, 0, options.maxChunkBytes(1 << 20))) {
      file.write(ones(3), 0);
      assertThat(file.write(ByteBuffer.wrap(content), 3)).isEqualTo(content.length);
    }
    byte[] read = Files.readAllBytes(path);
    assertThat(Arrays.copyOfRange(read, 3, read.length)).isEqualTo(content);
  }

  @Test
  void whatIsNotKnownToBeZeroIsCutOffAtOpening() throws IOException {
    Files.write(path, ones(10_000).array());
    account.reserve(10_000);
    try (MappedFile file = MappedFile.open(path, 4_000, options)) {
      assertThat(path).hasSize(4_000);
      assertThat(account.reserved()).isEqualTo(4_000);
      file.write(ones(1), 5_000);
    }
    byte[] read = Files.readAllBytes(path);
    assertThat(read).hasSize(5_001);
    assertThat(Arrays.copyOf(read, 4_000)).containsOnly(1);
    assertThat(Arrays.copyOfRange(read, 4_000, 5_000)).containsOnly(0);
  }

  @Test
  void anEndOutsideTheFileIsRefused() {
    assertThatThrownBy(() -> MappedFile.open(path, 1, options))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("outside the file's 0 bytes");
  }

  @Test
  void anEmptyWriteChangesNothing() throws IOException {
    try (MappedFile file = MappedFile.open(path, 0, options)) {
      assertThat(file.write(ByteBuffer.allocate(0), 1_000)).isZero();
      file.write(ones(10), 0);
      assertThat(file.write(ByteBuffer.allocate(0), 1_000)).isZero();
      assertThat(file.end()).isEqualTo(10);
    }
  }

  @Test
  void aClosedFileRefusesAndClosesTwice() throws IOException {
    MappedFile file = MappedFile.open(path, 0, options);
    file.write(ones(10), 0);
    file.close();
    file.close();

    assertThatThrownBy(() -> file.write(ones(1), 10)).isInstanceOf(ClosedChannelException.class);
    assertThatThrownBy(file::trim).isInstanceOf(ClosedChannelException.class);
    assertThatThrownBy(file::force).isInstanceOf(ClosedChannelException.class);
    assertThatThrownBy(() -> file.truncate(0)).isInstanceOf(ClosedChannelException.class);
    assertThat(file.end()).isEqualTo(10);
  }

  @Test
  void anInterruptedWriterWritesAndStaysInterrupted() throws IOException {
    try (MappedFile file = MappedFile.open(path, 0, options)) {
      for (int i = 0; i < 50; i++) {
        Thread.currentThread().interrupt();
        file.write(ones(100_000), file.end());
        file.write(ones(10), 0);
        assertThat(Thread.interrupted()).isTrue();
        Thread.currentThread().interrupt();
        file.trim();
        assertThat(Thread.interrupted()).isTrue();
      }
      assertThat(file.end()).isEqualTo(5_000_000);
    }
    Contents.are(path, 5_000_000, 1);
  }

  @Test
  void closingAndTrimmingWhileTheRunAheadWorksLosesNoSpace() throws IOException {
    long seed = System.nanoTime();
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    MappedFileOptions large = options.firstChunkBytes(8 << 20);
    long size = 0;
    for (int i = 0; i < 300; i++) {
      try (MappedFile file = MappedFile.open(path, size, large)) {
        file.write(ones(1 + random.nextInt(100_000)), file.end());
        switch (random.nextInt(4)) {
          case 0 -> file.trim();
          case 1 -> file.truncate(random.nextInt((int) file.end()));
          case 2 -> awaitQuiet(file);
          default -> {}
        }
        if (file.quiet()) {
          assertThat(account.reserved()).as("seed " + seed).isEqualTo(file.physicalBytes());
        }
        file.truncate(Math.min(file.end(), 200_000));
      }
      size = Files.size(path);
      assertThat(account.reserved()).as("seed " + seed).isEqualTo(size);
    }
    Files.delete(path);
    account.release(size);
    assertThat(account.reserved()).isZero();
  }

  /** Another file's mapping is refused while this one's next window is on its way. */
  @Test
  void aWindowThatComesLateTouchesNothingThatWasWritten() throws IOException {
    CountDownLatch late = busyRunAhead();
    try (MappedFile file = MappedFile.open(path, 0, options.firstChunkBytes(64 << 10))) {
      file.write(ones(60_000), 0); // asks for the window behind 64 KiB
      assertThat(file.quiet()).isFalse();
      runAhead.pauseMapping();
      file.write(ones(100_000), 60_000);

      late.countDown();
      awaitQuiet(file);
    }
    Contents.are(path, 160_000, 1);
  }

  @Test
  void aTrimForgetsTheWindowThatIsOnItsWay() throws IOException {
    CountDownLatch late = busyRunAhead();
    try (MappedFile file = MappedFile.open(path, 0, options.firstChunkBytes(64 << 10))) {
      file.write(ones(60_000), 0);
      assertThat(file.quiet()).isFalse();

      file.trim();

      assertThat(file.quiet()).isTrue();
      late.countDown();
      runAhead.close();
      assertThat(path).hasSize(60_000);
    }
  }

  /** Nothing is done ahead until the latch is released. */
  private CountDownLatch busyRunAhead() {
    CountDownLatch released = new CountDownLatch(1);
    runAhead.submit(
        new RunAhead.Client() {
          @Override
          public void runAhead() {
            try {
              released.await();
            } catch (InterruptedException e) {
              throw new AssertionError(e);
            }
          }

          @Override
          public void runAheadDropped() {}
        });
    return released;
  }

  @Test
  void whereNoMappingIsToBeHadWritesGoThroughTheFile() throws IOException {
    WindowMapper refuses =
        (file, start, limit, mapping) -> {
          throw new IOException("Map failed", new OutOfMemoryError("Map failed"));
        };
    try (MappedFile file = MappedFile.open(path, 0, options.mapper(refuses))) {
      for (int i = 0; i < 300; i++) {
        ByteBuffer src = ones(1_000);
        assertThat(file.write(src, file.end())).isEqualTo(1_000);
        assertThat(src.hasRemaining()).isFalse();
      }
      assertThat(file.mapped()).isFalse();
      assertThat(file.end()).isEqualTo(300_000);
      assertThat(account.reserved()).isEqualTo(file.physicalBytes());
      file.truncate(250_000);
      file.write(ones(10), 260_000);
    }
    byte[] read = Files.readAllBytes(path);
    assertThat(Arrays.copyOf(read, 250_000)).containsOnly(1);
    assertThat(Arrays.copyOfRange(read, 250_000, 260_000)).containsOnly(0);
    assertThat(read).hasSize(260_010);
    assertThat(account.reserved()).isEqualTo(260_010);
  }
}
