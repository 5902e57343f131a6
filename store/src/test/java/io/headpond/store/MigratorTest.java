// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import static io.headpond.store.StoreFixture.CREATE;
import static io.headpond.store.StoreFixture.append;
import static io.headpond.store.StoreFixture.await;
import static io.headpond.store.StoreFixture.bytes;
import static io.headpond.store.StoreFixture.segment;
import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.store.config.Internals;
import io.headpond.store.facts.Count;
import io.headpond.store.facts.Counters;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is chosen to move: enough, no more, and never the same thing to and fro. */
class MigratorTest {
  private static final int KIB = 1 << 10;
  private static final Set<StandardOpenOption> READ = Set.of(StandardOpenOption.READ);

  private StoreFixture fixture;
  private Path second;
  private Path home;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final CountDownLatch readersGoOn = new CountDownLatch(1);

  @BeforeEach
  void makeDirectories() throws IOException {
    fixture = new StoreFixture();
    // In memory too: hundreds of forced copies are made.
    second = Files.createDirectories(fixture.tier.resolveSibling(fixture.tier.getFileName() + "b"));
    home = Files.createDirectories(fixture.tier.resolveSibling(fixture.tier.getFileName() + "h"));
    fixture
        .with("headpond.log.dirs", home.toString())
        .mapped(false)
        .with("headpond.tier.pmem.capacity", "1MiB")
        .with("headpond.tier.pmem.migrate.threshold", "0.5");
  }

