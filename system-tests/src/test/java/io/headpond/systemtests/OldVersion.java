// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.harness.bookkeeper.JournalPlugIn;
import io.headpond.harness.kafka.PlugIn;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/**
 * The plug-in of an older version, whose jars lie in the folder of {@code
 * -Dheadpond.old.version=DIR}; {@code .ci/formats} builds it.
 *
 * @param folder the jars and nothing else
 */
public record OldVersion(Path folder) {

  /** The one that is named; a test without one isn't run. */
  public static OldVersion named() {
    String folder = System.getProperty("headpond.old.version");
    Assumptions.assumeTrue(
        folder != null, "no -Dheadpond.old.version=DIR: .ci/formats builds one and runs this");
    return new OldVersion(Path.of(folder).toAbsolutePath());
  }

  /** For a broker. */
  public PlugIn plugIn() throws IOException {
    return new PlugIn(jar("nio"), PlugIn.Start.AGENT);
  }

  /** For a bookie. */
  public JournalPlugIn journalPlugIn() throws IOException {
    List<Path> jars = new ArrayList<>();
    for (String module : List.of("bookkeeper", "observe", "store", "pmem")) {
      jars.add(jar(module));
    }
    return new JournalPlugIn(jars);
  }

  private Path jar(String module) throws IOException {
    try (Stream<Path> jars = Files.list(folder)) {
      return jars.filter(jar -> jar.getFileName().toString().startsWith("headpond-" + module + "-"))
          .findFirst()
          .orElseThrow(() -> new IOException(folder + " has no jar of " + module));
    }
  }

  /** Asserts that a process has loaded the plug-in of this version, or of this build. */
  public void assertLoaded(long pid, boolean old) throws IOException {
    String command = Files.readString(Path.of("/proc/" + pid + "/cmdline"));
    assertThat(command.contains(folder.toString()))
        .as("the old plug-in's jars in %s", command)
        .isEqualTo(old);
  }
}
