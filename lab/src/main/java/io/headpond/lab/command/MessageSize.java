// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import picocli.CommandLine.Option;

/** The option for the size of messages; used as {@code @Mixin}. */
final class MessageSize {

  @Option(
      names = "--size",
      paramLabel = "SIZE",
      converter = OptionValue.Size.class,
      description = "Size of the messages (default: ${DEFAULT-VALUE}).")
  private OptionValue<Integer> size;

  /** With a default, as it would be written on the command line. */
  MessageSize(String standard) {
    size = OptionValue.size(standard);
  }

  /** Bytes of a message. */
  int bytes() {
    return size.value();
  }
}
