// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.journal;

import io.headpond.harness.bookkeeper.JournalPlugIn;
import io.headpond.harness.load.Fields;
import io.headpond.harness.process.Dialogue;
import io.headpond.harness.process.EngineRelease;
import io.headpond.harness.process.JavaHome;
import io.headpond.harness.process.JavaServer;
import io.headpond.harness.process.OwnJar;
import io.headpond.lab.bookkeeper.journal.JournalSetup;
import io.headpond.lab.bookkeeper.journal.JournalSlice;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/** A JVM with one journal in it, idle between two slices. Not safe for use by several threads. */
final class JournalProcess implements AutoCloseable {
  private static final Duration ANSWER_LIMIT = Duration.ofSeconds(60);

  private final Dialogue journal;

  JournalProcess(String name, EngineRelease release, JournalSetup setup) throws IOException {
    JavaServer process =
        new JavaServer(name, Path.of(setup.folder()).resolve("process"))
            .java(JavaHome.current())
            .classPath(OwnJar.classPath("lab-bookkeeper", release, JournalPlugIn.find().jars()))
            .jvmArguments(
                "-Xms512m",
                "-Xmx512m",
                "-Dio.netty.leakDetectionLevel=disabled",
                "--add-opens=java.base/java.nio=ALL-UNNAMED",
                "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED");
    if (JavaHome.current().feature() >= 22) {
      process.jvmArguments("--enable-native-access=ALL-UNNAMED");
    }
    journal =
        Dialogue.start(
            name, process, "io.headpond.lab.bookkeeper.journal.JournalMain", Fields.encode(setup));
  }

  /**
   * Logs entries, then waits for the last acknowledgement.
   *
   * @param bytesPerSecond how fast at most; 0: as fast as they are acknowledged
   * @param underWay entries that aren't acknowledged at most; 0: as many as a busy bookie has
   */
  JournalSlice run(int entryBytes, Duration time, long bytesPerSecond, int underWay)
      throws IOException, InterruptedException {
    return Fields.decode(
        JournalSlice.class,
        journal.ask(
            "run " + entryBytes + " " + time.toMillis() + " " + bytesPerSecond + " " + underWay,
            ANSWER_LIMIT.plus(time)));
  }

  @Override
  public void close() {
    journal.close();
  }
}
