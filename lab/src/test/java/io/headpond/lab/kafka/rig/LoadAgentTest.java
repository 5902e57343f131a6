// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.kafka.rig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headpond.harness.load.Fields;
import io.headpond.harness.process.JavaHome;
import io.headpond.harness.process.Ports;
import io.headpond.lab.hosts.HostReport;
import io.headpond.lab.hosts.HostsSettings;
import io.headpond.lab.hosts.LoadHost;
import io.headpond.lab.hosts.LoadHosts;
import io.headpond.lab.kafka.load.Producers;
import io.headpond.lab.scenario.Point;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Agents in JVMs of their own, reached by a script in place of SSH. */
class LoadAgentTest {

  private static final String UNREACHABLE = "nowhere";

  @TempDir private Path folder;

  /** Keeps the process id of each host's agent in a file. */
  private String ssh() throws IOException {
    Path script = folder.resolve("ssh");
    Files.writeString(
        script,
        String.join(
            "\n",
            "#!/bin/sh",
            "while [ $# -gt 2 ]; do shift; done",
            "if [ \"$1\" = " + UNREACHABLE + " ]; then",
            "  echo \"ssh: connect to host $1 port 22: Connection refused\" >&2",
            "  exit 255",
            "fi",
            "echo $$ >'" + folder + "'/\"$1\".pid",
            "exec sh -c \"$2\"",
            ""));
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
    return script.toString();
  }

  private LoadHosts hosts(String version, String... names) throws IOException {
    String program =
        String.format(
            "exec '%s' -cp '%s' %s 1.0",
            JavaHome.current().java(),
            System.getProperty("java.class.path"),
            AgentProgram.class.getName());
    return new LoadHosts(
        new HostsSettings(List.of(names), List.of(ssh()), program, "127.0.0.1", version));
  }

  private ProcessHandle agent(String host) throws IOException {
    long pid = Long.parseLong(Files.readString(folder.resolve(host + ".pid")).trim());
    return ProcessHandle.of(pid).orElseThrow();
  }

  private static List<String> names(LoadHosts hosts) {
    return hosts.left().stream().map(LoadHost::name).toList();
  }

  @Test
  void hostsAnswerTogetherAndEndWithTheirInput() throws Exception {
    List<ProcessHandle> agents = new ArrayList<>();
    try (LoadHosts hosts = hosts("1.0", "node-1", "node-2")) {
      hosts.connect(folder);
      assertThat(names(hosts)).containsExactly("node-1", "node-2");
      for (HostReport report : hosts.reports()) {
        assertThat(report.roundTripUs()).isPositive();
        // It is the same clock.
        assertThat(Math.abs(report.clockAheadUs())).isLessThanOrEqualTo(report.roundTripUs());
        assertThat(report.failure()).isNull();
      }
      List<String> answered = new ArrayList<>();
      hosts.ask(host -> "clock", (host, answer) -> answered.add(host.name() + answer.keySet()));
      assertThat(answered).containsExactly("node-1[micros]", "node-2[micros]");
      agents.add(agent("node-1"));
      agents.add(agent("node-2"));
    }
    for (ProcessHandle agent : agents) {
      agent.onExit().get(30, TimeUnit.SECONDS);
    }
  }

  @Test
  void aHostThatDiesWhileLoadIsMadeIsNamedAndTheOthersGoOn() throws Exception {
    try (LoadHosts hosts = hosts("1.0", "node-1", "node-2")) {
      hosts.connect(folder);
      hosts.begun();
      List<String> told = new ArrayList<>();
      hosts.onFailure(told::add);
      ProcessHandle agent = agent("node-1");
      agent.destroyForcibly();
      agent.onExit().get(30, TimeUnit.SECONDS);

      List<String> answered = new ArrayList<>();
      hosts.ask(host -> "clock", (host, answer) -> answered.add(host.name()));

      assertThat(answered).containsExactly("node-2");
      assertThat(names(hosts)).containsExactly("node-2");
      assertThat(told).singleElement().asString().startsWith("host node-1 failed: ");
      assertThat(hosts.failures()).isEqualTo(told);
      assertThat(hosts.reports().get(0).failure()).isNotBlank();
      assertThat(hosts.reports().get(1).failure()).isNull();

      agent("node-2").destroyForcibly();
      assertThatThrownBy(
              () -> {
                while (true) {
                  hosts.measureClocks();
                }
              })
          .isInstanceOf(IOException.class)
          .hasMessageContaining("no host is left")
          .hasMessageContaining("node-1")
          .hasMessageContaining("node-2");
    }
  }

  @Test
  void aHostThatCannotBeReachedIsAnErrorWithSshsOwnWords() throws Exception {
    try (LoadHosts hosts = hosts("1.0", "node-1", UNREACHABLE)) {
      assertThatThrownBy(() -> hosts.connect(folder))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("host " + UNREACHABLE)
          .hasMessageContaining("port 22: Connection refused")
          .hasMessageContaining(UNREACHABLE + " true")
          .hasMessageContaining("--remote-home");
    }
  }

  @Test
  void anotherVersionOfHeadpondIsRefused() throws Exception {
    try (LoadHosts hosts = hosts("1.1", "node-1")) {
      assertThatThrownBy(() -> hosts.connect(folder))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("host node-1 has Headpond 1.0, and here is 1.1");
    }
  }

  @Test
  void aBrokerThatAHostDoesNotReachIsAnErrorBeforeTheFirstLoad() throws Exception {
    int closed = Ports.free(1)[0];
    SendingPlan plan =
        KafkaHostsLoad.share(
            Point.of(1_024, 1), Producers.LEADER, List.of("bench-1-0"), 1 << 20, 1, 1, 0);
    try (LoadHosts hosts = hosts("1.0", "node-1")) {
      hosts.connect(folder);
      String command = "prepare 127.0.0.1:" + closed + " " + Fields.word(plan);
      assertThatThrownBy(() -> hosts.ask(host -> command, (host, answer) -> {}))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("host node-1: it doesn't reach the broker at 127.0.0.1:" + closed)
          .hasMessageContaining("--advertise");
    }
  }
}
