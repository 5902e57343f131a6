// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import static io.headpond.cli.logdir.LogDirFixture.batches;

import io.headpond.store.layout.HomeIdentity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * A log directory whose partition {@code orders-0} has segments at home, in tier {@code pmem} and
 * in tier {@code nvme}, by turns, with all that Kafka keeps beside them; {@code orders-1} is at
 * home.
 */
final class CutFixture {
  private final Path root;
  private final LogDirFixture fixture;

  CutFixture(Path root) throws IOException {
    this.root = root;
    fixture = new LogDirFixture(root);
    fixture.tier("pmem");
    fixture.tier("nvme");
    fixture.homeSegment("orders-0", 0, batches(0, 5));
    fixture.homeSegment("orders-0", 50, batches(50, 5));
    fixture.tierSegment("pmem", "orders-0", 100, batches(100, 5));
    fixture.homeSegment("orders-0", 150, batches(150, 5));
    fixture.tierSegment("nvme", "orders-0", 200, batches(200, 5));
    fixture.tierSegment("pmem", "orders-0", 250, batches(250, 5));
    fixture.homeSegment("orders-1", 0, batches(0, 5));
    companions();
    checkpoint("recovery-point-offset-checkpoint", "orders 0 310", "orders 1 50", "other 0 7");
    checkpoint("replication-offset-checkpoint", "orders 0 290", "orders 1 50");
    checkpoint("cleaner-offset-checkpoint", "orders 0 60");
    checkpoint("log-start-offset-checkpoint", "orders 0 20");
    checkpoint("orders-0/leader-epoch-checkpoint", "0 0", "3 70", "4 100", "7 210");
    Files.writeString(
        logDir().resolve("orders-0/partition.metadata"), "version: 0\ntopic_id: abc\n");
    Files.writeString(logDir().resolve(".lock"), "");
    fixture.stoppedCleanly();
  }

  private void companions() throws IOException {
    for (long base = 0; base <= 250; base += 50) {
      String name = String.format("orders-0/%020d", base);
      Files.write(logDir().resolve(name + ".index"), new byte[8]);
      Files.write(logDir().resolve(name + ".timeindex"), new byte[12]);
      if (base > 0) {
        Files.writeString(logDir().resolve(name + ".snapshot"), "producers " + base);
      }
    }
    Files.writeString(logDir().resolve("orders-0/00000000000000000300.snapshot"), "at the end");
  }

  Path logDir() {
    return fixture.logDir;
  }

  UUID home() {
    return fixture.home;
  }

  /** The folder of a tier's segments. */
  Path segments(String tier) {
    return fixture.segments(tier);
  }

  /** Loses tier {@code pmem}. */
  void lose() throws IOException {
    lose("pmem");
  }

  /** Loses a tier. */
  void lose(String tier) throws IOException {
    Files.move(fixture.tierPath(tier), root.resolve("lost " + tier));
  }

  /** Brings a lost tier back. */
  void find(String tier) throws IOException {
    Files.move(root.resolve("lost " + tier), fixture.tierPath(tier));
  }

  /** The configuration of a broker with this log directory and these tiers. */
  Path configuration(boolean ephemeral) throws IOException {
    return Files.writeString(
        root.resolve("server.properties"),
        "log.dirs="
            + logDir()
            + "\nheadpond.tiers=pmem,nvme\nheadpond.tier.pmem.paths="
            + fixture.tierPath("pmem")
            + "\nheadpond.tier.nvme.paths="
            + fixture.tierPath("nvme")
            + "\nheadpond.tier.pmem.ephemeral="
            + ephemeral
            + "\n");
  }

  /** Adds a segment in tier {@code pmem}. */
  Path tierSegment(String partition, long base) throws IOException {
    return fixture.tierSegment("pmem", partition, base, batches(base, 5));
  }

  /** Notes the count of tier {@code pmem}'s device, as a start does. */
  void noteCount(String count) throws IOException {
    HomeIdentity identity = identity();
    identity.noteShutdowns(pmem(identity), count);
    identity.writeTiers(identity.tiers());
  }

  /** The count that is noted; empty if the tier isn't known any more. */
  String notedCount() throws IOException {
    UUID pmem = pmem(identity());
    return pmem == null ? "" : identity().shutdowns(pmem);
  }

  private HomeIdentity identity() throws IOException {
    return HomeIdentity.read(logDir()).orElseThrow();
  }

  private static UUID pmem(HomeIdentity identity) {
    return identity.tiers().stream()
        .filter(tier -> tier.tier().equals("pmem"))
        .map(HomeIdentity.TierRef::id)
        .findAny()
        .orElse(null);
  }

  /** Damages a record of {@code orders-0} where it is. */
  void damage(long base) throws IOException {
    Path file = segment("orders-0", base).toRealPath();
    byte[] bytes = Files.readAllBytes(file);
    bytes[200] ^= 1;
    Files.write(file, bytes);
  }

  /** Moves a partition directory to another disk, with a link in its place. */
  Path linkedDirectory(String partition) throws IOException {
    return fixture.linkedDirectory(partition);
  }

  /** A metadata log with a segment in tier {@code pmem}. */
  void metadata() throws IOException {
    fixture.homeSegment("__cluster_metadata-0", 0, batches(0, 5));
    fixture.tierSegment("pmem", "__cluster_metadata-0", 50, batches(50, 1));
  }

  Path segment(String partition, long base) {
    return logDir().resolve(partition).resolve(String.format("%020d.log", base));
  }

  /** Writes a checkpoint file as Kafka does. */
  void checkpoint(String name, String... entries) throws IOException {
    Files.writeString(
        logDir().resolve(name), "0\n" + entries.length + "\n" + String.join("\n", entries) + "\n");
  }

  List<String> checkpoint(String name) throws IOException {
    return Files.readAllLines(logDir().resolve(name));
  }

  /** The log directory without what differs from run to run: times, identifiers, folders. */
  Map<String, String> outcome() throws IOException {
    Map<String, String> found = new TreeMap<>();
    for (Map.Entry<String, String> file : LogDirFixture.contents(logDir()).entrySet()) {
      String name = file.getKey().replaceFirst("headpond-aside\\.\\d+", "aside");
      if (!name.startsWith(".headpond")) {
        found.put(name, file.getValue().replaceFirst("^-> .*/", "-> "));
      }
    }
    return found;
  }

  List<String> names(String partition) throws IOException {
    return files(logDir().resolve(partition)).toList();
  }

  Stream<String> files(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).toList().stream();
    }
  }
}
