// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which calls make a mapped file durable, and when. */
@Timeout(60)
class MappedFileForcesTest {
  private static final int CHUNK = 64 << 10;

  private final RunAhead runAhead =
      new RunAhead(new Background((name, failures, cause) -> {}), "ahead", 1);
  private Path folder;
  private Path real;
  private FailingFile recorded;

  @BeforeEach
  void createFile() throws IOException {
    runAhead.close(); // the writer grows its file itself, in one order of calls
    folder = Folders.onDisk();
    real = Files.createFile(folder.resolve("00000000000000000000.log"));
    recorded = new FailingFile(real);
  }

  @AfterEach
  void deleteFolder() throws IOException {
    Folders.delete(folder);
  }

  private MappedFileOptions options(PersistBackend backend) throws IOException {
    return MappedFileOptions.of(Device.detect(folder), backend, Account.unlimited(), runAhead);
  }

  /** Of a file that holds that many bytes, all accounted for. */
  private MappedFile open(int bytes, int end, MappedFileOptions options) throws IOException {
    Files.write(real, new byte[bytes]);
    options.space.reserve(bytes + 1);
    MappedFile file = MappedFile.open(recorded.path(), end, options);
    recorded.faultFromNowOn(FailingFile.NONE);
    return file;
  }

  private static MappedFileOptions unmappable(MappedFileOptions options) {
    return options.mapper(
        (file, start, limit, mapping) -> {
          throw new IOException("Map failed");
        });
  }

  private static void write(MappedFile file, long at) throws IOException {
    file.write(ByteBuffer.allocate(100), at);
  }

  @Test
  void aSurplusThatWasCutOffAtOpeningIsForcedWithItsLength() throws IOException {
    MappedFile file = open(10_000, 0, options(PersistBackend.WRITE));
    file.force();
    assertThat(recorded.changes()).containsExactly("force true");
    file.close();
  }

  @Test
  void whatAnEarlierProcessMayHaveLeftInMemoryIsForced() throws IOException {
    MappedFile file = open(10_000, 10_000, options(PersistBackend.WRITE));
    file.force();
    assertThat(recorded.changes()).containsExactly("force false");
    file.force();
    assertThat(recorded.changes()).as("once").hasSize(1);
    file.close();
  }

  @Test
  void aTruncationIsForcedWithItsLength() throws IOException {
    MappedFile file = open(10_000, 10_000, options(PersistBackend.WRITE));
    file.force();
    file.truncate(9_000);
    recorded.faultFromNowOn(FailingFile.NONE);
    file.force();
    assertThat(recorded.changes()).containsExactly("force true");
    file.close();
  }

  @Test
  void aTrimIsForcedWithItsLength() throws IOException {
    MappedFile file = open(0, 0, options(PersistBackend.DSYNC));
    write(file, 0);
    recorded.faultFromNowOn(FailingFile.NONE);
    file.trim();
    assertThat(recorded.changes()).containsExactly("truncate 100 dsync", "force true dsync");
    file.close();
  }

  @Test
  void aWriteOverOlderBytesIsForcedAtOnceWhereWritesAre() throws IOException {
    MappedFile file = open(10_000, 10_000, options(PersistBackend.DSYNC));
    write(file, 50);
    assertThat(recorded.changes()).containsExactly("write 100 at 50 dsync", "force false dsync");
    file.close();
  }

  @Test
  void aWriteOverOlderBytesIsLeftToTheNextForceElsewhere() throws IOException {
    MappedFile file = open(10_000, 10_000, options(PersistBackend.WRITE));
    file.force();
    recorded.faultFromNowOn(FailingFile.NONE);
    write(file, 50);
    file.force();
    assertThat(recorded.changes()).containsExactly("write 100 at 50", "force false");
    file.close();
  }

  @Test
  void anAppendWithoutAMappingIsForcedWhereEachIsPersisted() throws IOException {
    MappedFile file = open(0, 0, unmappable(options(PersistBackend.JEP352)));
    write(file, 0);
    recorded.faultFromNowOn(FailingFile.NONE);
    write(file, 100);
    assertThat(recorded.changes()).containsExactly("write 100 at 100", "force false");
    file.close();
  }

  @Test
  void anAppendWithoutAMappingIsLeftToTheNextForceElsewhere() throws IOException {
    MappedFile file = open(0, 0, unmappable(options(PersistBackend.NONE)));
    write(file, 0);
    file.force();
    write(file, 100);
    recorded.faultFromNowOn(FailingFile.NONE);
    file.force();
    assertThat(recorded.changes()).containsExactly("force false");
    file.close();
  }

  @Test
  void zerosAheadAreForcedBeforeAnythingIsWrittenThere() throws IOException {
    MappedFile file = open(0, 0, options(PersistBackend.DSYNC));
    write(file, 0);
    assertThat(recorded.changes())
        .containsExactly(
            "write " + CHUNK + " at 0 dsync", "force true dsync", "write 100 at 0 dsync");
    file.close();
  }
}
