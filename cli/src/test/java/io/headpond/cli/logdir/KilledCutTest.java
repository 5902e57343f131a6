// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.store.config.StoreConfig;
import io.headpond.store.layout.HomeIdentity;
import io.headpond.store.layout.LogDirScan;
import io.headpond.store.layout.ShutdownCounts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A cut that is stopped between any two of its changes, as by a kill. */
class KilledCutTest {
  @TempDir Path root;

  /** Of the devices of all tiers. */
  private String count = "";

  private interface Shape {
    void of(CutFixture fixture) throws IOException;
  }

  /** True if it came to its end. */
  private boolean cut(CutFixture fixture, int changes) throws Exception {
    StoreConfig config = StoreConfig.load(fixture.configuration(false));
    try (Recovery recovery = new Recovery(config, "pmem", EmptyDevice.MOUNTS, path -> count)) {
      recovery.plan((logDir, partitions) -> Map.of());
      recovery.make(new KilledChanges(changes));
      return true;
    } catch (KilledChanges.KilledException e) {
      return false;
    }
  }

  /** A start refuses a tier that isn't there, or has lost writes, and a link that leads nowhere. */
  private boolean refused(CutFixture fixture) throws IOException {
    boolean[] refused = new boolean[1];
    HomeIdentity identity = HomeIdentity.read(fixture.logDir()).orElseThrow();
    identity.tiers().forEach(tier -> refused[0] |= !Files.isDirectory(tier.path()));
    refused[0] |= ShutdownCounts.changed(fixture.notedCount(), count);
    LogDirScan.scan(fixture.logDir(), entry -> refused[0] |= entry.lost());
    return refused[0];
  }

  private int sweep(String name, Shape shape) throws Exception {
    CutFixture whole = made(name + " whole", shape);
    assertThat(cut(whole, Integer.MAX_VALUE)).isTrue();
    Map<String, String> expected = whole.outcome();
    Map<String, String> inNvme = files(whole);
    int changes = 0;
    while (true) {
      CutFixture fixture = made(name + " " + changes, shape);
      boolean done = cut(fixture, changes);
      if (!done) {
        assertThat(refused(fixture) || fixture.outcome().equals(expected))
            .as("after %s changes the start is refused, or nothing is left to do", changes)
            .isTrue();
        if (refused(fixture)) {
          assertThat(cut(fixture, Integer.MAX_VALUE)).isTrue();
        }
      }
      assertThat(fixture.outcome()).as("after %s changes", changes).isEqualTo(expected);
      assertThat(files(fixture)).as("after %s changes", changes).isEqualTo(inNvme);
      if (done) {
        return changes;
      }
      changes++;
    }
  }

  /** The files in the tier that is there. */
  private static Map<String, String> files(CutFixture fixture) throws IOException {
    return LogDirFixture.contents(fixture.segments("nvme"));
  }

  private CutFixture made(String name, Shape shape) throws IOException {
    CutFixture fixture = new CutFixture(Files.createDirectories(root.resolve(name)));
    shape.of(fixture);
    return fixture;
  }

  @Test
  void aCutThatWasKilledAnywhereIsFinishedByTheNextRun() throws Exception {
    assertThat(sweep("cut", CutFixture::lose)).isGreaterThan(15);
  }

  @Test
  void aLogOfWhichNothingStaysIsFinishedByTheNextRun() throws Exception {
    int changes =
        sweep(
            "nothing stays",
            fixture -> {
              Files.delete(fixture.segment("orders-0", 0));
              Files.delete(fixture.segment("orders-0", 50));
              fixture.lose();
            });
    assertThat(changes).isGreaterThan(15);
  }

  @Test
  void aTierThatLostASingleFileIsCutInTheSameOrder() throws Exception {
    int changes =
        sweep(
            "single",
            fixture -> Files.delete(Files.readSymbolicLink(fixture.segment("orders-0", 100))));
    assertThat(changes).isGreaterThan(15);
  }

  @Test
  void aLogInACompactionIsCutWhereverItWasKilled() throws Exception {
    int changes =
        sweep(
            "compaction",
            fixture -> {
              Files.move(
                  fixture.segment("orders-0", 150),
                  fixture.logDir().resolve("orders-0/00000000000000000150.log.swap"));
              fixture.lose();
            });
    assertThat(changes).isGreaterThan(15);
  }

  @Test
  void aLogThatIsDamagedByLostWritesIsCutWhereverItWasKilled() throws Exception {
    count = "module=2";
    int changes =
        sweep(
            "damaged",
            fixture -> {
              fixture.noteCount("module=1");
              fixture.damage(100);
              fixture.damage(250);
            });
    assertThat(changes).isGreaterThan(15);
  }
}
