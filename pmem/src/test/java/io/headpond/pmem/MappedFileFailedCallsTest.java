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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The calls of the device that fail: what is refused, cut, wiped and kept afterwards. */
@Timeout(60)
class MappedFileFailedCallsTest {
  private static final int CHUNK = 64 << 10;

  private final Account account = Account.unlimited();
  private final RunAhead runAhead =
      new RunAhead(new Background((name, failures, cause) -> {}), "ahead", 1);
  private Path folder;
  private Path real;
  private FailingFile failing;

  @BeforeEach
  void createFile() throws IOException {
    runAhead.close(); // the writer grows its file itself, in one order of calls
    folder = Folders.onDisk();
    real = Files.createFile(folder.resolve("00000000000000000000.log"));
    failing = new FailingFile(real);
  }

  @AfterEach
  void deleteFolder() throws IOException {
    Thread.interrupted();
    Folders.delete(folder);
  }

  private MappedFileOptions options(PersistBackend backend) throws IOException {
    return MappedFileOptions.of(Device.detect(folder), backend, account, runAhead);
  }

  private MappedFile open(PersistBackend backend) throws IOException {
    return MappedFile.open(failing.path(), 0, options(backend));
  }

  /** A file that nothing can be mapped of. */
  private MappedFile unmappable() throws IOException {
    WindowMapper refuses =
        (file, start, limit, mapping) -> {
          throw new IOException("Map failed");
        };
    return MappedFile.open(failing.path(), 0, options(PersistBackend.NONE).mapper(refuses));
  }

  private static void append(MappedFile file, int bytes) throws IOException {
    byte[] content = new byte[bytes];
    Arrays.fill(content, (byte) 1);
    file.write(ByteBuffer.wrap(content), file.end());
  }

  /** The next write leaves all its bytes in the file, and fails. */
  private FailingFile.Fault failingAfterAll(FailingFile.Fault others) {
    boolean[] done = {false};
    return (call, channel) -> {
      if (call.startsWith("write") && !done[0]) {
        done[0] = true;
        String[] words = call.split(" ");
        byte[] content = new byte[Integer.parseInt(words[1])];
        Arrays.fill(content, (byte) 1);
        try (FileChannel other = FileChannel.open(real, StandardOpenOption.WRITE)) {
          other.write(ByteBuffer.wrap(content), Long.parseLong(words[3]));
        }
        throw new IOException("Input/output error");
      }
      others.at(call, channel);
    };
  }

  private static void assertUnusable(MappedFile file) throws IOException {
    assertThat(file.fault()).isNotNull();
    assertThatThrownBy(() -> append(file, 1))
        .isInstanceOf(DeviceFaultException.class)
        .hasMessageContaining("unusable since an earlier fault");
    assertThatThrownBy(file::force).isInstanceOf(DeviceFaultException.class);
  }

  @Test
  void afterAFailedForceNothingIsAccepted() throws IOException {
    MappedFile file = open(PersistBackend.WRITE);
    append(file, 1_000);
    failing.faultFromNowOn(FailingFile.failing("force"));
    assertThatThrownBy(file::force).isInstanceOf(DeviceFaultException.class);
    failing.faultFromNowOn(FailingFile.NONE);

    assertUnusable(file);
    file.close();
    assertThat(failing.calls("truncate")).as("of what can't be trusted").isEmpty();
  }

  @Test
  void afterAFailedWriteThatForcesNothingIsAccepted() throws IOException {
    MappedFile file = open(PersistBackend.DSYNC);
    append(file, 1_000);
    failing.faultFromNowOn(failingAfterAll(FailingFile.NONE));

    assertThatThrownBy(() -> append(file, 500)).isInstanceOf(DeviceFaultException.class);

    assertThat(file.end()).isEqualTo(1_000);
    Contents.are(real, 1_000, 1);
    assertUnusable(file);
    file.close();
  }

  @Test
  void afterAFailedWriteOverOlderBytesNothingIsAccepted() throws IOException {
    Files.write(real, new byte[1_000]);
    MappedFile file = MappedFile.open(failing.path(), 1_000, options(PersistBackend.DSYNC));
    failing.faultFromNowOn(failingAfterAll(FailingFile.NONE));

    assertThatThrownBy(() -> file.write(ByteBuffer.allocate(100), 0))
        .isInstanceOf(DeviceFaultException.class);

    assertUnusable(file);
    file.close();
  }