  @AfterEach
  void removeDirectories() throws Exception {
    readersGoOn.countDown();
    threads.shutdown();
    assertThat(threads.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
    fixture.close();
    StoreFixture.remove(second);
    StoreFixture.remove(home);
  }

  private Path partition(final String name) throws IOException {
    return Files.createDirectories(home.resolve(name));
  }

  /** Writes a segment that is followed by another, so that it's sealed. */
  private void write(final Path name, final int length) throws IOException {
    try (FileChannel channel = fixture.store().open(name, CREATE)) {
      append(channel, bytes(length, length));
    }
  }

  private void awaitQuiet() throws Exception {
    final Migrator migrator = fixture.store().migrator();
    migrator.wake();
    await("nothing is left to move", migrator::quiet);
  }

  private boolean nothingIsDropped() throws IOException {
    return fixture.store().tiers().stream()
        .flatMap(List::stream)
        .allMatch(directory -> directory.space.usedBytes() == directory.space.segmentBytes());
  }

  private long movedSegments() throws IOException {
    final Counters counters = fixture.store().counters();
    return counters.sum(Count.DOWN_SEGMENTS) + counters.sum(Count.UP_SEGMENTS);
  }

  private long movedBytes() throws IOException {
    final Counters counters = fixture.store().counters();
    return counters.sum(Count.DOWN_BYTES) + counters.sum(Count.UP_BYTES);
  }

  private void heat(final Path name, final long bytes) throws IOException {
    fixture
        .store()
        .catalogue()
        .read(name.getParent(), name.getFileName().toString(), bytes, System.currentTimeMillis());
  }

  @Test
  void whatMakesRoomForSomethingLargeAndHotStaysDown() throws Exception {
    fixture.with("headpond.migrate.policy", "heat").with("headpond.migrate.threads", "1");
    final Path partition = partition("orders-0");
    fixture.with("headpond.tier.pmem.migrate.threshold", "-1"); // until all of it is written
    write(segment(partition, 0), 150 * KIB);
    write(segment(partition, 1), 150 * KIB);
    write(segment(partition, 2), 400 * KIB);
    write(segment(partition, 3), 60 * KIB);
    write(segment(partition, 4), 0);
    assertThat(fixture.store().migration(bytes -> {}).move(segment(partition, 2), null, false))
        .isEqualTo(SegmentMigration.Outcome.MOVED);
    assertThat(Files.isSymbolicLink(segment(partition, 3)))
        .as("the tier has no room for another like the one before")
        .isFalse();
    fixture.stop();
    fixture.with("headpond.tier.pmem.migrate.threshold", "0.5");
    heat(segment(partition, 2), 100L << 20);
    awaitQuiet();
    assertThat(Files.isSymbolicLink(segment(partition, 2))).as("the hot one is up").isTrue();
    assertThat(movedSegments()).as("two go down, one or two come up").isLessThanOrEqualTo(4);
    final long before = movedSegments();
    for (int i = 0; i < 20; i++) {
      awaitQuiet();
    }
    assertThat(movedSegments()).isEqualTo(before);
  }

  @Test
  void oldDataThatCameLatelyLeaveBeforeNewOnes() throws Exception {
    freshAndOld("0.5");
    awaitQuiet();
    assertThat(up(partition("fresh-0"))).as("fresh ones up").isEqualTo(4);
    assertThat(up(partition("old-0"))).as("old ones up, where there is room").isEqualTo(2);
    moreOfTheFresh();
    assertThat(up(partition("fresh-0"))).as("fresh ones up").isEqualTo(6);
    assertThat(up(partition("old-0"))).as("old ones up").isZero();
  }

  /** 300 KiB of new data in the tier, then old ones, of which the first segment lies there too. */
  private void freshAndOld(final String threshold) throws IOException {
    final long daysAgoMs = System.currentTimeMillis() - TimeUnit.DAYS.toMillis(3);
    fixture
        .with("headpond.tier.pmem.migrate.threshold", threshold)
        .newestRecord(name -> name.getParent().endsWith("old-0") ? daysAgoMs : 0);
    log(partition("fresh-0"), 0, 100, 100, 100, 0);
    log(partition("old-0"), 0, 10, 100, 100, 100, 0);
  }

  private void moreOfTheFresh() throws Exception {
    log(partition("fresh-0"), 4, 100, 100);
    awaitQuiet();
  }

  @Test
  void enablingHeadpondOnAnExistingBrokerMovesNothingUp() throws Exception {
    fixture.with("headpond.tier.pmem.capacity", "4MiB");
    final Path partition = partition("orders-0");
    vanilla(partition, 6);
    awaitQuiet();
    assertThat(up(partition)).as("without being asked").isZero();
    write(segment(partition, 6), 100 * KIB);
    write(segment(partition, 7), 0);
    assertThat(fixture.store().migration(bytes -> {}).move(segment(partition, 6), null, false))
        .isEqualTo(SegmentMigration.Outcome.MOVED);
    await("what was written since comes up", () -> quietWith(partition, 2));
    fixture.restart();
    awaitQuiet();
    assertThat(up(partition)).as("nor after a restart").isEqualTo(2);
  }

  /** A broker that told no time when it joined goes on as before. */
  @Test
  void anIdentityWithoutItsTimeLeavesEverythingAsItWas() throws Exception {
    fixture.with("headpond.tier.pmem.capacity", "4MiB");
    vanilla(partition("orders-0"), 6);
    fixture.store();
    fixture.stop();
    final Path identity = home.resolve(".headpond");
    Files.write(
        identity,
        Files.readAllLines(identity).stream().filter(line -> !line.startsWith("joined")).toList());
    await("all of it comes up", () -> quietWith(partition("orders-0"), 5));
  }

  /**
   * A log as it is without Headpond, last written yesterday; its last segment is the active one.
   */
  private static void vanilla(final Path partition, final int segments) throws IOException {
    for (int i = 0; i < segments; i++) {
      Files.write(segment(partition, i), bytes(100 * KIB, i));
      Files.setLastModifiedTime(
          segment(partition, i), FileTime.from(Instant.now().minus(Duration.ofDays(1))));
    }
  }

  private boolean quietWith(final Path partition, final int inTier) throws Exception {
    awaitQuiet();
    return up(partition) == inTier;
  }

  @Test
  void aMoveUpIsGivenUpWhenAnotherSegmentHasToLeave() throws Exception {
    fixture
        .with("headpond.tier.pmem.capacity", "16MiB")
        .with("headpond.tier.pmem.migrate.threshold", "-1");
    final Path partition = partition("orders-0");
    write(segment(partition, 0), 6_000 * KIB);
    write(segment(partition, 1), 0);
    assertThat(fixture.store().migration(bytes -> {}).move(segment(partition, 0), null, false))
        .isEqualTo(SegmentMigration.Outcome.MOVED);
    fixture.stop();
    fixture
        .with("headpond.tier.pmem.migrate.threshold", "0.5")
        .with(Internals.PREFIX + "up.after", "1h")
        .with("headpond.migrate.bytes.per.second", "1MiB"); // so it takes six seconds
    final Migrator migrator = fixture.store().migrator();
    await("it comes up", () -> migrator.running().stream().anyMatch(move -> !move.down()));
    for (int i = 2; i < 7; i++) {
      write(segment(partition, i), i < 6 ? 1_000 * KIB : 0);
    }
    await("it is given up", () -> migrator.running().stream().allMatch(MigrationChoice.Move::down));
    assertThat(fixture.store().counters().sum(Count.UP_SEGMENTS)).isZero();
    assertThat(fixture.store().counters().sum(Count.MIGRATION_FAILURES)).isZero();
    assertThat(Files.isSymbolicLink(segment(partition, 0))).isFalse();
    assertThat(Files.readAllBytes(segment(partition, 0)))
        .isEqualTo(bytes(6_000 * KIB, 6_000 * KIB));
  }

  /** Writes segments as an engine does, which keeps the one before open. */
  private void log(final Path partition, final int first, final int... kibibytes)
      throws IOException {
    final List<FileChannel> open = new ArrayList<>();
    for (int i = 0; i < kibibytes.length; i++) {
      final FileChannel channel = fixture.store().open(segment(partition, first + i), CREATE);
      append(channel, bytes(kibibytes[i] * KIB, i));
      open.add(channel);
    }
    for (final FileChannel channel : open) {
      channel.close();
    }
  }

  private static int up(final Path partition) throws IOException {
    int links = 0;
    try (DirectoryStream<Path> names = Files.newDirectoryStream(partition)) {
      for (final Path name : names) {
        links += Files.isSymbolicLink(name) ? 1 : 0;
      }
    }
    return links;
  }

  @Test
  void whatSlowReadersStillHoldIsNotCountedAsUsed() throws Exception {
    fixture.with("headpond.tier.pmem.migrate.threshold", "-1");
    final Path partition = partition("orders-0");
    for (int i = 0; i < 8; i++) {
      write(segment(partition, i), 64 * KIB);
    }
    fixture.stop();
    fixture.with("headpond.tier.pmem.migrate.threshold", "0.5"); // which is 8 of them
    final List<FileChannel> channels = new ArrayList<>();
    final CountDownLatch reading = new CountDownLatch(8);
    for (int i = 0; i < 8; i++) {
      final FileChannel channel = fixture.store().open(segment(partition, i), READ);
      channels.add(channel);
      threads.submit(() -> channel.transferTo(0, 64 * KIB, stuck(reading)));
    }
    assertThat(reading.await(20, TimeUnit.SECONDS)).isTrue();
    for (int i = 8; i < 13; i++) { // what is read is the oldest, and goes
      write(segment(partition, i), i < 12 ? 64 * KIB : 0);
    }
    awaitQuiet();
    assertThat(StoreFixture.usedBytes(fixture.store(), fixture.tier)).isEqualTo(12 * 64 * KIB);
    assertThat(fixture.store().counters().sum(Count.DOWN_SEGMENTS))
        .as("768 KiB, and 512 KiB are wanted")
        .isEqualTo(4);
    readersGoOn.countDown();
    await(
        "their space comes back",
        () -> StoreFixture.usedBytes(fixture.store(), fixture.tier) == 8 * 64 * KIB);
    awaitQuiet();
    assertThat(movedSegments()).isEqualTo(4);
    for (final FileChannel channel : channels) {
      channel.close();
    }
  }

  /** Takes a first piece and then no more before the end of the test. */
  private WritableByteChannel stuck(final CountDownLatch reading) {
    return new WritableByteChannel() {
      @Override
      public int write(final ByteBuffer source) throws IOException {
        reading.countDown();
        try {
          readersGoOn.await();
        } catch (final InterruptedException e) {
          throw new IOException(e);
        }
        final int length = source.remaining();
        source.position(source.limit());
        return length;
      }

      @Override
      public boolean isOpen() {
        return true;
      }

      @Override
      public void close() {}
    };
  }

  @Test
  void aFailedDirectoryIsEmptiedIntoItsSiblingsIfHomeHasNoRoom() throws Exception {
    fixture
        .with("headpond.tier.pmem.paths", fixture.tier + "," + second)
        .with("headpond.tier.pmem.capacity", "2MiB")
        .with("headpond.tier.pmem.migrate.threshold", "-1")
        .with("headpond.home.reserve", "1TiB");
    final Path partition = partition("orders-0");
    for (int i = 0; i < 10; i++) {
      write(segment(partition, i), 60 * KIB);
    }
    fixture.store().tiers().get(0).get(0).fail(new IOException("EIO"));
    fixture.store().migrator().wake();
    await("it is empty", () -> fixture.tierFiles().isEmpty());
    for (int i = 0; i < 10; i++) {
      assertThat(Files.readSymbolicLink(segment(partition, i))).startsWith(second);
      assertThat(Files.readAllBytes(segment(partition, i))).isEqualTo(bytes(60 * KIB, 60 * KIB));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "freshness, 0.5, 1, 1",
    "freshness, 0.5, 2, 1",
    "freshness, 0.5, 1, 2",
    "freshness, 0, 1, 1",
    "freshness, 1, 1, 1",
    "freshness, -1, 1, 1",
    "heat, 0.5, 1, 1",
    "heat, 0.5, 2, 1",
    "heat, 0.9, 1, 2",
    "age, 0.5, 1, 1",
    "freshness pinned, 0.5, 1, 1",
    "heat pinned, 0.5, 2, 1"
  })
  void whatMovesIsBoundedByWhatIsWrittenReadAndDeleted(
      final String policy, final String threshold, final int directories, final int tiers)
      throws Exception {
    final long seed = System.nanoTime();
    fixture
        .with("headpond.migrate.policy", policy.split(" ")[0])
        .with("headpond.tier.pmem.capacity", directories + "MiB")
        .with("headpond.tier.pmem.migrate.threshold", threshold);
    if (policy.endsWith("pinned")) {
      fixture.with("headpond.migrate.pin.up", "t0").with("headpond.home.only", "t1");
    }
    if (directories == 2) {
      fixture.with("headpond.tier.pmem.paths", fixture.tier + "," + second);
    }
    if (tiers == 2) {
      fixture
          .with("headpond.tiers", "pmem,ssd")
          .with("headpond.tier.ssd.paths", second.toString())
          .with("headpond.tier.ssd.capacity", "2MiB")
          .with("headpond.tier.ssd.migrate.threshold", "0.8");
    }
    final Load load = new Load(seed, threshold.equals("-1") || threshold.equals("1") ? 50 : 150);
    load.run();
    awaitQuiet();
    final String run = "seed " + seed + ", " + load;
    // For each tier: what is written goes down once; what a deletion or a read calls up once more.
    final long bound =
        threshold.equals("-1") ? 0 : tiers * (load.written + load.deleted + 2 * load.heated);
    assertThat(movedBytes()).as("moved bytes, %s", run).isLessThanOrEqualTo(bound);
    if (threshold.equals("0")) {
      assertThat(movedBytes()).as("moved bytes, %s", run).isPositive();
    }
    await("deleted files have given their space back", this::nothingIsDropped);
    awaitQuiet();
    final long before = movedSegments();
    for (int i = 0; i < 5; i++) {
      awaitQuiet();
    }
    assertThat(movedSegments()).as("at rest, %s", run).isEqualTo(before);
    load.verify(run);
  }

  /** Writes, reads and deletes segments of four topics. */
  private final class Load {
    private final Random random;
    private final int steps;
    private final Map<Path, Integer> live = new LinkedHashMap<>();
    private long written;
    private long deleted;
    private long heated;

    Load(final long seed, final int steps) {
      random = new Random(seed);
      this.steps = steps;
    }

    void run() throws Exception {
      for (int i = 0; i < steps; i++) {
        final Path name = segment(partition("t" + random.nextInt(4) + "-0"), i);
        final int length = (8 + random.nextInt(80)) * KIB;
        write(name, length);
        live.put(name, length);
        written += length;
        if (random.nextInt(3) == 0) {
          read();
        }
        if (live.size() > 40 && random.nextInt(2) == 0) {
          delete();
        }
        if (random.nextInt(4) == 0) {
          awaitQuiet();
        }
      }
    }

    private void read() throws IOException {
      final List<Path> names = List.copyOf(live.keySet());
      final Path name = names.get(random.nextInt(names.size()));
      heat(name, (long) random.nextInt(64) * live.get(name));
      heated += live.get(name);
    }

    private void delete() throws IOException {
      final Iterator<Map.Entry<Path, Integer>> all = live.entrySet().iterator();
      final Map.Entry<Path, Integer> oldest = all.next();
      deleted += oldest.getValue();
      fixture.store().delete(oldest.getKey());
      all.remove();
    }

    void verify(final String run) throws IOException {
      for (final Map.Entry<Path, Integer> entry : live.entrySet()) {
        assertThat(Files.readAllBytes(entry.getKey()))
            .as("%s, %s", entry.getKey(), run)
            .isEqualTo(bytes(entry.getValue(), entry.getValue()));
      }
    }

    @Override
    public String toString() {
      return written + " B written, " + deleted + " B deleted, " + heated + " B in segments read";
    }
  }
}
