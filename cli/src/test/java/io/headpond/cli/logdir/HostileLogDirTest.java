// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import static io.headpond.cli.logdir.LogDirFixture.batches;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.headpond.cli.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A log directory that somebody made to deceive: no command follows, believes or repeats it. */
class HostileLogDirTest {
  private static final String FORGED = "OK: nothing wrong";

  @TempDir Path root;
  private LogDirFixture fixture;
  private Path link;

  @BeforeEach
  void makeLogDir() throws IOException {
    fixture = new LogDirFixture(root);
    fixture.tier("pmem");
    Path partition = Files.createDirectories(fixture.logDir.resolve("orders-0"));
    link = partition.resolve("00000000000000000000.log");
    Files.createDirectories(root.resolve("other/orders-0"));
    Files.write(root.resolve("other/orders-0/00000000000000000000.log"), batches(0, 1));
    Files.createSymbolicLink(fixture.segments("pmem").resolve("aside"), root.resolve("other"));
    Files.createSymbolicLink(fixture.segments("pmem").resolve("chain"), Path.of("/etc/passwd"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/etc/passwd",
        "../../../../../../../../etc/passwd",
        "/dev/zero",
        "/proc/self/mem",
        "00000000000000000000.log",
        ".",
        "ROOT/other/orders-0/00000000000000000000.log",
        "SEGMENTS/../HOME/chain",
        "SEGMENTS/chain",
        "SEGMENTS/aside/../other/orders-0/00000000000000000000.log",
        "SEGMENTS"
      })
  void aLinkOutOfTheTiersIsNamedAndNotFollowed(String target) throws IOException {
    String real =
        target
            .replace("SEGMENTS", fixture.segments("pmem").toString())
            .replace("HOME", fixture.home.toString())
            .replace("ROOT", root.toString());
    Files.createSymbolicLink(link, Path.of(real));
    Map<String, String> before = contents();
    Run verified = Run.of("verify", "--json", fixture.logDir.toString());
    assertThat(verified.exitCode()).as(verified.toString()).isEqualTo(1);
    JsonNode logDir = new ObjectMapper().readTree(verified.out()).at("/log_dirs/0");
    assertThat(logDir.get("batches").asInt()).as("nothing of it was read").isZero();
    assertThat(verified.out()).contains(link.toString());
    assertThat(Run.of("status", fixture.logDir.toString()).exitCode()).isEqualTo(1);
    Run drained = Run.of("drain", fixture.logDir.toString());
    assertThat(drained.exitCode()).as(drained.toString()).isEqualTo(1);
    assertThat(drained.err()).startsWith("headpond: ").contains(link.toString());
    assertThat(Run.of("migrate", fixture.logDir.toString(), "orders", "home").exitCode())
        .isNotZero();
    assertThat(contents()).isEqualTo(before);
  }

  private Map<String, String> contents() throws IOException {
    return LogDirFixture.contents(fixture.logDir);
  }

  @Test
  void aNameForgesNoLineAndSteersNoTerminal() throws IOException {
    String name = "x\n" + FORGED + "\u001b[2J\r\u202e-0";
    fixture.homeSegment(name, 0, new byte[] {1, 2, 3});
    fixture.stoppedCleanly();
    Path moved = Files.createDirectories(fixture.logDir.resolve("y\nheadpond: all is well-0"));
    Files.createSymbolicLink(moved.resolve("00000000000000000000.log"), Path.of("/a\nb"));
    for (String command : Set.of("verify", "status", "drain")) {
      Run run = Run.of(command, fixture.logDir.toString());
      assertThat(run.exitCode()).as(run.toString()).isEqualTo(1);
      String printed = run.out() + run.err();
      assertThat(printed.lines()).as(command).noneMatch(line -> line.startsWith(FORGED));
      assertThat(printed.lines()).as(command).noneMatch(line -> line.startsWith("headpond: all"));
      assertThat(printed).as(command).doesNotContain("\u001b", "\r", "\u202e");
    }
    Set<String> paths = new TreeSet<>();
    Run json = Run.of("verify", "--json", fixture.logDir.toString());
    new ObjectMapper()
        .readTree(json.out())
        .at("/log_dirs/0/findings")
        .forEach(finding -> paths.add(finding.get("path").asText()));
    assertThat(paths).anyMatch(path -> path.contains(name));
  }

  @Test
  void anIdentityThatIsLargerThanAnyIsNotRead() throws IOException {
    Files.write(fixture.logDir.resolve(".headpond"), new byte[3 << 20]);
    Run verified = Run.of("verify", fixture.logDir.toString());
    assertThat(verified.exitCode()).isEqualTo(1);
    assertThat(verified.out()).contains("HP0114").contains("larger than");
  }

  @Test
  void figuresOfTheOwnerThatCannotBeAreNoFigures() throws IOException {
    Files.writeString(
        fixture.tierPath("pmem").resolve(".headpond.live"),
        "pid=-1\nstarted.ms=-9223372036854775808\nupdated.ms=9223372036854775807\n"
            + "appended.bytes.durable=-5\nappended.bytes.volatile=99999999999999999999\n"
            + "tier.pmem.capacity.bytes=-1\ntier.pmem.used.bytes=9223372036854775807\n"
            + "tier.pmem.threshold=NaN\nhome."
            + fixture.home
            + ".reserve.bytes=-9223372036854775808\nconfiguration=/a\\nheadpond: b\n");
    for (String json : new String[] {"--json", "--no-json"}) {
      Run run =
          json.equals("--json")
              ? Run.of("status", json, fixture.logDir.toString())
              : Run.of("status", fixture.logDir.toString());
      assertThat(run.exitCode()).as(run.toString()).isIn(0, 1);
      assertThat(run.err()).as(run.toString()).isEmpty();
      assertThat(run.out()).doesNotContain("Exception", "NaN");
    }
  }
}
