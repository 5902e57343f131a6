// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The JVM that runs an engine in a guest. */
final class EngineJvm {
  /** A short start counts here, not speed; libpmem doesn't need C2. */
  private static final List<String> OPTIONS =
      List.of(
          "-Xms96m",
          "-Xmx256m",
          "-XX:+UseSerialGC",
          "-XX:TieredStopAtLevel=1",
          "-XX:+ErrorFileToStderr",
          "-Djava.io.tmpdir=/tmp",
          "-Dlog4j2.configurationFile=/app/log4j2.properties");

  /** Short messages go to the guest's console. */
  private static final String LOGGING =
      """
      appender.console.type=Console
      appender.console.name=console
      appender.console.layout.type=PatternLayout
      appender.console.layout.pattern=%d{ABSOLUTE} %p %c{1} %m%n
      rootLogger.level=WARN
      rootLogger.appenderRef.console.ref=console
      logger.headpond.name=io.headpond
      logger.headpond.level=INFO
      """;

  private EngineJvm() {}

  /**
   * Its logging configuration, made in a folder of the host, to give to {@link Guest#boot}.
   *
   * @param informing loggers of the engine that say more than warnings
   */
  static Path logging(Path folder, String... informing) throws IOException {
    StringBuilder text = new StringBuilder(LOGGING);
    for (int i = 0; i < informing.length; i++) {
      text.append(
          "logger.engine%d.name=%s%nlogger.engine%1$d.level=INFO%n".formatted(i, informing[i]));
    }
    return Files.writeString(folder.resolve("log4j2.properties"), text);
  }

  /**
   * Its options; later ones count.
   *
   * @param feature release of Java
   */
  static List<String> options(int feature) {
    List<String> all = new ArrayList<>(OPTIONS);
    if (feature >= 22) {
      all.add(Setup.NATIVE_ACCESS);
    }
    return all;
  }

  /**
   * The beginning of its command, a blank behind it; class path, main class and arguments follow.
   *
   * @param feature release of Java
   */
  static String command(int feature) {
    return "/" + Setup.jre(feature) + "/bin/java " + String.join(" ", options(feature)) + " ";
  }
}
