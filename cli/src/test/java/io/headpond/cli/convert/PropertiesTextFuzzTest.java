// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.convert;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;

/** Whatever a file of Pafka's holds, it is converted or refused. */
@Tag("fuzz")
class PropertiesTextFuzzTest {
  @FuzzTest(maxDuration = "30s")
  void anyBytesAreReadOrRefused(byte @NotNull [] bytes) throws IOException {
    Path file = Files.createTempFile("headpond-fuzz", ".properties");
    try {
      Files.write(file, bytes);
      PropertiesText.read(file);
    } catch (IOException refused) {
      // by name: ConvertConfigCommandTest
    } finally {
      Files.delete(file);
    }
  }
}
