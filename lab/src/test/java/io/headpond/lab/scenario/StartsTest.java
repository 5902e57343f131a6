// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StartsTest {

  private final List<String> events = new ArrayList<>();
  private final Starts starts = new Starts();

  private Rigs rigs(int number) {
    events.add("make " + number);
    return new Rigs() {
      @Override
      public List<Rig> start() {
        events.add("start " + number);
        return List.of();
      }

      @Override
      public String engine() {
        return "none";
      }

      @Override
      public String version() {
        return "0";
      }

      @Override
      public Map<String, String> places() {
        return Map.of();
      }

      @Override
      public void close() {
        events.add("close " + number);
      }
    };
  }

  @Test
  void aStartIsGoneBeforeTheNextIsMade() throws Exception {
    starts.run(2, this::rigs, (start, rigs) -> events.add("work " + start));
    assertThat(events)
        .containsExactly(
            "make 0", "start 0", "work 0", "close 0", "make 1", "start 1", "work 1", "close 1");
  }

  @Test
  void aCloseEndsThePresentStartAndThereIsNoOther() {
    assertThatThrownBy(
            () ->
                starts.run(
                    2,
                    this::rigs,
                    (start, rigs) -> {
                      starts.close();
                      assertThat(events).as("at once").endsWith("close 0");
                    }))
        .isInstanceOf(InterruptedException.class);
    assertThat(events).doesNotContain("make 1");
  }

  @Test
  void workThatFailsLeavesNothingBehind() {
    assertThatThrownBy(
            () ->
                starts.run(
                    2,
                    this::rigs,
                    (start, rigs) -> {
                      throw new IOException("broken");
                    }))
        .hasMessage("broken");
    assertThat(events).containsExactly("make 0", "start 0", "close 0");
  }

  @Test
  void whatNeverBeganIsClosedToo() throws Exception {
    starts.close();
    assertThatThrownBy(() -> starts.run(1, this::rigs, (start, rigs) -> {}))
        .isInstanceOf(InterruptedException.class);
    assertThat(events).isEmpty();
  }
}
