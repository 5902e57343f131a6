// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

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

/** WRITE on an ext4 that gets full: zeros ahead never take the room of what is written. */
@Timeout(60)
class FullDiskTest {
  private static final int CHUNK = 4 << 20;
  private static final int RECORD = 12_000;

  private final RunAhead runAhead =
      new RunAhead(new Background((name, failures, cause) -> {}), "ahead", 1);
  private Path folder;
  private Path disk;

  @BeforeEach
  void mountDisk() throws Exception {
    folder = Folders.onDisk();
    disk = Files.createDirectory(folder.resolve("disk"));
    assumeTrue(System.getProperty("user.name").equals("root"));
    Path image = folder.resolve("image");
    try (FileChannel bytes =
        FileChannel.open(image, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      bytes.write(ByteBuffer.allocate(1), (32 << 20) - 1);
    }
    assumeTrue(done("mkfs.ext4", "-q", "-F", "-m", "0", image.toString()), "mkfs.ext4");
    assumeTrue(done("mount", "-o", "loop", image.toString(), disk.toString()), "a loop device");
    assumeTrue(Device.detect(disk).writesInPlace());
  }

  @AfterEach
  void unmount() throws Exception {
    runAhead.close();
    done("umount", "-l", disk.toString());
    Folders.delete(folder);
  }

  private static boolean done(String... command) throws InterruptedException {
    try {
      return new ProcessBuilder(command).redirectErrorStream(true).start().waitFor() == 0;
    } catch (IOException e) {
      return false; // there is no such program
    }
  }

  private long usableBytes() throws IOException {
    return Files.getFileStore(disk).getUsableSpace();
  }

  private void fillUpTo(long leftBytes) throws IOException {
    try (FileChannel ballast =
        FileChannel.open(
            disk.resolve("ballast"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      for (long more = usableBytes() - leftBytes; more > 0; more = usableBytes() - leftBytes) {
        ballast.write(ByteBuffer.allocate((int) more));
        ballast.force(true);
      }
    }
  }

  private MappedFile open(Path path) throws IOException {
    return MappedFile.open(
        path,
        0,
        BackEnds.of(disk, PersistBackend.WRITE)
            .options(Account.unlimited(), runAhead)
            .firstChunkBytes(CHUNK)
            .maxChunkBytes(CHUNK));
  }

  /** Appends and forces until something fails. */
  private static Throwable fill(MappedFile file) {
    byte[] record = new byte[RECORD];
    Arrays.fill(record, (byte) 1);
    return catchThrowable(
        () -> {
          while (true) {
            file.write(ByteBuffer.wrap(record), file.end());
            file.force();
          }
        });
  }

  @Test
  void zerosThatFindNoRoomLeaveItToTheBytes() throws Exception {
    fillUpTo(2 << 20);
    Path path = Files.createFile(disk.resolve("1.txn"));
    MappedFile file = open(path);
    file.prepare(64 << 10);

    assertThat(fill(file)).isInstanceOf(DeviceFullException.class);

    assertThat(usableBytes()).isLessThan(64 << 10);
    assertThat(file.fault()).isNull();
    assertThat(file.end()).isGreaterThan(1 << 20);
    long end = file.end();
    file.force();
    file.closeUntrimmed();
    Contents.are(path, end, 1);
  }

  @Test
  void aFileBeginsOnADiskWithoutRoomForZeros() throws Exception {
    fillUpTo(40 << 10);
    Path path = Files.createFile(disk.resolve("1.txn"));
    MappedFile file = open(path);

    file.prepare(1 << 20);
    file.write(ByteBuffer.allocate(RECORD), 0);
    file.force();

    assertThat(file.end()).isEqualTo(RECORD);
    file.closeUntrimmed();
    assertThat(Files.size(path)).isEqualTo(RECORD);
  }

  /** Room that comes back serves the next file. */
  @Test
  void afterRoomWasMadeTheFileGoesOnWithoutZeros() throws Exception {
    fillUpTo(1 << 20);
    MappedFile file = open(Files.createFile(disk.resolve("1.txn")));
    assertThat(fill(file)).isInstanceOf(DeviceFullException.class);
    Files.delete(disk.resolve("ballast"));

    long end = file.end();
    file.write(ByteBuffer.allocate(RECORD), end);
    file.force();

    assertThat(file.physicalBytes()).isEqualTo(end + RECORD);
    file.closeUntrimmed();
  }
}
