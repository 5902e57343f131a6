// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.store.config.StoreConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The recovery of two log directories, stopped between any two changes. */
class KilledRecoveryTest {
  @TempDir Path root;

  /** Two log directories, each with a tier whose device came back empty, or with two of them. */
  private final class Broker {
    private final List<CutFixture> homes = new ArrayList<>();
    private final Path mounts;
    private final StoreConfig config;

    Broker(String name, List<String> lost) throws Exception {
      Path folder = Files.createDirectories(root.toRealPath().resolve(name));
      mounts = folder.resolve("mountinfo");
      StringBuilder table = new StringBuilder();
      List<String> logDirs = new ArrayList<>();
      Map<String, List<String>> tiers = new TreeMap<>();
      for (String each : List.of("a", "b")) {
        Path home = Files.createDirectories(folder.resolve(each));
        CutFixture fixture = new CutFixture(home);
        for (String tier : lost) {
          fixture.lose(tier);
          Path empty = Files.createDirectory(home.resolve("tier " + tier));
          String point = empty.toString().replace(" ", "\\040");
          table.append("40 21 8:16 / " + point + " rw - ext4 /dev/sdb rw\n");
        }
        logDirs.add(fixture.logDir().toString());
        for (String tier : List.of("pmem", "nvme")) {
          tiers
              .computeIfAbsent(tier, none -> new ArrayList<>())
              .add(home.resolve("tier " + tier).toString());
        }
        homes.add(fixture);
      }
      Files.writeString(mounts, table);
      Path file = folder.resolve("server.properties");
      config =
          StoreConfig.load(
              Files.writeString(
                  file,
                  "log.dirs="
                      + String.join(",", logDirs)
                      + "\nheadpond.tiers=pmem,nvme\nheadpond.tier.pmem.paths="
                      + String.join(",", tiers.get("pmem"))
                      + "\nheadpond.tier.nvme.paths="
                      + String.join(",", tiers.get("nvme"))
                      + "\nheadpond.tier.pmem.ephemeral=true"
                      + "\nheadpond.tier.nvme.ephemeral=true\n"));
    }

    /** True if it came to its end. */
    boolean recover(int changes) throws IOException {
      try (Recovery recovery = new Recovery(config, null, mounts, path -> "")) {
        recovery.plan((logDir, partitions) -> Map.of());
        recovery.make(new KilledChanges(changes));
        return true;
      } catch (KilledChanges.KilledException e) {
        return false;
      }
    }

    /** What each log directory says of its recoveries. */
    List<String> records() throws IOException {
      List<String> records = new ArrayList<>();
      for (CutFixture home : homes) {
        records.add(Files.readString(home.logDir().resolve(".headpond.recovered")));
      }
      return records;
    }

    List<Map<String, String>> outcome() throws IOException {
      return List.of(homes.get(0).outcome(), homes.get(1).outcome());
    }
  }

  @Test
  void aRecoveryThatWasKilledAnywhereIsFinishedByTheNext() throws Exception {
    sweep(List.of("pmem"));
  }

  @Test
  void aRecoveryOfTwoTiersIsFinishedWhereverItWasKilled() throws Exception {
    sweep(List.of("pmem", "nvme"));
  }

  private void sweep(List<String> lost) throws Exception {
    Broker whole = new Broker("whole", lost);
    assertThat(whole.recover(Integer.MAX_VALUE)).isTrue();
    List<Map<String, String>> expected = whole.outcome();
    assertThat(expected.get(0)).doesNotContainKey("orders-0/00000000000000000250.log");
    int changes = 0;
    boolean done = false;
    while (!done) {
      Broker broker = new Broker("killed " + changes, lost);
      done = broker.recover(changes);
      assertThat(broker.recover(Integer.MAX_VALUE)).isTrue();
      assertThat(broker.outcome()).as("after %s changes", changes).isEqualTo(expected);
      assertThat(broker.records())
          .as("after %s changes somebody can still read what was cut", changes)
          .allMatch(record -> record.contains("\"end_offset\":100"));
      changes++;
    }
    assertThat(changes).isGreaterThan(30);
  }
}
