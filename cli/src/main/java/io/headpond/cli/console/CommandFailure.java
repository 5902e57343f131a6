// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.console;

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
}
