// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class DemoProgressTest {

  private static String line(DemoProgress.Work work) {
    return new DemoProgress(1234, "with Headpond, waiting for answers ....!", work).line();
  }

  @Test
  void aLineFitsIntoAHundredColumns() {
    assertThat(line(new DemoProgress.Writing(123_456_789, 1.234e9, 123_456.7)))
        .hasSizeLessThanOrEqualTo(100)
        .contains("123,456,789 acknowledged");
    assertThat(line(new DemoProgress.Comparing(123_456_789, 123_456_789)))
        .hasSizeLessThanOrEqualTo(100);
  }

  @Test
  void neverMoreIsComparedThanWasAcknowledged() {
    assertThat(line(new DemoProgress.Comparing(5, 7))).endsWith("5 of 7 compared");
    assertThat(line(new DemoProgress.Comparing(9, 7))).endsWith("7 of 7 compared");
  }

  @Test
  void theFirstLineSaysWhatHappens() {
    StringWriter text = new StringWriter();
    DemoScreen screen = new DemoScreen(new PrintWriter(text));
    screen.show(new DemoProgress(0, "starting Kafka without Headpond", null));
    screen.show(new DemoProgress(1, "starting Kafka without Headpond", null));
    screen.show(new DemoProgress(1, "without Headpond, warming up", null));
    assertThat(text.toString().lines())
        .containsExactly(
            "   0 s  starting Kafka without Headpond", "   1 s  without Headpond, warming up");
  }
}
