// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A page that cannot be stored to becomes an exception of that file, and nothing else. */
class MappedFileFaultTest {
  private final RunAhead runAhead =
      new RunAhead(new Background((name, failures, cause) -> {}), "ahead", 1);
  private final Account account = Account.unlimited();
  private Path folder;
  private Path path;
  private MappedFileOptions options;

  @BeforeEach
  void createFile() throws IOException {
    folder = Folders.inMemory();
    path = Files.createFile(folder.resolve("00000000000000000000.log"));
    options =
        BackEnds.of(folder, PersistBackend.NONE)
            .options(account, runAhead)
            .maxChunkBytes(1 << 20)
            .firstChunkBytes(1 << 20);
  }

  @AfterEach
  void deleteFolder() throws IOException {
    runAhead.close();
    Folders.delete(folder);
  }

  private void cutBehindItsBack(MappedFile file, long size) throws IOException {
    while (!file.quiet()) {
      Thread.onSpinWait();
    }
    try (FileChannel other = FileChannel.open(path, StandardOpenOption.WRITE)) {
      other.truncate(size);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 5, 8, 100, 4096, 60_000})
  void aFaultOfAStoreIsADeviceFaultOfThatVeryWrite(int length) throws IOException {
    try (MappedFile file = MappedFile.open(path, 0, options)) {
      ByteBuffer src = ByteBuffer.allocate(length);
      for (int round = 0; round < 20; round++) {
        for (int i = 0; i < 2_000; i++) { // long enough to be compiled
          file.write(src.clear(), i % 7);
        }
        long end = file.end();
        cutBehindItsBack(file, 0);

        Throwable failure = catchThrowable(() -> file.write(src.clear(), end));

        assertThat(failure).as("round " + round).isInstanceOf(DeviceFaultException.class);
        assertThat(failure).hasMessageContaining(path.toString());
        assertThat(src.position()).isZero();
        assertThat(file.end()).isEqualTo(end);
        assertThat(file.mapped()).isFalse();
        file.truncate(0);
      }
    }
  }

  @Test
  void afterAFaultBytesPastTheEndAreZeroAndTheFileGoesOn() throws IOException {
    try (MappedFile file = MappedFile.open(path, 0, options)) {
      int page = Pages.bytes();
      byte[] ones = new byte[page * 5 / 2];
      Arrays.fill(ones, (byte) 1);
      file.write(ByteBuffer.wrap(ones), 0);
      cutBehindItsBack(file, 3 * page); // the next write begins in a page that is left
      ByteBuffer src = ByteBuffer.wrap(ones);

      assertThatThrownBy(() -> file.write(src, ones.length))
          .isInstanceOf(DeviceFaultException.class);

      assertThat(src.position()).isZero();
      assertThat(Files.readAllBytes(path)).isEqualTo(ones);
      assertThat(file.write(src, ones.length)).isEqualTo(ones.length);
      file.trim();
      Contents.are(path, 2 * ones.length, 1);
      assertThat(account.reserved()).isEqualTo(file.physicalBytes());
    }
  }

  /** Maps windows whose touch fails, and tells whether one is still mapped. */
  private static WindowMapper failingTouch(boolean[] mapped, Supplier<Error> failure) {
    return (file, start, limit, mapping) -> {
      mapped[0] = true;
      return new Window(start, limit) {
        @Override
        void store(long position, ByteBuffer src, int from, int length) {
          throw new AssertionError("nothing is stored there");
        }

        @Override
        void touch(long from, boolean around) {
          throw failure.get();
        }

        @Override
        void unmap() {
          mapped[0] = false;
        }
      };
    };
  }

  @Test
  void aWindowWithAPageThatFaultsIsGivenBack() throws IOException {
    boolean[] mapped = {false};
    WindowMapper bad = failingTouch(mapped, () -> new InternalError("a fault occurred"));
    try (MappedFile file = MappedFile.open(path, 0, options.mapper(bad))) {
      assertThatThrownBy(() -> file.write(ByteBuffer.allocate(10), 0))
          .isInstanceOf(DeviceFaultException.class)
          .hasMessageContaining("a page of");
      assertThat(mapped[0]).isFalse();
    }
  }

  @Test
  void aWindowIsGivenBackWhenMemoryEndsInItsTouch() throws IOException {
    boolean[] mapped = {false};
    WindowMapper bad = failingTouch(mapped, () -> new OutOfMemoryError("Java heap space"));
    try (MappedFile file = MappedFile.open(path, 0, options.mapper(bad))) {
      assertThatThrownBy(() -> file.write(ByteBuffer.allocate(10), 0))
          .isInstanceOf(OutOfMemoryError.class);
      assertThat(mapped[0]).isFalse();
    }
  }

  @Test
  void aFileShortenedBelowItsEndIsRefusedWhenItGrows() throws IOException {
    MappedFile file = MappedFile.open(path, 0, options);
    file.write(ByteBuffer.allocate(1000), 0);
    file.trim();
    cutBehindItsBack(file, 10);

    assertThatThrownBy(() -> file.write(ByteBuffer.allocate(10), 1000))
        .isInstanceOf(DeviceFaultException.class)
        .hasMessageContaining("changed by another");
    assertThatThrownBy(() -> file.write(ByteBuffer.allocate(10), 1000))
        .isInstanceOf(DeviceFaultException.class)
        .hasMessageContaining("unusable since an earlier fault");
    file.close();
  }
}
