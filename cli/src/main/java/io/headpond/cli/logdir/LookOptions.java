// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import java.time.Duration;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The options of a command that looks again and again; used as {@code @Mixin}. */
final class LookOptions {

  @Option(
      names = "--interval",
      paramLabel = "TIME",
      defaultValue = "1s",
      description = "Time between repeated looks; default: ${DEFAULT-VALUE}.")
  private Duration interval;

  @Option(
      names = "--count",
      paramLabel = "N",
      description = "End after so many repeated looks; default: never.")
  private Long count;

  /** Refuses what makes no sense. */
  void check(CommandSpec spec) {
    if (interval.compareTo(Watch.INTERVAL_MIN) < 0) {
      throw new ParameterException(spec.commandLine(), "--interval must be at least 100ms");
    }
    if (count != null && count < 1) {
      throw new ParameterException(spec.commandLine(), "--count must be at least 1");
    }
  }

  /** The time between two looks. */
  Duration interval() {
    return interval;
  }

  /** True if an end was given. */
  boolean counted() {
    return count != null;
  }

  /** Looks at most. */
  long count() {
    return count == null ? Long.MAX_VALUE : count;
  }
}
