// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is short is told from what fails, in whatever language the system speaks. */
class ShortageTest {
  private Path folder;

  @BeforeEach
  void createFolder() throws IOException {
    folder = Folders.inMemory();
  }

  @AfterEach
  void deleteFolder() throws IOException {
    Folders.delete(folder);
  }

  private static IOException full() throws IOException {
    try (FileChannel full = FileChannel.open(Path.of("/dev/full"), StandardOpenOption.WRITE)) {
      return catchThrowableOfType(IOException.class, () -> full.write(ByteBuffer.allocate(1)));
    }
  }

  @Test
  void whatAFullDeviceSaysIsKnownToTheLetter() throws IOException {
    IOException full = full();
    assertThat(Shortage.ofSpace(full, folder, 1)).isTrue();
    FileSystemException named = new FileSystemException("/f", null, full.getMessage());
    assertThat(Shortage.ofSpace(named, folder, 1)).isTrue();
    assertThat(Shortage.ofSpace(new IOException("copied", full), folder, 1)).isTrue();
    assertThat(Shortage.ofSpace(new IOException(full.getMessage() + "!"), folder, 1)).isFalse();
  }

  @Test
  void wordsOfAnyLanguageAreNotRead() {
    for (String words : new String[] {"quota exceeded", "No space left, says nobody", "", null}) {
      assertThat(Shortage.ofSpace(new IOException(words), folder, 1)).as(words).isFalse();
      assertThat(Shortage.ofDescriptors(new IOException(words), folder)).as(words).isFalse();
    }
    assertThat(Shortage.ofDescriptors(new IOException("Too many open files"), folder)).isFalse();
  }

  @Test
  void whatAsksForMoreThanThereIsMeetsAFullDevice() throws IOException {
    IOException any = new IOException("Eingabe-/Ausgabefehler");
    long usable = Files.getFileStore(folder).getUsableSpace();
    assertThat(Shortage.ofSpace(any, folder, 2 * usable)).isTrue();
    assertThat(Shortage.ofSpace(any, folder, usable / 2)).isFalse();
  }

  @Test
  void whatWasClassifiedBeforeStaysSo() {
    IOException fault = new DeviceFaultException(folder, "fails", null);
    assertThat(Shortage.ofSpace(fault, folder, Long.MAX_VALUE / 2)).isFalse();
    IOException full = new DeviceFullException(folder, "full", null);
    assertThat(Shortage.ofSpace(new IOException(full), folder, 1)).isTrue();
  }
}
