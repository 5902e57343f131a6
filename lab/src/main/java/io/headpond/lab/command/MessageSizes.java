// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import java.util.List;
import picocli.CommandLine.Option;

/** The option for the sizes of messages; used as {@code @Mixin}. */
final class MessageSizes {

  @Option(
      names = "--sizes",
      paramLabel = "SIZE[,SIZE...]",
      converter = OptionValue.Sizes.class,
      description = "Sizes of the messages (default: ${DEFAULT-VALUE}).")
  private OptionValue<List<Integer>> sizes;

  /** With a default, as it would be written on the command line. */
  MessageSizes(String standard) {
    sizes = OptionValue.sizes(standard);
  }

  /** Bytes of a message, one load after the other. */
  List<Integer> bytes() {
    return sizes.value();
  }
}