  @Test
  void afterAFailedAppendWithoutZerosNothingIsAccepted() throws IOException {
    MappedFile file = open(PersistBackend.DSYNC);
    append(file, AppendShape.LARGE_BYTES);
    append(file, AppendShape.LARGE_BYTES);
    failing.faultFromNowOn(failingAfterAll(FailingFile.NONE));

    assertThatThrownBy(() -> append(file, AppendShape.LARGE_BYTES))
        .isInstanceOf(DeviceFaultException.class);

    assertThat(real).hasSize(2L * AppendShape.LARGE_BYTES);
    assertUnusable(file);
    file.close();
  }

  @Test
  void whatCannotBeCutOffAfterAFailedWriteIsWiped() throws IOException {
    MappedFile file = open(PersistBackend.DSYNC);
    append(file, 1_000);
    failing.faultFromNowOn(failingAfterAll(FailingFile.failing("truncate")));

    assertThatThrownBy(() -> append(file, 500)).isInstanceOf(DeviceFaultException.class);

    byte[] expected = new byte[CHUNK];
    Arrays.fill(expected, 0, 1_000, (byte) 1);
    assertThat(Files.readAllBytes(real)).isEqualTo(expected);
    assertUnusable(file);
    file.close();
  }

  @Test
  void aFailedAppendWithoutAMappingLeavesNothing() throws IOException {
    MappedFile file = unmappable();
    append(file, 1_000);
    failing.faultFromNowOn(failingAfterAll(FailingFile.NONE));

    assertThatThrownBy(() -> append(file, 500)).isInstanceOf(DeviceFaultException.class);

    Contents.are(real, 1_000, 1);
    assertThat(account.reserved()).isEqualTo(file.physicalBytes()).isEqualTo(1_000);
    append(file, 500);
    file.close();
    Contents.are(real, 1_500, 1);
  }

  @Test
  void aLackOfMemoryInAWriteIsNoFaultOfTheDevice() throws IOException {
    MappedFile file = open(PersistBackend.WRITE);
    append(file, 1_000);
    boolean[] done = {false};
    failing.faultFromNowOn(
        (call, channel) -> {
          if (call.startsWith("write") && !done[0]) {
            done[0] = true;
            throw new OutOfMemoryError("a test");
          }
        });

    assertThatThrownBy(() -> append(file, 500)).isInstanceOf(OutOfMemoryError.class);

    assertThat(file.fault()).isNull();
    append(file, 500);
    file.close();
    Contents.are(real, 1_500, 1);
  }

  @Test
  void aForceThatALackOfMemoryEndedIsMadeUpFor() throws IOException {
    MappedFile file = open(PersistBackend.WRITE);
    append(file, 1_000);
    file.force();
    file.truncate(500);
    failing.faultFromNowOn(
        (call, channel) -> {
          throw new OutOfMemoryError("a test");
        });
    assertThatThrownBy(file::force).isInstanceOf(OutOfMemoryError.class);
    failing.faultFromNowOn(FailingFile.NONE);

    file.force();

    assertThat(failing.calls()).containsExactly("force true");
    file.force();
    assertThat(failing.calls()).as("nothing is left to do").hasSize(1);
    file.close();
  }

  @Test
  void zerosThatCannotBeWrittenBesideTheWriterAreAFault() throws IOException {
    MappedFile file = open(PersistBackend.WRITE);
    failing.faultFromNowOn(
        (call, channel) -> {
          if (call.startsWith("write") && call.endsWith("dsync")) {
            throw new IOException("Input/output error");
          }
        });

    assertThatThrownBy(() -> append(file, 1_000)).isInstanceOf(DeviceFaultException.class);

    assertUnusable(file);
    file.close();
  }

  /** A force beside may have been told what becomes of them, or not. */
  private static FailingFile.Fault fullForZeros(Path path) {
    return (call, channel) -> {
      if (call.startsWith("write") && call.endsWith("dsync")) {
        throw new DeviceFullException(path, "a test", null);
      }
    };
  }

  @Test
  void zerosThatFoundNoRoomAreConfirmedByAForce() throws IOException {
    MappedFile file = open(PersistBackend.WRITE);
    failing.faultFromNowOn(fullForZeros(real));
    append(file, 1_000);

    file.closeUntrimmed();

    assertThat(failing.calls("force")).containsExactly("force false");
    Contents.are(real, 1_000, 1);
  }

  @Test
  void aForceBeforeZerosFoundNoRoomConfirmsNothing() throws IOException {
    MappedFile file = open(PersistBackend.WRITE);
    append(file, 1_000);
    failing.faultFromNowOn(
        (call, channel) -> {
          if (call.startsWith("force") && file.end() == 1_000) {
            append(file, CHUNK); // as on another thread: zeros are due
          }
          fullForZeros(real).at(call, channel);
        });
    file.force();
    failing.faultFromNowOn(FailingFile.NONE);

    file.closeUntrimmed();

    assertThat(failing.calls("force")).containsExactly("force false");
  }

