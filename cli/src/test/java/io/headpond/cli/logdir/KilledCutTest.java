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
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A cut that is stopped between any two of its changes, as by a kill. */
class KilledCutTest {
  private static final long NOW_MS = 1_700_000_000_000L;

  private static final List<String> CHECKPOINTS =
      List.of(
          "recovery-point-offset-checkpoint",
          "replication-offset-checkpoint",
          "cleaner-offset-checkpoint",
          "log-start-offset-checkpoint");

  @TempDir Path root;

  /** What stays below the first segment that is gone; false: partitions go as a whole. */
  private boolean keepPrefix = true;

  private interface Shape {
    void of(CutFixture fixture) throws IOException;
  }

  /** True if it came to its end. */
  private boolean cut(Path logDir, int changes) throws IOException {
    TierLoss loss =
        new TierLoss(logDir, HomeIdentity.read(logDir).orElseThrow(), "pmem", keepPrefix);
    loss.plan();
    try {
      loss.accept(new KilledChanges(changes), NOW_MS);
      return true;
    } catch (KilledChanges.KilledException e) {
      return false;
    }
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
    Map<String, String> expected = whole.outcome();
    int changes = 0;
    while (true) {
      CutFixture fixture = made(name + " " + changes, shape);
      boolean done = cut(fixture.logDir(), changes);
      if (!done) {
        assertThat(refused(fixture) || fixture.outcome().equals(expected))
            .as("after %s changes the start is refused, or nothing is left to do", changes)
            .isTrue();
        if (refused(fixture)) {
          String logDir = fixture.logDir().toString();
          List<String> words = new ArrayList<>(List.of("forget-tier", logDir, "pmem"));
          words.add("--accept-loss");
          if (keepPrefix) {
            words.add("--keep-prefix");
          }
          Run again = Run.of(words.toArray(String[]::new));
          assertThat(again.exitCode()).as("after %s changes: %s", changes, again.err()).isZero();
        }
      }
      assertThat(fixture.outcome()).as("after %s changes", changes).isEqualTo(expected);
      assertThat(orphans(fixture)).as("after %s changes", changes).isEmpty();
      if (done) {
        return changes;
      }
      changes++;
    }
  }

  /** The files in the tier that is there that no link leads to. */
  private static Set<Path> orphans(CutFixture fixture) throws IOException {
    Set<Path> files = new HashSet<>();
    try (Stream<Path> all = Files.list(fixture.segments("nvme"))) {
      all.forEach(files::add);
    }
    LogDirScan.scan(fixture.logDir(), entry -> files.remove(entry.file()));
    return files;
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
  void aTierThatLostASingleFileIsCutInTheSameOrder() throws IOException {
    int changes =
        sweep(
            "single",
            fixture -> Files.delete(Files.readSymbolicLink(fixture.segment("orders-0", 100))));
    assertThat(changes).isGreaterThan(20);
  }

  @Test
  void aRemovalOfWholePartitionsIsFinishedWhereverItWasKilled() throws IOException {
    keepPrefix = false;
    assertThat(sweep("whole partitions", CutFixture::lose)).isGreaterThan(15);
  }

  /** The reason is a line of a checkpoint, which goes early. */
  @Test
  void aLogThatStartsAboveTheCutIsRemovedWhereverItWasKilled() throws IOException {
    int changes =
        sweep(
            "start above the cut",
            fixture -> {
              fixture.checkpoint("log-start-offset-checkpoint", "orders 0 120");
              fixture.lose();
            });
    assertThat(changes).isGreaterThan(30);
  }

  /** The reason is a file that is set aside with the segments. */
  @Test
  void aLogInACompactionIsRemovedWhereverItWasKilled() throws IOException {
    int changes =
        sweep(
            "compaction",
            fixture -> {
              Files.move(
                  fixture.segment("orders-0", 150),
                  fixture.logDir().resolve("orders-0/00000000000000000150.log.swap"));
              fixture.lose();
            });
    assertThat(changes).isGreaterThan(30);
  }

  /** As long as Kafka allows: the name that it is set apart by has no room for all of it. */
  @Test
  void aLongTopicLeavesTheCheckpointsWhereverItWasKilled() throws IOException {
    String topic = "long-topic".repeat(25).substring(0, 249);
    String other = topic.substring(0, 206); // what there is room for is a topic, too
    int changes =
        sweep(
            "long topic",
            fixture -> {
              fixture.rename("orders-0", topic + "-0");
              for (String file : CHECKPOINTS) {
                fixture.checkpoint(file, topic + " 0 120", other + " 0 30");
              }
              fixture.lose();
            });
    assertThat(changes).isGreaterThan(30);
    for (String file : CHECKPOINTS) {
      assertThat(root.resolve("long topic whole/log dir ü").resolve(file))
          .hasContent("0\n1\n" + other + " 0 30\n");
    }
  }
}
