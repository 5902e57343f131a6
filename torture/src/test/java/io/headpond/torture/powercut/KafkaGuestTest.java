// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.harness.process.Engine;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;

class KafkaGuestTest {
  @Test
  void theClassThatMayLogInTheGuestLogsTheRoll() throws Exception {
    String file = KafkaGuest.LOG.replace('.', '/') + ".class";
    List<String> classes = new ArrayList<>();
    for (Path jar : Engine.KAFKA.current().jars()) {
      try (ZipFile zip = new ZipFile(jar.toFile())) {
        ZipEntry entry = zip.getEntry(file);
        if (entry != null) {
          try (InputStream in = zip.getInputStream(entry)) {
            classes.add(new String(in.readAllBytes(), StandardCharsets.ISO_8859_1));
          }
        }
      }
    }
    assertThat(classes).singleElement().asString().contains(KafkaGuest.ROLL.said());
  }
}
