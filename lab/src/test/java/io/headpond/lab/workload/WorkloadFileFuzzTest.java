// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.workload;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever a workload file holds, it is understood or refused by name. */
@Tag("fuzz")
class WorkloadFileFuzzTest {
  static Stream<Arguments> seeds() {
    return Stream.of(
        Arguments.of(WorkloadFileTest.USUAL.getBytes(StandardCharsets.UTF_8)),
        Arguments.of(
            "useRandomizedPayloads: true\n\"a\": &b [*b, !!int 1]"
                .getBytes(StandardCharsets.UTF_8)));
  }

  @MethodSource("seeds")
  @FuzzTest(maxDuration = "30s")
  void anyBytesAreReadOrRefusedByName(byte @NotNull [] bytes) throws IOException {
    Path file = Files.createTempFile("headpond-fuzz", ".yaml");
    try {
      Files.write(file, bytes);
      WorkloadFile.read(file);
    } catch (IOException refused) {
      assertThat(refused).hasMessageContaining(file.toString());
    } finally {
      Files.delete(file);
    }
  }
}
