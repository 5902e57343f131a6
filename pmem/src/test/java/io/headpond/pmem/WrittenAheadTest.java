// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** DSYNC and WRITE: zeros ahead of small appends or forces, none ahead of large ones. */
@Timeout(120)
class WrittenAheadTest {
  private static final int LARGE = AppendShape.LARGE_BYTES;

  private final Account account = Account.unlimited();
  private final RunAhead runAhead =
      new RunAhead(new Background((name, failures, cause) -> {}), "ahead", 1);
  private Path folder;
  private Path path;
  private MappedFileOptions options;

  @BeforeEach
  void createFile() throws IOException {
    folder = Folders.onDisk();
    path = Files.createFile(folder.resolve("00000000000000000000.log"));
    Assumptions.assumeTrue(Device.detect(folder).writesInPlace(), "ext4 or XFS");
    options = BackEnds.of(folder, PersistBackend.DSYNC).options(account, runAhead);
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

  private static void append(MappedFile file, int bytes) throws IOException {
    file.write(ones(bytes), file.end());
  }

  @Test
  void smallAppendsGoWhereZerosWereWritten() throws IOException {
    try (MappedFile file = MappedFile.open(path, 0, options)) {
      append(file, 100);

      assertThat(file.physicalBytes()).isEqualTo(64 << 10).isEqualTo(Files.size(path));
      assertThat(account.reserved()).isEqualTo(64 << 10);
      assertThat(file.growing()).isTrue();
      file.trim();
      assertThat(file.growing()).isFalse();
      Contents.are(path, 100, 1);
    }
  }

  @Test
  void aFileOfLargeAppendsIsNoLongerThanTheyAre() throws IOException {
    try (MappedFile file = MappedFile.open(path, 0, options)) {
      append(file, LARGE); // nothing was known of it before
      append(file, LARGE);
      append(file, LARGE);

      assertThat(file.end()).isEqualTo(3L * LARGE);
      assertThat(file.physicalBytes()).isEqualTo(3L * LARGE).isEqualTo(Files.size(path));
      assertThat(account.reserved()).isEqualTo(3L * LARGE);
      assertThat(file.growing()).isTrue();
      Contents.are(path, 3 * LARGE, 1);
    }
  }

  @Test
  void afterLargeAppendsSmallOnesFindZerosAgain() throws IOException {
    try (MappedFile file = MappedFile.open(path, 0, options)) {
      for (int i = 0; i < 4; i++) {
        append(file, LARGE);
      }
      while (file.physicalBytes() == file.end()) {
        append(file, 1_000);
      }
      int end = (int) file.end();
      file.trim();
      Contents.are(path, end, 1);
      assertThat(account.reserved()).isEqualTo(end);
    }
  }

  @Test
  void aLargeAppendThatHasNoRoomLeavesNothing() throws IOException {
    try (MappedFile file = MappedFile.open(path, 0, options)) {
      append(file, LARGE);
      append(file, LARGE);
      account.capacity(3L * LARGE - 1);

      assertThatThrownBy(() -> append(file, LARGE)).isInstanceOf(DeviceFullException.class);

      assertThat(file.end()).isEqualTo(2L * LARGE).isEqualTo(Files.size(path));
      assertThat(account.reserved()).isEqualTo(2L * LARGE);
      account.capacity(4L * LARGE);
      append(file, LARGE);
      Contents.are(path, 3 * LARGE, 1);
    }
  }

  private MappedFileOptions forcedByTheWriter() throws IOException {
    return BackEnds.of(folder, PersistBackend.WRITE).options(account, runAhead);
  }

  @Test
  void smallForcesGoWhereZerosWereWritten() throws IOException {
    MappedFile file = MappedFile.open(path, 0, forcedByTheWriter());
    for (int i = 0; i < 10; i++) {
      append(file, 1_000);
      file.force();
    }
    while (!file.quiet()) {
      Thread.onSpinWait();
    }
    assertThat(file.physicalBytes()).isGreaterThanOrEqualTo(64 << 10).isEqualTo(Files.size(path));
    assertThat(account.reserved()).isEqualTo(file.physicalBytes());

    file.closeUntrimmed();

    byte[] expected = new byte[(int) file.physicalBytes()];
    Arrays.fill(expected, 0, 10_000, (byte) 1);
    assertThat(Files.readAllBytes(path)).isEqualTo(expected);
  }

  @Test
  void aFileThatIsForcedInLargePiecesIsNoLongerThanTheyAre() throws IOException {
    try (MappedFile file = MappedFile.open(path, 0, forcedByTheWriter())) {
      for (int i = 0; i < 3; i++) {
        append(file, LARGE / 2); // the size of a force counts, not that of a write
        append(file, LARGE / 2);
        file.force();
      }
      while (file.physicalBytes() > file.end()) {
        append(file, LARGE); // what was grown before is used up
        file.force();
      }
      append(file, LARGE);

      assertThat(file.physicalBytes()).isEqualTo(file.end()).isEqualTo(Files.size(path));
    }
  }

  @Test
  void whereTheAccountHasNoRoomTheFileGoesOnAfterwards() throws IOException {
    MappedFile file = MappedFile.open(path, 0, forcedByTheWriter());
    append(file, 1_000);
    account.capacity(account.reserved());
    long room = file.physicalBytes() - file.end();
    assertThatThrownBy(() -> append(file, (int) room + 1)).isInstanceOf(DeviceFullException.class);
    assertThat(file.fault()).isNull(); // no write has failed yet
    file.force();
    account.capacity(Long.MAX_VALUE);
    append(file, (int) room + 1);
    file.close();
  }

  @Test
  void aFileThatAnotherMadeLongerIsRefusedByALargeAppend() throws IOException {
    MappedFile file = MappedFile.open(path, 0, options);
    append(file, LARGE);
    append(file, LARGE);
    try (FileChannel other = FileChannel.open(path, StandardOpenOption.WRITE)) {
      other.write(ones(1), 5L * LARGE);
    }

    assertThatThrownBy(() -> append(file, LARGE))
        .isInstanceOf(DeviceFaultException.class)
        .hasMessageContaining("changed by another");
    file.close();
  }

  @Test
  void anInterruptedWriterHasWrittenEverything() throws IOException {
    try (MappedFile file = MappedFile.open(path, 0, options)) {
      for (int i = 0; i < 3; i++) {
        Thread.currentThread().interrupt();
        append(file, 1_000);
        assertThat(Thread.interrupted()).isTrue();
      }
      file.trim();
      Contents.are(path, 3_000, 1);
    }
  }

  @Test
  void aCloseWithoutAForceCutsAllTheSame() throws IOException {
    MappedFile file = MappedFile.open(path, 0, options);
    append(file, 100);
    file.close(false);
    Contents.are(path, 100, 1);
    assertThat(account.reserved()).isEqualTo(100);
  }
}
