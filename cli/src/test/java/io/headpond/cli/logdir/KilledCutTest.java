// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import static io.headpond.cli.logdir.LogDirFixture.batches;
import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.cli.Run;
import io.headpond.store.layout.HomeIdentity;
import io.headpond.store.layout.LogDirScan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A cut that is stopped between any two of its changes, as by a kill. */
class KilledCutTest {
  private static final long NOW_MS = 1_700_000_000_000L;

  @TempDir Path root;

  /** The end of the process. */
  private static final class KilledException extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /** Ends after so many changes. */
  private static final class Killed extends LogDirChanges {
    private int left;

    Killed(int changes) {
      left = changes;
    }

    @Override
    void next() {
      if (left-- == 0) {
        throw new KilledException();
      }
    }
  }

  private interface Shape {
    void of(CutFixture fixture) throws IOException;
  }

  /** True if it came to its end. */
  private static boolean cut(Path logDir, int changes) throws IOException {
    TierLoss loss = new TierLoss(logDir, HomeIdentity.read(logDir).orElseThrow(), "pmem", true);
    loss.plan();
    try {
      loss.accept(new Killed(changes), NOW_MS);
      return true;
    } catch (KilledException e) {
      return false;
    }
  }

  /** The log directory without what differs from run to run: times, identifiers, folders. */
  private static Map<String, String> outcome(CutFixture fixture) throws IOException {
    Map<String, String> found = new TreeMap<>();
    for (Map.Entry<String, String> file : LogDirFixture.contents(fixture.logDir()).entrySet()) {
      String name = file.getKey().replaceFirst("headpond-aside\\.\\d+", "aside");
      // Kafka removes what has the ending of a deleted partition.
      boolean mirror = name.endsWith(".whole") || name.endsWith(".mirror"); // the next start's
      if (!name.equals(".headpond") && !name.contains("-delete") && !mirror) {
        found.put(name, file.getValue().replaceFirst("^-> .*/", "-> "));
      }
    }
    return found;
  }

  /** A start refuses a tier that isn't there, and a link that leads nowhere. */
  private static boolean refused(CutFixture fixture) throws IOException {
    boolean[] refused = new boolean[1];
    HomeIdentity.read(fixture.logDir())
        .ifPresent(
            identity ->
                identity.tiers().forEach(tier -> refused[0] |= !Files.isDirectory(tier.path())));
    LogDirScan.scan(fixture.logDir(), entry -> refused[0] |= entry.lost());
    return refused[0];
  }

  private int sweep(String name, Shape shape) throws IOException {
    CutFixture whole = made(name + " whole", shape);
    assertThat(cut(whole.logDir(), Integer.MAX_VALUE)).isTrue();
    Map<String, String> expected = outcome(whole);
    int changes = 0;
    while (true) {
      CutFixture fixture = made(name + " " + changes, shape);
      boolean done = cut(fixture.logDir(), changes);
      if (!done) {
        assertThat(refused(fixture) || outcome(fixture).equals(expected))
            .as("after %s changes the start is refused, or nothing is left to do", changes)
            .isTrue();
        if (refused(fixture)) {
          String logDir = fixture.logDir().toString();
          Run again = Run.of("forget-tier", logDir, "pmem", "--keep-prefix", "--accept-loss");
          assertThat(again.exitCode()).as("after %s changes: %s", changes, again.err()).isZero();
        }
      }
      assertThat(outcome(fixture)).as("after %s changes", changes).isEqualTo(expected);
      if (done) {
        return changes;
      }
      changes++;
    }
  }

  private CutFixture made(String name, Shape shape) throws IOException {
    CutFixture fixture = new CutFixture(Files.createDirectories(root.resolve(name)));
    shape.of(fixture);
    return fixture;
  }

  @Test
  void aCutThatWasKilledAnywhereIsFinishedByTheNextRun() throws IOException {
    assertThat(sweep("cut", CutFixture::lose)).isGreaterThan(30);
  }

  @Test
  void aRemovalThatWasKilledAnywhereIsFinishedByTheNextRun() throws IOException {
    int changes =
        sweep(
            "removal",
            fixture -> {
              Files.delete(fixture.segment("orders-0", 0));
              Files.delete(fixture.segment("orders-0", 50));
              fixture.lose();
            });
    assertThat(changes).isGreaterThan(30);
  }

  @Test
  void aRepairByMirrorsThatWasKilledAnywhereIsFinished() throws IOException {
    int changes =
        sweep(
            "mirrors",
            fixture -> {
              fixture.mirror(100, batches(100, 5), true);
              fixture.mirror(250, Arrays.copyOf(batches(250, 5), 5_000), false);
              fixture.lose();
            });
    assertThat(changes).isGreaterThan(15);
  }

  @Test
  void aCutBehindAMirrorThatWasKilledAnywhereIsFinished() throws IOException {
    int changes =
        sweep(
            "behind a mirror",
            fixture -> {
              fixture.mirror(100, Arrays.copyOf(batches(100, 5), 5_000), false);
              fixture.mirror(250, batches(250, 5), true);
              fixture.lose();
            });
    assertThat(changes).isGreaterThan(30);
  }

  @Test
  void aTierThatLostASingleFileIsCutInTheSameOrder() throws IOException {
    int changes =
        sweep(
            "single",
            fixture -> Files.delete(Files.readSymbolicLink(fixture.segment("orders-0", 100))));
    assertThat(changes).isGreaterThan(20);
  }
}
