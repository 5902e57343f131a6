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
class FilePoolTest {
  private final Account account = Account.unlimited();
  private Path folder;
  private Path poolFolder;
  private FilePool pool;

  @BeforeEach
  void createPool() throws IOException {
    folder = Folders.inMemory();
    poolFolder = folder.resolve("pool");
    pool =
        new FilePool(
            poolFolder,
            10_000_000,
            3,
            account,
            new Background((name, failures, cause) -> {}),
            "pool");
  }

  @AfterEach
  void deleteFolder() throws IOException {
    pool.close();
    Folders.delete(folder);
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

  private void awaitReady(long bytes) {
    await(() -> pool.readyBytes() == bytes);
  }

  @Test
  void aPreparedFileIsNewWholeAndZero() throws IOException {
    pool.prepare(3_000_001);

    awaitReady(3_000_001);
    assertThat(pool.bytes()).isEqualTo(3_000_001);
    Path destination = folder.resolve("new.log");
    assertThat(pool.take(destination, 1, 4_000_000)).contains(destination);
    Contents.are(destination, 3_000_001, 0);
    assertThat(pool.bytes()).isZero();
    assertThat(account.reserved()).isEqualTo(3_000_001);
  }

  @Test
  void aPreparedFileIsGrownIntoWithoutReservingMore() throws IOException {
    pool.prepare(4 << 20);
    awaitReady(4 << 20);
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
      pool.prepare(bytes);
    }
    awaitReady(6_000);

    assertThat(pool.take(folder.resolve("a"), 3_001, 9_000)).isEmpty();
    assertThat(pool.take(folder.resolve("b"), 1, 2_999)).isPresent();
    assertThat(folder.resolve("b")).hasSize(2_000);
  }

  @Test
  void aFullPoolPreparesNoMoreByBytesAndByFiles() {
    pool.prepare(10_000_001);
    pool.prepare(9_000_000);
    pool.prepare(1_000_001);
    for (int i = 0; i < 3; i++) {
      pool.prepare(100);
    }
    awaitReady(9_000_200);
  }

  @Test
  void nothingIsPreparedForWhichTheAccountHasNoRoom() {
    account.capacity(1_000);
    pool.prepare(1_001);
    pool.prepare(1_000);

    awaitReady(1_000);
    assertThat(account.reserved()).isEqualTo(1_000);
  }

  @Test
  void nothingIsOverwrittenByTaking() throws IOException {
    pool.prepare(1_000);
    awaitReady(1_000);
    Path existing = Files.write(folder.resolve("existing"), new byte[5]);

    assertThatThrownBy(() -> pool.take(existing, 1, 1_000))
        .isInstanceOf(FileAlreadyExistsException.class);
    assertThat(existing).hasSize(5);
    assertThat(pool.bytes()).isEqualTo(1_000);
  }

  @Test
  void closingStopsInTheMiddleAndReleasesEverything() throws IOException {
    pool.close();
    pool =
        new FilePool(
            poolFolder,
            1L << 30,
            100,
            account,
            new Background((name, failures, cause) -> {}),
            "pool");
    for (int i = 0; i < 20; i++) {
      pool.prepare(10 << 20);
    }

    pool.close();

    assertThat(pooledFiles()).isZero();
    assertThat(account.reserved()).isZero();
    pool.prepare(10);
    assertThat(pool.bytes()).isZero();
  }

  @Test
  void aPooledFileThatIsMissingOrChangedCostsOnlyItself() throws IOException {
    for (int i = 0; i < 3; i++) {
      pool.prepare(100_000 + i);
    }
    awaitReady(300_003);
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
      pool.prepare(1_000_000);
    }

    awaitReady(3_000_000);
    pool.shrinkTo(1_000_000);
    assertThat(account.reserved()).isEqualTo(1_000_000);

    pool.shrinkTo(0);
    assertThat(account.reserved()).isZero();
    assertThat(pool.bytes()).isZero();
    assertThat(pooledFiles()).isZero();
  }
}
