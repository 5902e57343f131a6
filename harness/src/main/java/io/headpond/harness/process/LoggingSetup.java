// SPDX-License-Identifier: Apache-2.0
package io.headpond.harness.process;

import java.nio.file.Path;

/**
 * The logging configuration of an engine: one file, rolled at a fixed size, so that no test fills a
 * disk with it.
 */
public final class LoggingSetup {

  private static final String PATTERN = "%d{ISO8601} %p %c{1} %m%n";

  private LoggingSetup() {}

  /** For Kafka 4 and later, BookKeeper and Pulsar, which log by Log4j 2. */
  public static String log4j2(Path log) {
    return String.join(
        "\n",
        "status=ERROR",
        "appender.file.type=RollingFile",
        "appender.file.name=file",
        "appender.file.fileName=" + escaped(log),
        "appender.file.filePattern=" + escaped(log) + ".%i",
        "appender.file.layout.type=PatternLayout",
        "appender.file.layout.pattern=" + PATTERN,
        "appender.file.policies.type=Policies",
        "appender.file.policies.size.type=SizeBasedTriggeringPolicy",
        "appender.file.policies.size.size=16MB",
        "appender.file.strategy.type=DefaultRolloverStrategy",
        "appender.file.strategy.max=2",
        "rootLogger.level=INFO",
        "rootLogger.appenderRef.file.ref=file",
        "");
  }

  /** For Kafka 3.9, which logs by reload4j. */
  public static String reload4j(Path log) {
    return String.join(
        "\n",
        "log4j.rootLogger=INFO, file",
        "log4j.appender.file=org.apache.log4j.RollingFileAppender",
        "log4j.appender.file.File=" + escaped(log),
        "log4j.appender.file.MaxFileSize=16MB",
        "log4j.appender.file.MaxBackupIndex=2",
        "log4j.appender.file.layout=org.apache.log4j.PatternLayout",
        "log4j.appender.file.layout.ConversionPattern=" + PATTERN,
        "");
  }

  /** A file name as the value of a properties file, whose own reader takes it for Latin 1. */
  private static String escaped(Path file) {
    StringBuilder text = new StringBuilder();
    for (char c : file.toString().toCharArray()) {
      if (c == '\\') {
        text.append("\\\\");
      } else if (c > 0x7e) {
        text.append(String.format("\\u%04x", (int) c));
      } else {
        text.append(c);
      }
    }
    return text.toString();
  }
}
