// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.lab.Run;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class HostsOptionsTest {

  private static void assertUsage(String message, String bench, String... options) {
    List<String> words = new ArrayList<>(List.of("run", bench));
    words.addAll(List.of(options));
    Run run = Run.of(words.toArray(String[]::new));
    assertThat(run.exitCode()).as(run.err()).isEqualTo(2);
    assertThat(run.err()).contains(message);
  }

  @Test
  void hostsAreForKafka() {
    assertUsage(
        "--hosts is for kafka", "latency", "--engine", "bookkeeper", "--hosts", "node-1 node-2");
  }

  @Test
  void itMustBeKnownWhereHeadpondLiesOnTheHosts() {
    assertUsage("--remote-home", "latency", "--engine", "kafka", "--hosts", "node-1");
  }

  @Test
  void whatIsNoHostIsRefused() {
    String[] options = {"--engine", "kafka", "--remote-home", "/opt/headpond", "--hosts", ""};
    options[5] = "node-1,node-1";
    assertUsage("named twice", "latency", options);
    options[5] = "$(id)";
    assertUsage("'$(id)' is no host's name", "latency", options);
    options[5] = " ";
    assertUsage("1 to 64 hosts, not 0", "latency", options);
  }

  @Test
  void whatReachesHostsIsForHosts() {
    assertUsage("are for --hosts", "latency", "--engine", "kafka", "--ssh", "ssh -p 2222");
    assertUsage("are for --hosts", "throughput", "--engine", "kafka", "--advertise", "node-0");
  }

  @Test
  void hostsReadNothing() {
    String[] hosts = {"--engine", "kafka", "--remote-home", "/opt", "--hosts", "node-1"};
    assertUsage("add --modes produce", "ingest", hosts);
    List<String> backlog = new ArrayList<>(List.of(hosts));
    backlog.addAll(List.of("--backlog", "64MiB"));
    assertUsage("leave it out with --hosts", "throughput", backlog.toArray(String[]::new));
  }
}
