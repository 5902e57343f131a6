// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CommandFailureTest {
  @Test
  void aFailureHasOneLineAndTheOthersAreToldBefore() {
    List<String> told = new ArrayList<>();
    CommandFailure failure =
        CommandFailure.ofLines(
            new IOException("the server doesn't start\nits log\nsays why"),
            "look at it",
            told::add);
    assertThat(failure).hasMessage("the server doesn't start; look at it");
    assertThat(told).containsExactly("its log", "says why");
  }

  @Test
  void anExceptionWithoutWordsIsNoOtherFailure() {
    assertThat(CommandFailure.ofLines(new IOException(), "look", line -> {}))
        .hasMessage("null; look");
    assertThat(CommandFailure.ofLines(new IOException(""), "look", line -> {}))
        .hasMessage("; look");
  }
}
