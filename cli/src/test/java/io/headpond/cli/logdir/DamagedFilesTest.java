// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import static io.headpond.cli.logdir.LogDirFixture.batches;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.headpond.cli.Run;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The small files beside the segments, cut at each length and with each byte changed in turn: every
 * command says what is wrong, or does what it should, and never ends with a stack trace.
 */
class DamagedFilesTest {
  private static final byte[] CONTENT = batches(0, 2);

  @TempDir Path root;
  private LogDirFixture fixture;
  private Path segment;
  private Path tierFile;

  @BeforeEach
  void makeLogDir() throws IOException {
    fixture = new LogDirFixture(root);
    fixture.tier("pmem");
    segment = fixture.tierSegment("pmem", "orders-0", 0, CONTENT);
    tierFile = Files.readSymbolicLink(segment);
    fixture.stoppedCleanly();
    Files.writeString(fixture.tierPath("pmem").resolve(".headpond.lock"), "pid 1 since 2026");
    Files.writeString(
        fixture.tierPath("pmem").resolve(".headpond.live"),
        "pid=1\nstarted.ms=1700000000000\nupdated.ms=1700000001000\nappended.bytes.durable=7\n"
            + "tier.pmem.capacity.bytes=1000000\ntier.pmem.threshold=0.9\n",
        StandardCharsets.ISO_8859_1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"log dir ü/.headpond", "tier pmem/.headpond"})
  void aDamagedIdentityNeverGetsInTheWayOfASegment(String name) throws IOException {
    damage(root.resolve(name), true);
  }

  @ParameterizedTest
  @ValueSource(strings = {"tier pmem/.headpond.live", "tier pmem/.headpond.lock"})
  void aDamagedFileOfTheOwnerIsNeverNeeded(String name) throws IOException {
    damage(root.resolve(name), false);
  }

  private void damage(Path file, boolean drain) throws IOException {
    byte[] whole = Files.readAllBytes(file);
    int step = drain ? 1 : 7; // of the others nothing is needed
    for (int length = 0; length < whole.length; length += step) {
      look(file, Arrays.copyOf(whole, length), drain);
    }
    for (int at = 0; at < whole.length; at += step) {
      byte[] damaged = whole.clone();
      damaged[at] ^= (byte) (1 << at % Byte.SIZE);
      look(file, damaged, drain);
    }
  }

  private void look(Path file, byte[] damaged, boolean drain) throws IOException {
    byte[] whole = Files.readAllBytes(file);
    Files.write(file, damaged);
    String what = file + ": " + new String(damaged, StandardCharsets.ISO_8859_1);
    String logDir = fixture.logDir.toString();
    Map<String, String> before = LogDirFixture.contents(root);
    plain(what, Run.of("verify", logDir));
    plain(what, Run.of("status", logDir));
    Run verified = Run.of("verify", "--json", logDir);
    plain(what, verified);
    new ObjectMapper().readTree(verified.out());
    assertThat(LogDirFixture.contents(root)).as(what).isEqualTo(before);
    if (drain) {
      Run drained = Run.of("drain", logDir);
      plain(what, drained);
      // Whatever it did: the name leads to the bytes.
      assertThat(Files.readAllBytes(segment)).as(what + drained).isEqualTo(CONTENT);
      putBack();
    }
    Files.write(file, whole);
  }

  private static void plain(String what, Run run) {
    assertThat(run.exitCode()).as(what + run).isIn(0, 1);
    assertThat(run.err() + run.out())
        .as(what)
        .doesNotContain("Exception")
        .doesNotContain("\tat ")
        .doesNotContain("unexpected");
    if (run.exitCode() != 0 && run.out().isEmpty()) {
      assertThat(run.err()).as(what).startsWith("headpond: ");
    }
  }

  private void putBack() throws IOException {
    if (!Files.isSymbolicLink(segment)) {
      Files.createDirectories(tierFile.getParent());
      Files.move(segment, tierFile);
      Files.createSymbolicLink(segment, tierFile);
    }
  }
}
