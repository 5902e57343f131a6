// SPDX-License-Identifier: Apache-2.0
package io.headpond.nio;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The methods of {@link Files} on a thread that is interrupted, beside those on a plain file. */
class InterruptedFilesTest extends RoutedLogDir {
  /** A method of {@link Files}. */
  private interface Use {
    Object of(Path file) throws IOException;
  }

  private static final byte[] NEW = "new".getBytes(StandardCharsets.UTF_8);

  private static final Map<String, Use> USES =
      new TreeMap<>(
          Map.of(
              "newInputStream",
              InterruptedFilesTest::read,
              "newOutputStream",
              InterruptedFilesTest::written,
              "copy",
              file -> Files.copy(file, file.resolveSibling("copy")).getFileName(),
              "copy from a stream",
              InterruptedFilesTest::replaced,
              "readAllBytes",
              file -> Files.readAllBytes(file).length,
              "readString",
              Files::readString,
              "readAllLines",
              Files::readAllLines,
              "write",
              file -> Files.write(file, NEW).getFileName(),
              "append",
              file -> Files.write(file, NEW, StandardOpenOption.APPEND).getFileName(),
              "mismatch",
              file -> Files.mismatch(file, file.resolveSibling("other"))));

  private static Object read(final Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return in.read() + " " + new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static Object written(final Path file) throws IOException {
    try (OutputStream out = Files.newOutputStream(file)) {
      out.write(NEW);
      out.write(NEW);
    }
    return Files.size(file);
  }

  private static Object replaced(final Path file) throws IOException {
    return Files.copy(new ByteArrayInputStream(NEW), file, StandardCopyOption.REPLACE_EXISTING);
  }

  /** What comes of each use, and what the file holds then. */
  private static List<String> outcomes(final Path folder, final String name) throws IOException {
    final Path file = folder.resolve(name);
    final List<String> outcomes = new ArrayList<>();
    for (final Map.Entry<String, Use> use : USES.entrySet()) {
      Files.writeString(file, "records");
      Files.writeString(folder.resolve("other"), "recorded");
      String outcome;
      Thread.currentThread().interrupt();
      try {
        outcome = "" + use.getValue().of(file);
      } catch (final IOException e) {
        outcome = e.toString();
      }
      final boolean interrupted = Thread.interrupted();
      outcomes.add(use.getKey() + ": " + outcome + " " + interrupted + Files.readString(file));
      Files.deleteIfExists(folder.resolve("copy"));
    }
    return outcomes;
  }

  private List<String> plain(final String name) throws IOException {
    return outcomes(Files.createDirectory(folder.resolve("plain")), name);
  }

  @Test
  void anInterruptStopsNoStreamOnASegment() throws IOException {
    claim();
    assertThat(outcomes(partition, FIRST)).isEqualTo(plain(FIRST));
    assertThat(Files.isSymbolicLink(partition.resolve(FIRST))).isTrue();
  }

  @Test
  void anInterruptStopsNoStreamOnASegmentThatIsAppendedTo() throws IOException {
    claim();
    try (FileChannel other =
        FileChannel.open(
            partition.resolve(FIRST), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      other.write(ByteBuffer.wrap(NEW));
      assertThat(outcomes(partition, FIRST)).isEqualTo(plain(FIRST));
    }
  }

  @Test
  void anInterruptStopsNoStreamOnAnotherFileOfTheEngine() throws IOException {
    claim();
    assertThat(outcomes(logDir, "checkpoint")).isEqualTo(plain("checkpoint"));
  }
}
