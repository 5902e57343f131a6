// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every thread inside an engine survives what its work throws, because one class makes them. */
class BackgroundThreadsTest {
  /** What makes a thread, or lets something run on one, by the JDK's own means. */
  private static final Pattern THREADS =
      Pattern.compile(
          "new (?:Thread|Timer|ForkJoinPool|(?:Scheduled)?ThreadPoolExecutor)\\(|extends Thread\\b"
              + "|\\bExecutors\\.|Thread\\.(?:ofVirtual|ofPlatform|startVirtualThread)"
              + "|\\.parallel(?:Stream)?\\(\\)|scheduleAtFixedRate\\(|scheduleWithFixedDelay\\("
              + "|Cleaner\\.create\\(|commonPool\\(\\)|Async\\([^,;]*\\);");

  /** The modules that run inside a broker or a bookie. */
  private static final List<String> MODULES =
      List.of("pmem", "store", "observe", "nio", "bookkeeper");

  @Test
  void everyThreadIsMadeInOnePlace() throws IOException {
    final List<String> elsewhere = new ArrayList<>();
    final Path modules = Path.of("").toAbsolutePath().getParent();
    for (final String module : MODULES) {
      try (Stream<Path> files = Files.walk(modules.resolve(module).resolve("src/main"))) {
        for (final Path file : files.filter(each -> each.toString().endsWith(".java")).toList()) {
          if (!file.endsWith("io/headpond/pmem/Background.java")) {
            THREADS
                .matcher(Files.readString(file))
                .results()
                .forEach(found -> elsewhere.add(modules.relativize(file) + ": " + found.group()));
          }
        }
      }
    }
    assertThat(elsewhere).as("threads that io.headpond.pmem.Background doesn't make").isEmpty();
  }
}
