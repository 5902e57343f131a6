// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.hosts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class HostsSettingsTest {

  private static HostsSettings settings(List<String> names, String advertised) {
    return new HostsSettings(names, List.of("ssh", "-p", "2222"), "'/h' agent", advertised, "1");
  }

  @Test
  void theOperatorsOptionsComeFirstForTheyCount() {
    List<String> command = settings(List.of("me@node-1"), "node-0").command("me@node-1", "run");
    assertThat(command).startsWith("ssh", "-p", "2222", "-o", "BatchMode=yes");
    assertThat(command).endsWith("me@node-1", "run");
  }

  @Test
  void whatSshWouldTakeForAnOptionIsNoHost() {
    assertThatThrownBy(() -> settings(List.of("-oProxyCommand=id"), "node-0"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'-oProxyCommand=id' is no host's name");
    assertThatThrownBy(() -> settings(List.of("node;id"), "node-0"))
        .hasMessageContaining("is no host's name");
  }

  @Test
  void hostsAreThereAndNamedOnce() {
    assertThatThrownBy(() -> settings(List.of(), "node-0")).hasMessageContaining("not 0");
    assertThatThrownBy(() -> settings(List.of("a", "b", "a"), "node-0"))
        .hasMessageContaining("named twice");
    assertThatThrownBy(() -> settings(List.of("a"), "node-0:9092"))
        .hasMessageContaining("'node-0:9092' is no name or address");
  }
}
