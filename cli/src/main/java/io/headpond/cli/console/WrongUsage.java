// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.console;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** The refusal of a command's options: one line and the exit code 2. */
public final class WrongUsage {

  /**
   * Something that is made from options.
   *
   * @param <E> thrown for another reason than wrong options
   */
  @FunctionalInterface
  public interface Made<T, E extends Exception> {
    /** An {@link IllegalArgumentException} says what is wrong with the options. */
    T make() throws E;
  }

  private WrongUsage() {}

  /** The refusal of {@code spec}'s options for a reason. */
  public static ParameterException of(CommandSpec spec, String reason) {
    return new ParameterException(spec.commandLine(), reason);
  }

  /** Makes something from {@code spec}'s options, and refuses those that it can't be made from. */
  public static <T, E extends Exception> T unless(CommandSpec spec, Made<T, E> made) throws E {
    try {
      return made.make();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }
}
