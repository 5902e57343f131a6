// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** A mapped file does what an array of bytes does, whatever the order of operations. */
class MappedFileModelTest {
  private static final int OPERATIONS = Integer.getInteger("headpond.test.operations", 4_000);
  private static final int MODEL_BYTES = 3 << 20;

  private List<BackEnds> backEnds = List.of();

  @AfterEach
  void deleteFolders() throws IOException {
    for (BackEnds each : backEnds) {
      Folders.delete(each.folder());
    }
  }

  @TestFactory
  Stream<DynamicTest> behavesLikeAnArrayOfBytes() throws IOException {
    backEnds = BackEnds.all();
    return backEnds.stream()
        .map(
            each ->
                DynamicTest.dynamicTest(
                    each.toString(), () -> new Run(each, System.nanoTime()).operations()));
  }

  /** One seed's sequence of operations. */
  private static final class Run {
    private final BackEnds backEnd;
    private final long seed;
    private final Random random;
    private final byte[] model = new byte[MODEL_BYTES];
    private int end;
    private final Account account = Account.unlimited();
    private final Path path;
    private MappedFileOptions options;
    private MappedFile file;

    Run(BackEnds backEnd, long seed) {
      this.backEnd = backEnd;
      this.seed = seed;
      this.random = new Random(seed);
      this.path = backEnd.folder().resolve("model.log");
    }

    void operations() throws IOException {
      System.out.println(backEnd + ": seed " + seed);
      Files.createFile(path);
      try (RunAhead runAhead =
              new RunAhead(new Background((name, failures, cause) -> {}), "ahead", 1);
          FileChannel reader = FileChannel.open(path, StandardOpenOption.READ)) {
        options = backEnd.options(account, runAhead).maxChunkBytes(256 << 10);
        file = MappedFile.open(path, 0, options);
        for (int i = 0; i < OPERATIONS; i++) {
          String operation = step();
          check(reader, operation, i);
        }
        file.close();
        assertThat(Files.readAllBytes(path)).isEqualTo(Arrays.copyOf(model, end));
        assertThat(account.reserved()).isEqualTo(end);
      }
    }

    private String step() throws IOException {
      int kind = random.nextInt(100);
      if (kind < 70) {
        return write(end, 1 + random.nextInt(random.nextInt(20) == 0 ? 200_000 : 3_000));
      } else if (kind < 80) {
        return write(random.nextInt(end + 1), random.nextInt(5_000));
      } else if (kind < 84) {
        return write(end + random.nextInt(random.nextInt(4) == 0 ? 500_000 : 10_000), 100);
      } else if (kind < 90) {
        int size = random.nextInt(end + 5_000);
        file.truncate(size);
        if (size < end) {
          Arrays.fill(model, size, end, (byte) 0);
          end = size;
        }
        return "truncate " + size;
      } else if (kind < 94) {
        file.trim();
        assertThat(file.physicalBytes()).isEqualTo(end);
        return "trim";
      } else if (kind < 97) {
        file.force();
        return "force";
      }
      file.close();
      file = MappedFile.open(path, end, options.keepTail(random.nextBoolean()));
      return "reopen";
    }

    private String write(int position, int wanted) throws IOException {
      int length = Math.min(wanted, MODEL_BYTES - position);
      if (length <= 0) {
        file.truncate(0);
        Arrays.fill(model, (byte) 0);
        end = 0;
        return "truncate 0, as the model is full";
      }
      byte[] bytes = new byte[length + 7];
      random.nextBytes(bytes);
      ByteBuffer src = random.nextBoolean() ? ByteBuffer.wrap(bytes) : direct(bytes);
      src.position(7);
      src = random.nextInt(4) == 0 ? src.asReadOnlyBuffer() : src;
      assertThat(file.write(src, position)).isEqualTo(length);
      assertThat(src.hasRemaining()).isFalse();
      System.arraycopy(bytes, 7, model, position, length);
      end = Math.max(end, position + length);
      return "write " + length + " at " + position;
    }

    private static ByteBuffer direct(byte[] bytes) {
      return ByteBuffer.allocateDirect(bytes.length).put(bytes).clear();
    }

    /** Compares a piece of the file around a random place, and what lies past the end. */
    private void check(FileChannel reader, String operation, int number) throws IOException {
      String when = "seed " + seed + ", operation " + number + ": " + operation;
      assertThat(file.end()).as(when).isEqualTo(end);
      int from = random.nextInt(end + 1);
      int length = random.nextInt(20) == 0 ? MODEL_BYTES : 20_000;
      ByteBuffer read = ByteBuffer.allocate(Math.min(length, MODEL_BYTES - from));
      while (read.hasRemaining() && reader.read(read, from + read.position()) > 0) {}
      assertThat(from + read.position()).as(when).isGreaterThanOrEqualTo(Math.min(end, from));
      int mismatch =
          Arrays.mismatch(read.array(), 0, read.position(), model, from, from + read.position());
      assertThat(mismatch).as(when + ", mismatch from " + from).isEqualTo(-1);
      assertThat(from + read.capacity() <= end || from + read.position() >= end).as(when).isTrue();
    }
  }
}
