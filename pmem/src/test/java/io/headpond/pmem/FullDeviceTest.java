// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** No room is an exception that says so, and costs nothing that was acknowledged. */
class FullDeviceTest {
  private final RunAhead runAhead =
      new RunAhead(new Background((name, failures, cause) -> {}), "ahead", 1);
  private final byte[] record = new byte[10_000];
  private Path folder;
  private Path path;

  @BeforeEach
  void createFolder() throws IOException {
    Arrays.fill(record, (byte) 1);
    folder = Folders.inMemory();
  }

  @AfterEach
  void deleteFolder() throws IOException {
    runAhead.close();
    Folders.delete(folder);
  }

  /** Appends until there is no room; answers the number of bytes acknowledged. */
  private long fill(MappedFile file) throws IOException {
    while (true) {
      long end = file.end();
      ByteBuffer src = ByteBuffer.wrap(record);
      Throwable failure = catchThrowable(() -> file.write(src, end));
      if (failure != null) {
        assertThat(failure)
            .isInstanceOf(DeviceFullException.class)
            .hasMessageContaining(path.toString());
        assertThat(end + src.position()).isEqualTo(file.end());
        return file.end();
      }
      assertThat(src.hasRemaining()).isFalse();
    }
  }

  @Test
  void anExhaustedAccountRefusesTheAppendAndKeepsTheRest() throws IOException {
    path = Files.createFile(folder.resolve("a.log"));
    Account account = new Account(1_000_000);
    MappedFileOptions options =
        MappedFileOptions.of(Device.detect(folder), PersistBackend.NONE, account, runAhead);
    try (MappedFile file = MappedFile.open(path, 0, options)) {
      long end = fill(file);
      assertThat(end).isBetween(800_000L, 1_000_000L);
      assertThat(account.reserved()).isEqualTo(file.physicalBytes());

      account.capacity(2_000_000); // room again: the file goes on
      assertThat(file.write(ByteBuffer.wrap(record), file.end())).isEqualTo(record.length);
    }
    Contents.are(path, Files.size(path), 1);
    assertThat(account.reserved()).isEqualTo(Files.size(path));
  }

  @Test
  void aHugeGapIsRefusedByTheAccountBeforeAnythingIsWritten() throws IOException {
    path = Files.createFile(folder.resolve("a.log"));
    Account account = new Account(1_000_000);
    MappedFileOptions options =
        MappedFileOptions.of(Device.detect(folder), PersistBackend.NONE, account, runAhead);
    try (MappedFile file = MappedFile.open(path, 0, options)) {
      file.write(ByteBuffer.wrap(record), 0);
      assertThatThrownBy(() -> file.write(ByteBuffer.wrap(record), 1L << 40))
          .isInstanceOf(DeviceFullException.class);
      assertThat(file.end()).isEqualTo(record.length);
      file.write(ByteBuffer.wrap(record), record.length);
    }
    Contents.are(path, 20_000, 1);
  }

  /** Needs root, to mount a tmpfs of 2 MiB. */
  @ParameterizedTest
  @EnumSource(
      value = PersistBackend.class,
      names = {"NONE", "LIBPMEM"})
  void aFullFileSystemRefusesTheAppendAndKeepsTheRest(PersistBackend backend) throws Exception {
    if (backend == PersistBackend.LIBPMEM) {
      assumeTrue(
          Mapper.libpmemUnavailable().isEmpty(), () -> Mapper.libpmemUnavailable().orElse(""));
    }
    Path small = Files.createDirectory(folder.resolve("small"));
    assumeTrue(
        run("mount", "-t", "tmpfs", "-o", "size=2m", "headpond-test", small.toString()),
        "mounting a small tmpfs takes root");
    try {
      path = Files.createFile(small.resolve("a.log"));
      Account account = Account.unlimited();
      MappedFileOptions options =
          MappedFileOptions.of(Device.detect(small), backend, account, runAhead);
      try (MappedFile file = MappedFile.open(path, 0, options)) {
        for (int round = 0; round < 3; round++) {
          long end = fill(file);
          assertThat(end).isBetween(1_500_000L, 2_097_152L);
          assertThat(account.reserved()).isEqualTo(file.physicalBytes());
          assertThat(Files.size(path)).isEqualTo(file.physicalBytes());
          file.truncate(500_000);
        }
      }
      Contents.are(path, 500_000, 1);
      assertThat(account.reserved()).isEqualTo(500_000);
    } finally {
      run("umount", "--lazy", small.toString()); // Java 17 unmaps when it collects garbage
    }
  }

  private static boolean run(String... command) throws Exception {
    return new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start()
            .waitFor()
        == 0;
  }
}
