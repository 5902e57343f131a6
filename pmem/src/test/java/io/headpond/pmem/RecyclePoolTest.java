// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RecyclePoolTest {
  private final Account account = Account.unlimited();
  private Path folder;
  private Path poolFolder;
  private RecyclePool pool;

  @BeforeEach
  void createPool() throws IOException {
    folder = Folders.inMemory();
    poolFolder = folder.resolve("pool");
    pool =
        new RecyclePool(
            poolFolder,
            10_000_000,
            3,
            account,
            new Background((name, failures, cause) -> {}),
            "recycle");
  }

  @AfterEach
  void deleteFolder() throws IOException {
    pool.close();
    Folders.delete(folder);
  }

  private Path segment(String name, int bytes) throws IOException {
    byte[] content = new byte[bytes];
    Arrays.fill(content, (byte) 7);
    account.reserve(bytes);
    return Files.write(folder.resolve(name), content);
  }

  private static void await(BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      Thread.onSpinWait();
    }
  }

  private long pooledFiles() throws IOException {
    try (Stream<Path> files = Files.list(poolFolder)) {
      return files.count();
    }
  }

  @Test
  void anOfferedFileComesBackWholeAndZero() throws IOException {
    Path old = segment("old.log", 3_000_001);

    assertThat(pool.offer(old)).isTrue();

    assertThat(old).doesNotExist();
    assertThat(pool.bytes()).isEqualTo(3_000_001);
    await(() -> pool.zeroedBytes() == 3_000_001);
    Path destination = folder.resolve("new.log");
    assertThat(pool.take(destination, 1, 4_000_000)).contains(destination);
    Contents.are(destination, 3_000_001, 0);
    assertThat(pool.bytes()).isZero();
    assertThat(account.reserved()).isEqualTo(3_000_001);
  }

  @Test
  void aRecycledFileIsGrownIntoWithoutReservingMore() throws IOException {
    pool.offer(segment("old.log", 4 << 20));
    await(() -> pool.zeroedBytes() > 0);
    Path path = pool.take(folder.resolve("new.log"), 1, 8 << 20).orElseThrow();
    try (RunAhead runAhead =
        new RunAhead(new Background((name, failures, cause) -> {}), "ahead", 1)) {
      MappedFileOptions options =
          MappedFileOptions.of(Device.detect(folder), PersistBackend.NONE, account, runAhead)
              // Chunks that stay within the file, however fast the writer is.
              .maxChunkBytes(1 << 20)
              .keepTail(true);
      try (MappedFile file = MappedFile.open(path, 0, options)) {
        byte[] record = new byte[100_000];
        Arrays.fill(record, (byte) 1);
        for (int i = 0; i < 10; i++) {
          file.write(ByteBuffer.wrap(record), file.end());
        }
        assertThat(account.reserved()).isEqualTo(4 << 20);
        assertThat(file.physicalBytes()).isEqualTo(4 << 20);
      }
      Contents.are(path, 1_000_000, 1);
      assertThat(account.reserved()).isEqualTo(1_000_000);
    }
  }

  @Test
  void theLargestFileWithinTheSizesAskedForIsHandedOut() throws IOException {
    for (int bytes : new int[] {1_000, 2_000, 3_000}) {
      pool.offer(segment(bytes + ".log", bytes));
    }
    await(() -> pool.zeroedBytes() == 6_000);

    assertThat(pool.take(folder.resolve("a"), 3_001, 9_000)).isEmpty();
    assertThat(pool.take(folder.resolve("b"), 1, 2_999)).isPresent();
    assertThat(folder.resolve("b")).hasSize(2_000);
  }

  @Test
  void aFullPoolRefusesByBytesAndByFiles() throws IOException {
    assertThat(pool.offer(segment("too-large", 10_000_001))).isFalse();
    assertThat(pool.offer(segment("1", 9_000_000))).isTrue();
    assertThat(pool.offer(segment("2", 1_000_001))).isFalse();
    assertThat(pool.offer(segment("3", 100))).isTrue();
    assertThat(pool.offer(segment("4", 100))).isTrue();
    assertThat(pool.offer(segment("5", 100))).isFalse();

    assertThat(folder.resolve("2")).hasSize(1_000_001);
    assertThat(folder.resolve("5")).hasSize(100);
  }

  @Test
  void filesThatOthersMayStillSeeAreRefused() throws IOException {
    Path linked = segment("linked", 1_000);
    Files.createLink(folder.resolve("backup"), linked);
    Path symbolic = Files.createSymbolicLink(folder.resolve("symbolic"), segment("x", 10));

    assertThat(pool.offer(linked)).isFalse();
    assertThat(pool.offer(symbolic)).isFalse();
    assertThat(pool.offer(Files.createFile(folder.resolve("empty")))).isFalse();
    assertThat(pool.offer(folder.resolve("missing"))).isFalse();
    Contents.are(linked, 1_000, 7);
  }

  @Test
  void nothingIsOverwrittenByTaking() throws IOException {
    pool.offer(segment("old", 1_000));
    await(() -> pool.zeroedBytes() > 0);
    Path existing = segment("existing", 5);

    assertThatThrownBy(() -> pool.take(existing, 1, 1_000))
        .isInstanceOf(FileAlreadyExistsException.class);
    assertThat(existing).hasSize(5);
    assertThat(pool.bytes()).isEqualTo(1_000);
  }

  @Test
  void leftoversOfAnEarlierProcessAreDeleted() throws IOException {
    pool.close();
    Files.write(poolFolder.resolve("leftover"), new byte[100]);

    pool =
        new RecyclePool(
            poolFolder,
            1_000,
            3,
            account,
            new Background((name, failures, cause) -> {}),
            "recycle");

    assertThat(pooledFiles()).isZero();
    assertThat(pool.bytes()).isZero();
  }

  @Test
  void closingStopsInTheMiddleAndReleasesEverything() throws IOException {
    pool.close();
    pool =
        new RecyclePool(
            poolFolder,
            1L << 30,
            100,
            account,
            new Background((name, failures, cause) -> {}),
            "recycle");
    for (int i = 0; i < 20; i++) {
      pool.offer(segment("old" + i, 10 << 20));
    }

    pool.close();

    assertThat(pooledFiles()).isZero();
    assertThat(account.reserved()).isZero();
    assertThat(pool.offer(segment("late", 10))).isFalse();
  }

  @Test
  void aPooledFileThatIsMissingOrChangedCostsOnlyItself() throws IOException {
    for (int i = 0; i < 3; i++) {
      assertThat(pool.offer(segment("f" + i, 100_000 + i))).isTrue();
    }
    await(() -> pool.zeroedBytes() == 300_003);
    try (Stream<Path> pooled = Files.list(poolFolder)) {
      for (Path file : pooled.toList()) {
        if (Files.size(file) == 100_002) {
          Files.delete(file);
        } else if (Files.size(file) == 100_001) {
          Files.write(file, new byte[5], StandardOpenOption.APPEND);
        }
      }
    }
    Path taken = folder.resolve("taken");
    assertThat(pool.take(taken, 0, 200_000)).contains(taken);
    assertThat(Files.size(taken)).isEqualTo(100_000);
    assertThat(pool.bytes()).isZero();
    assertThat(account.reserved()).isEqualTo(100_000);
    assertThat(pool.take(folder.resolve("other"), 0, 200_000)).isEmpty();
  }

  @Test
  void shrinkingGivesRoomBack() throws IOException {
    for (int i = 0; i < 3; i++) {
      pool.offer(segment("old" + i, 1_000_000));
    }

    pool.shrinkTo(1_000_000);
    await(() -> pool.bytes() <= 1_000_000);
    await(() -> account.reserved() <= 1_000_000);

    pool.shrinkTo(0);
    await(() -> account.reserved() == 0);
    assertThat(pool.bytes()).isZero();
    assertThat(pooledFiles()).isZero();
  }
}
