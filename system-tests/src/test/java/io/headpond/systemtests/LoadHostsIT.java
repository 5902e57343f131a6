// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.headpond.harness.process.JavaHome;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Load from two hosts, which are this one under two names, reached by a real SSH; a real Kafka
 * broker takes it.
 */
@Tag("extra")
class LoadHostsIT {

  private Workspace workspace;
  private Sshd sshd;

  @BeforeEach
  void startSshd() throws Exception {
    workspace = Workspace.create("hosts");
    sshd = Sshd.start(workspace.folder("sshd"));
  }

  @AfterEach
  void stopSshd() throws Exception {
    if (sshd != null) {
      sshd.close();
    }
    workspace.close();
  }

  /** A folder in which {@code headpond} is the command of this test's class path. */
  private Path headpond() throws Exception {
    Path folder = workspace.folder("there");
    Path program = folder.resolve("headpond-lab");
    Files.writeString(
        program,
        String.format(
            "#!/bin/sh%nexec '%s' -Dthere='%s' -cp '%s' io.headpond.lab.HeadpondLab \"$@\"%n",
            JavaHome.current().java(), folder, System.getProperty("java.class.path")));
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
    return folder;
  }

  private int run(StringWriter text, Path json, String hosts, Object... more) throws Exception {
    List<Object> words = new ArrayList<>(List.of("run", "latency", "--engine", "kafka"));
    words.addAll(List.of("--hosts", hosts, "--ssh", sshd.ssh(), "--remote-home", headpond()));
    words.addAll(List.of("--advertise", "127.0.0.1", "--compare", "vanilla-disk"));
    words.addAll(List.of("--fast", workspace.tier("fast"), "--home", workspace.folder("home")));
    words.addAll(List.of("--json", json, "--warm-up-seconds", 1));
    words.addAll(List.of(more));
    return Command.lab(text, words.toArray());
  }

  /** The load generators of this test, whatever they are children of. */
  private List<ProcessHandle> agents() {
    String folder = workspace.disk().resolve("there").toString();
    return ProcessHandle.allProcesses().filter(p -> command(p).contains(folder)).toList();
  }

  /** All of it, which Java's own answer isn't if it is long. */
  private static String command(ProcessHandle process) {
    try {
      return Files.readString(
              Path.of("/proc/" + process.pid() + "/cmdline"), StandardCharsets.ISO_8859_1)
          .replace('\0', ' ');
    } catch (IOException e) {
      return ""; // it has ended
    }
  }

  private void assertNothingIsLeft() throws Exception {
    Await.until("no agent runs any more", () -> agents().isEmpty());
    assertThat(workspace.tier("fast")).isEmptyDirectory();
    assertThat(workspace.folder("home")).isEmptyDirectory();
  }

  /** Kills one of the load generators when the first turn is over, unless the run has ended. */
  private CompletableFuture<Boolean> killOne(StringWriter text, AtomicBoolean ended) {
    return CompletableFuture.supplyAsync(
        () -> {
          while (!text.toString().contains("round 1,") && !ended.get()) {
            LockSupport.parkNanos(20_000_000);
          }
          return agents().stream()
              .filter(process -> command(process).contains("-Dthere="))
              .filter(process -> command(process).contains(" agent"))
              .findFirst()
              .map(ProcessHandle::destroyForcibly)
              .orElse(false);
        });
  }

  private static void assertAllThatWasDue(JsonNode point) {
    assertThat(point.get("load").asText())
        .isEqualTo("1 KiB messages, 400/s, 2 producers, from 2 hosts");
    assertThat(point.at("/figures/per_second").asDouble())
        .as(point.toString())
        .isBetween(300.0, 500.0);
    assertThat(point.at("/figures/series/0/p99_us").asDouble()).isPositive();
  }

  @Test
  void aHostThatDiesMakesARunThatItSharesIncomplete() throws Exception {
    Path json = workspace.folder("out").resolve("run.json");
    StringWriter text = new StringWriter();
    AtomicBoolean ended = new AtomicBoolean();
    CompletableFuture<Boolean> killed = killOne(text, ended);
    Object[] two = {"--rates", "400", "--seconds", 2, "--rounds", 2};
    int exit = run(text, json, "127.0.0.1 localhost", two);
    ended.set(true);
    assertThat(killed.get()).as(text.toString()).isTrue();
    assertThat(exit).as(text.toString()).isEqualTo(1);

    JsonNode result = new ObjectMapper().readTree(Files.readString(json));
    assertThat(result.get("points")).hasSize(4);
    assertAllThatWasDue(result.at("/points/0"));
    assertThat(result.at("/points/3/round").asInt()).isEqualTo(2);
    assertAllThatWasDue(result.at("/points/3"));
    assertThat(result.get("hosts")).hasSize(2);
    for (JsonNode host : result.get("hosts")) {
      assertThat(host.get("acknowledged").asLong()).as(host.toString()).isPositive();
      assertThat(host.get("round_trip_us").asLong()).isPositive();
    }
    assertThat(result.get("hosts").findValues("failure"))
        .satisfiesOnlyOnce(failure -> assertThat(failure.isNull()).isTrue());
    assertThat(result.at("/labels/0/name").asText()).isEqualTo("INCOMPLETE");
    assertThat(result.at("/labels/0/reason").asText())
        .matches("host (127\\.0\\.0\\.1|localhost) failed: its load generator .*");
    assertThat(text.toString())
        .contains("the load comes from 2 hosts", "host 127.0.0.1", "host localhost", "round trip")
        .contains("INCOMPLETE: host ");
    assertNothingIsLeft();
  }
}
