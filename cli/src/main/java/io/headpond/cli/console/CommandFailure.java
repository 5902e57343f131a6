// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.console;

import java.util.List;
import java.util.function.Consumer;

/**
 * The failure of a command in the operator's words: the fault and its remedy. It is printed as one
 * line without a stack trace; the exit code is 1.
 */
public final class CommandFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** {@code cause}: what is wrong, naming the file; {@code remedy}: what the operator can do. */
  public CommandFailure(String cause, String remedy) {
    super(cause + "; " + remedy);
  }

  /** As above, with the exception that {@code --debug} shows. */
  public CommandFailure(String cause, String remedy, Throwable exception) {
    super(cause + "; " + remedy, exception);
  }

  /**
   * Of an exception whose message may have many lines, such as the end of a server's output.
   *
   * @param rest is told each line but the first, before the failure itself is printed
   */
  public static CommandFailure ofLines(Exception exception, String remedy, Consumer<String> rest) {
    List<String> lines = String.valueOf(exception.getMessage()).lines().toList();
    lines.stream().skip(1).forEach(rest);
    return new CommandFailure(lines.isEmpty() ? "" : lines.get(0), remedy, exception);
  }
}
