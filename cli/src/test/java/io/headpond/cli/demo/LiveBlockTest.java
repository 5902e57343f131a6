// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LiveBlockTest {
  private static final String LINE_UP = "\u001b[1A\u001b[K";

  private final StringWriter screen = new StringWriter();

  @BeforeEach
  void aTerminalOfTenColumns() {
    System.setProperty("headpond.terminal.out", "true");
    System.setProperty("headpond.terminal.columns", "10");
  }

  @AfterEach
  void noTerminal() {
    System.clearProperty("headpond.terminal.out");
    System.clearProperty("headpond.terminal.columns");
  }

  @Test
  void allRowsOfLongLinesAreDrawnOver() {
    LiveBlock block = new LiveBlock(new PrintWriter(screen));
    // An empty line, one that fills its row, one that takes three rows.
    block.show(() -> List.of("", "0123456789", "012345678901234567890"), () -> "");
    screen.getBuffer().setLength(0);
    block.say("stays");
    assertThat(screen.toString())
        .isEqualTo(LINE_UP.repeat(1 + 1 + 3) + "stays" + System.lineSeparator());
  }
}
