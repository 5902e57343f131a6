// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.comparison;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class TextTableTest {

  @Test
  void aColumnIsAsWideAsItsWidestCell() {
    assertThat(
            new TextTable()
                .left("")
                .right("MB/s")
                .left("ratio")
                .row("produce", 12345, "1.00")
                .row())
        .hasToString("          MB/s  ratio\nproduce  12345  1.00\n\n");
  }

  @Test
  void withoutHeadingsThereIsNoLineOfThem() {
    assertThat(new TextTable().left("").left("").row("a", 1).row("long", 2).text())
        .isEqualTo("a     1\nlong  2\n");
  }

  @Test
  void aRowOfOneCellMakesNoColumnWider() {
    assertThat(new TextTable().left("").right("").row("all in one place:").row("P99", 7).text())
        .isEqualTo("all in one place:\nP99  7\n");
  }

  @Test
  void pairsAreIndented() {
    Map<String, String> places = new TreeMap<>(Map.of("headpond", "/mnt/pmem0", "disk", "/data"));
    assertThat(TextTable.pairs(places).text())
        .isEqualTo("  disk      /data\n  headpond  /mnt/pmem0\n");
  }

  @Test
  void aRowWithTooManyCellsIsRefused() {
    assertThatThrownBy(() -> new TextTable().left("one").row(List.of("a", "b")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("2 cells for 1 columns");
  }
}
