// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** A process killed by SIGKILL in the middle of its appends loses none that it reported. */
class KilledWriterTest {
  private static final int RECORD_BYTES = 1_000;
  private static final int KILL_AFTER = 30_000;

  private List<BackEnds> backEnds = List.of();

  @AfterEach
  void deleteFolders() throws IOException {
    for (BackEnds each : backEnds) {
      Folders.delete(each.folder());
    }
  }

  /** Appends records and reports each; never ends. Arguments: the file, the back end's name. */
  static final class Writer {
    public static void main(String[] arguments) throws IOException {
      Path file = Path.of(arguments[0]);
      PersistBackend backend = PersistBackend.valueOf(arguments[1]);
      RunAhead runAhead = new RunAhead(new Background((name, failures, cause) -> {}), "ahead", 1);
      MappedFile mapped =
          MappedFile.open(
              file,
              0,
              BackEnds.of(file.getParent(), backend).options(Account.unlimited(), runAhead));
      ByteBuffer line = ByteBuffer.allocate(9);
      for (int number = 1; ; number++) {
        mapped.write(record(number), mapped.end());
        line.clear().put(String.format("%08d\n", number).getBytes());
        System.out.write(line.array(), 0, 9);
        System.out.flush();
      }
    }
  }

  /** The look at what a machine without power has left. Arguments: the file, records reported. */
  static final class Reader {
    public static void main(String[] arguments) throws IOException {
      check(Path.of(arguments[0]), Integer.parseInt(arguments[1]));
      System.out.println(arguments[1] + " RECORDS ARE THERE");
    }
  }

  /** A record of its own number throughout, never a zero byte. */
  private static ByteBuffer record(int number) {
    byte[] bytes = new byte[RECORD_BYTES];
    Arrays.fill(bytes, (byte) (1 + number % 255));
    byte[] digits = String.format("%08d", number).getBytes();
    System.arraycopy(digits, 0, bytes, 0, digits.length);
    return ByteBuffer.wrap(bytes);
  }

  @TestFactory
  Stream<DynamicTest> everyReportedRecordIsThereAndTheRestIsZero() throws IOException {
    backEnds = BackEnds.all();
    return backEnds.stream()
        .map(each -> DynamicTest.dynamicTest(each.toString(), () -> killAndCheck(each)));
  }

  private static void killAndCheck(BackEnds backEnd) throws Exception {
    Path file = Files.createFile(backEnd.folder().resolve("killed.log"));
    int reported = writeUntilKilled(file, backEnd.backend());
    assertThat(reported).isGreaterThanOrEqualTo(KILL_AFTER);
    check(file, reported);
  }

  private static void check(Path file, int reported) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    assertThat(bytes.length).isGreaterThanOrEqualTo(reported * RECORD_BYTES);
    int at = 0;
    for (int number = 1; number <= reported; number++, at += RECORD_BYTES) {
      if (!Arrays.equals(bytes, at, at + RECORD_BYTES, record(number).array(), 0, RECORD_BYTES)) {
        throw new AssertionError("record " + number + " of " + reported + " is not there");
      }
    }
    // One more may have been written, wholly or partly, and not been reported.
    int zeroFrom = Math.min(bytes.length, at + 2 * RECORD_BYTES);
    for (int i = zeroFrom; i < bytes.length; i++) {
      assertThat(bytes[i]).isZero();
    }
  }

  private static int writeUntilKilled(Path file, PersistBackend backend) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    if (Runtime.version().feature() >= 22) {
      command.add("--enable-native-access=ALL-UNNAMED");
    }
    command.add("-cp");
    command.add(
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
    command.addAll(List.of(Writer.class.getName(), file.toString(), backend.name()));
    Process writer =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    int reported = 0;
    try (BufferedReader lines = writer.inputReader()) {
      String line;
      while ((line = lines.readLine()) != null) {
        if (line.length() == 8) { // the last one may be torn
          assertThat(Integer.parseInt(line)).isEqualTo(++reported);
        }
        if (reported == KILL_AFTER) {
          writer.toHandle().destroyForcibly(); // the process's own would close the pipe
        }
      }
    } catch (IOException e) {
      assertThat(writer.isAlive() && reported < KILL_AFTER).isFalse();
    }
    assertThat(writer.waitFor()).isEqualTo(128 + 9);
    return reported;
  }
}
