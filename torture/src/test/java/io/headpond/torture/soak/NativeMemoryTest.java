// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.soak;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.harness.process.ChildProcess;
import io.headpond.harness.process.JavaHome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NativeMemoryTest {
  private static final long MIB = 1 << 20;

  @TempDir Path folder;

  @Test
  void partsOfRunningJvmsAreRead() throws Exception {
    for (JavaHome java : JavaHome.installed()) {
      List<String> command =
          List.of(
              java.java().toString(),
              NativeMemory.FLAG,
              "-Xms16m",
              "-Xmx16m",
              "-cp",
              System.getProperty("java.class.path"),
              Waits.class.getName());
      Path output = folder.resolve("java-" + java.feature());
      try (ChildProcess process =
          ChildProcess.start("a waiting JVM", command, Map.of(), folder, output)) {
        while (!Files.readString(output).contains("ready")) {
          assertThat(process.endsWithin(10)).isFalse();
        }
        NativeMemory memory = NativeMemory.of(process.pid(), java);
        if (memory == null) {
          assertThat(java.path().resolve("bin/jcmd")).doesNotExist(); // no JDK
          continue;
        }
        assertThat(memory.partsBytes()).containsEntry("Java Heap", 16 * MIB).containsKey("Thread");
        assertThat(memory.residentBytes()).isPositive();
      }
    }
  }

  /** Waits until it is killed. */
  static final class Waits {
    public static void main(String[] arguments) throws InterruptedException {
      System.out.println("ready");
      Thread.currentThread().join();
    }
  }

  @Test
  void whatGrewIsNamedTheLargestFirst() {
    NativeMemory before = new NativeMemory(Map.of("GC", 10 * MIB, "Code", 5 * MIB), 100 * MIB);
    NativeMemory after =
        new NativeMemory(Map.of("GC", 12 * MIB, "Code", 4 * MIB, "Class", MIB / 2), 120 * MIB);
    assertThat(after.since(before))
        .isEqualTo(
            "+20.0 MiB resident (+18.5 MiB not committed by the JVM, or not touched yet,"
                + " +2.00 MiB GC, -1.00 MiB Code)");
  }
}