  @Test
  void aForceBesideAFaultFails() throws IOException {
    MappedFile file = open(PersistBackend.WRITE);
    append(file, 1_000);
    failing.faultFromNowOn(
        (call, channel) -> {
          if (call.startsWith("force")) { // as on another thread: zeros are due, and fail
            assertThatThrownBy(() -> append(file, CHUNK)).isInstanceOf(DeviceFaultException.class);
          }
          if (call.startsWith("write") && call.endsWith("dsync")) {
            throw new IOException("Input/output error");
          }
        });

    assertThatThrownBy(file::force).isInstanceOf(DeviceFaultException.class);

    file.close();
  }

  @Test
  void aGrowthThatFailsGivesBackWhatItTook() throws IOException {
    MappedFile file = open(PersistBackend.DSYNC);
    failing.faultFromNowOn(failingAfterAll(FailingFile.NONE));

    assertThatThrownBy(() -> append(file, 1_000)).isInstanceOf(DeviceFaultException.class);

    assertThat(real).isEmptyFile();
    assertThat(account.reserved()).isEqualTo(file.physicalBytes()).isZero();
    append(file, 1_000);
    file.close();
    Contents.are(real, 1_000, 1);
  }

  @Test
  void aGrowthThatCannotBeCutBackIsAFaultAndKeepsItsRoom() throws IOException {
    MappedFile file = open(PersistBackend.DSYNC);
    failing.faultFromNowOn(failingAfterAll(FailingFile.failing("truncate")));

    assertThatThrownBy(() -> append(file, 1_000)).isInstanceOf(DeviceFaultException.class);

    assertThat(account.reserved()).isEqualTo(file.physicalBytes()).isEqualTo(CHUNK);
    assertUnusable(file);
    file.close();
  }

  @Test
  void anInterruptInTheMiddleOfAnAppendStaysAndHurtsNothing() throws IOException {
    MappedFile file = open(PersistBackend.WRITE);
    append(file, 1_000);
    failing.faultFromNowOn(FailingFile.interrupting("write", FailingFile.NONE));

    append(file, 500);

    assertThat(Thread.interrupted()).isTrue();
    failing.faultFromNowOn(FailingFile.NONE);
    file.force();
    assertThat(failing.calls())
        .as("by the new descriptor, and by one that was there before")
        .containsExactly("force false", "force false");
    file.close();
    Contents.are(real, 1_500, 1);
  }

  @Test
  void anInterruptedForceIsAsWellAsWhatAnotherDescriptorTells() throws IOException {
    for (PersistBackend backend :
        new PersistBackend[] {PersistBackend.WRITE, PersistBackend.DSYNC}) {
      Files.write(real, new byte[0]);
      failing.faultFromNowOn(FailingFile.NONE);
      MappedFile file = open(backend);
      append(file, 1_000);
      file.truncate(500); // so that either has something to force
      failing.faultFromNowOn(FailingFile.interrupting("force", FailingFile.NONE));
      file.force();
      assertThat(Thread.interrupted()).isTrue();
      assertThat(file.fault()).isNull();

      file.truncate(400);
      failing.faultFromNowOn(FailingFile.interrupting("force", FailingFile.failing("force")));
      assertThatThrownBy(file::force).isInstanceOf(DeviceFaultException.class);
      assertThat(Thread.interrupted()).isTrue();
      assertUnusable(file);
      file.close();
    }
  }

  @Test
  void anInterruptWhileAnotherDescriptorIsAskedChangesNothing() throws IOException {
    MappedFile file = open(PersistBackend.WRITE);
    append(file, 1_000);
    Thread engine = Thread.currentThread();
    failing.faultFromNowOn(
        FailingFile.interrupting(
            "force",
            (call, channel) -> {
              if (call.startsWith("force")) {
                engine.interrupt();
                while (engine.isInterrupted()) {
                  Thread.onSpinWait();
                }
                throw new IOException("Input/output error");
              }
            }));

    assertThatThrownBy(file::force).isInstanceOf(DeviceFaultException.class);

    assertThat(Thread.interrupted()).isTrue();
    file.close();
  }

  @Test
  void anInterruptedForceOfWhichNobodyCanTellHasFailed() throws IOException {
    MappedFile file = open(PersistBackend.DSYNC);
    append(file, 1_000);
    file.truncate(500);
    failing.faultFromNowOn(
        FailingFile.interrupting("force", FailingFile.failing("open"))); // none is left

    assertThatThrownBy(file::force).hasMessageContaining("the outcome is unknown");

    assertThat(Thread.interrupted()).isTrue();
    failing.faultFromNowOn(FailingFile.NONE);
    assertUnusable(file);
    file.close();
  }
}
