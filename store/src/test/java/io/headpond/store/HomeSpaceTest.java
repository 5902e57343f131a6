// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import static io.headpond.store.StoreFixture.CREATE;
import static io.headpond.store.StoreFixture.append;
import static io.headpond.store.StoreFixture.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headpond.store.claim.Home;
import io.headpond.store.facts.Incidents;
import io.headpond.store.facts.TimeSource;
import io.headpond.store.home.BallastSteps;
import io.headpond.store.home.HomeSpace;
import io.headpond.store.layout.DirectoryForce;
import io.headpond.store.layout.HomeIdentity;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.attribute.FileStoreAttributeView;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A home that others fill: the ballast on it, and appends that need room for their index. */
class HomeSpaceTest {
  private static final long MIB = 1 << 20;
  private static final long GIB = 1L << 30;
  private static final long BALLAST = 16 * MIB;

  @AutoClose private StoreFixture fixture;
  private Disk disk;
  private final Clock clock = new Clock();

  @BeforeEach
  void create() throws IOException {
    fixture = new StoreFixture().with("headpond.home.ballast", "16MiB");
    disk = new Disk();
  }

  /** A disk of 100 GiB whose free space is what others and the real ballast file leave. */
  private final class Disk extends FileStore {
    private long others = 50 * GIB;

    /** What everybody may write, of which its size says nothing. */
    private long quota = Long.MAX_VALUE;

    /** What others write before each look, while there is room. */
    private long greed;

    /** What a program writes in each nanosecond, until it is told that the disk is full. */
    private double pace;

    private long pacedNanos;

    private long written;

    /** Does it answer with an error? */
    private boolean fails;

    long free() throws IOException {
      return getTotalSpace() - others - held();
    }

    @Override
    public long getTotalSpace() {
      return 100 * GIB;
    }

    /** The program goes on until now. */
    long freeNow() throws IOException {
      final long nanos = clock.nanos - pacedNanos;
      pacedNanos += nanos;
      final long wants = (long) (pace * nanos);
      if (wants > free()) {
        pace = 0; // it is told
      }
      others += Math.min(wants, free());
      return free();
    }

    @Override
    public long getUsableSpace() throws IOException {
      if (fails) {
        throw new IOException("Input/output error");
      }
      final long now = Math.min(greed, freeNow());
      others += now;
      written += now;
      return free();
    }

    @Override
    public long getUnallocatedSpace() throws IOException {
      return free();
    }

    @Override
    public String name() {
      return "disk";
    }

    @Override
    public String type() {
      return "model";
    }

    @Override
    public boolean isReadOnly() {
      return false;
    }

    @Override
    public boolean supportsFileAttributeView(final Class<? extends FileAttributeView> type) {
      return false;
    }

    @Override
    public boolean supportsFileAttributeView(final String name) {
      return false;
    }

    @Override
    public <V extends FileStoreAttributeView> V getFileStoreAttributeView(final Class<V> type) {
      return null;
    }

    @Override
    public Object getAttribute(final String attribute) {
      throw new UnsupportedOperationException();
    }
  }

  /** Goes on by 2 ms whenever it is asked. */
  private static final class Clock implements TimeSource {
    private long nanos;

    @Override
    public synchronized long nanos() {
      nanos += TimeUnit.MILLISECONDS.toNanos(2);
      return nanos;
    }

    @Override
    public long millis() {
      return TimeUnit.NANOSECONDS.toMillis(nanos());
    }

    @Override
    public void pause(final Object by, final long nanos) {}

    void pass(final long seconds) {
      passNanos(TimeUnit.SECONDS.toNanos(seconds));
    }

    synchronized void passNanos(final long more) {
      nanos += more;
    }
  }

  private long held() throws IOException {
    final Path file = fixture.home.resolve(HomeIdentity.BALLAST);
    return Files.exists(file) ? Files.size(file) : 0;
  }

  private long heldOrFail() {
    try {
      return held();
    } catch (final IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private HomeSpace space() throws IOException {
    return new HomeSpace(
        new Home(fixture.home, UUID.randomUUID()),
        disk,
        true,
        bytes -> disk.quota - disk.others - heldOrFail() >= bytes,
        fixture.config(),
        new Incidents(),
        new DirectoryForce(),
        clock);
  }

  /** One with all of its ballast. */
  private HomeSpace settled() throws IOException {
    final HomeSpace space = space();
    clock.pass(10);
    for (int i = 0; i < BallastSteps.STEPS; i++) {
      space.refresh();
    }
    assertThat(held()).isEqualTo(BALLAST);
    return space;
  }

  @Test
  void aBallastIsAllocatedTenSecondsAfterTheStart() throws Exception {
    final HomeSpace space = space();
    space.refresh();
    assertThat(held()).isZero();
    clock.pass(10);
    space.refresh();
    assertThat(held()).as("a step at a time").isEqualTo(BALLAST / BallastSteps.STEPS);
    for (int i = 1; i < BallastSteps.STEPS; i++) {
      space.refresh();
    }
    space.refresh();
    assertThat(held()).isEqualTo(BALLAST);
    assertThat(space.facts().ballastBytes()).isEqualTo(BALLAST);
    assertThat(space().facts().ballastBytes()).as("found again").isEqualTo(BALLAST);
  }

  /** Kafka goes on without a log directory that failed, for as long as it has others. */
  @Test
  void aDiskThatCannotBeAskedIsToldOnceEachTime() throws Exception {
    final HomeSpace space = space();
    try (SaidLog said = new SaidLog()) {
      for (int i = 0; i < 6; i++) {
        disk.fails = i != 3;
        space.refresh();
      }
      assertThat(said.lines("HP0301")).as(said.toString()).isEqualTo(2);
    }
  }

  @Test
  void noBallastIsAllocatedWhereItWouldTouchTheReserve() throws Exception {
    fixture.with("headpond.home.reserve", "10GiB");
    disk.others = 90 * GIB - BALLAST;
    final HomeSpace space = space();
    clock.pass(10);
    space.refresh();
    assertThat(held()).isZero();
  }

  @Test
  void aSmallerBallastGivesTheRestBack() throws Exception {
    settled();
    fixture.with("headpond.home.ballast", "8MiB");
    final HomeSpace smaller = space();
    clock.pass(10);
    smaller.refresh();
    assertThat(held()).isEqualTo(BALLAST / 2);
    fixture.with("headpond.home.ballast", "0");
    final HomeSpace none = space();
    clock.pass(10);
    none.refresh();
    assertThat(fixture.home.resolve(HomeIdentity.BALLAST)).doesNotExist();
  }

  @Test
  void whatTakesTheRoomIsSaid() throws Exception {
    final HomeSpace space = settled();
    disk.others = 100 * GIB - BALLAST;
    space.awaitRoomNow();
    try (SaidLog said = new SaidLog()) {
      space.report(() -> 3 * MIB);
      assertThat(said.toString())
          .contains(
              "; of its 100.0 GiB, segments that lie there take 3.00 MiB, and everything else"
                  + " 100.0 GiB");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"5%", "5GiB"})
  void whatIsFreeAndTheReserveAreSaidWithTheirUnits(final String reserve) throws Exception {
    fixture.with("headpond.home.reserve", reserve).with("headpond.home.ballast", "0");
    final HomeSpace space = space();
    disk.others = 96 * GIB;
    try (SaidLog said = new SaidLog()) {
      space.refresh();
      assertThat(said.toString())
          .contains(
              "HP0305 " + fixture.home + ": only 4.00 GiB are free, and headpond.home.reserve")
          .contains(reserve.equals("5%") ? " is 5%, which is 5.00 GiB: " : " is 5.00 GiB: ");
    }
  }

  @Test
  void aBallastTakesTwoPercentOfTheDiskAtMost() throws Exception {
    fixture.with("headpond.home.ballast", "50GiB");
    assertThat(space().facts().ballastWantedBytes()).isEqualTo(2 * GIB);
  }

  /** Of what a program writes in the time between two looks. */
  @ParameterizedTest
  @ValueSource(longs = {128 << 10, 1 << 20, 8 << 20, 1 << 30})
  void whoFillsTheDiskIsToldBeforeTheBallastGoes(final long greed) throws Exception {
    final HomeSpace space = settled();
    disk.others = 100 * GIB - BALLAST - 32 * MIB;
    space.refresh();
    disk.greed = greed;
    while (disk.free() > 0) {
      space.refresh();
    }
    // It was told, and stops.
    assertThat(held()).isGreaterThanOrEqualTo(BALLAST - 2 * BALLAST / BallastSteps.STEPS);
    disk.greed = 0;
    space.awaitRoom();
    assertThat(disk.free()).isGreaterThanOrEqualTo(HomeSpace.ENGINE_BYTES);
    assertThat(held()).isGreaterThanOrEqualTo(BALLAST / 2);
  }

  /** Whenever and however fast another program fills the disk; an engine's write takes a while. */
  @Test
  void whatTheEngineWritesFindsRoomWhileTheDiskFills() throws Exception {
    final long seed = System.nanoTime();
    final Random random = new Random(seed);
    for (int disks = 0; disks < 120; disks++) {
      disk = new Disk();
      final HomeSpace space = settled(); // takes what the one before gave back
      disk.others = 100 * GIB - BALLAST - (16 + random.nextInt(500)) * MIB;
      disk.pacedNanos = clock.nanos;
      disk.pace = 0.1 * Math.pow(80, random.nextDouble()); // to 8 GB/s
      space.refresh();
      for (int writes = 0; writes < 12; ) {
        if (random.nextBoolean()) {
          writes++;
          space.awaitRoomNow();
          clock.passNanos(random.nextInt(3_000_000));
          assertThat(disk.freeNow())
              .as("room for a checkpoint; seed %d, disk %d", seed, disks)
              .isGreaterThanOrEqualTo(64 << 10);
          disk.others += 8 << 10;
        } else {
          clock.passNanos(Math.max(2_000_000, disk.free() / 8));
          space.refresh();
        }
      }
    }
  }

  @Test
  void theEngineTakesTheBallastStepByStep() throws Exception {
    final HomeSpace space = settled();
    disk.others = 100 * GIB - BALLAST;
    final Random random = new Random(7);
    long taken = 0;
    while (taken < BALLAST - 2 * MIB) {
      space.refresh();
      space.awaitRoom();
      assertThat(disk.free()).isGreaterThanOrEqualTo(HomeSpace.ENGINE_BYTES);
      final long pages = (1 + random.nextInt(3)) * 4096L;
      disk.others += pages;
      taken += pages;
      assertThat(held()).isLessThanOrEqualTo(BALLAST);
      assertThat(held()).as("not earlier than needed").isGreaterThan(BALLAST - taken - 4 * MIB);
    }
  }

  @Test
  void anAppendIsRefusedWhenTheBallastIsSpent() throws Exception {
    final HomeSpace space = settled();
    disk.others = 100 * GIB - BALLAST;
    space.refresh();
    disk.greed = GIB; // it never stops
    assertThatThrownBy(space::awaitRoom)
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll("HP0321", fixture.home.toString(), "Make room");
    assertThat(held()).isZero();
  }

  /** Whoever writes there: nobody but the engine's indexes, perhaps, whose stores would fault. */
  @Test
  void theEngineTakesTheBallastAtAQuotaToo() throws Exception {
    final HomeSpace space = settled();
    disk.quota = disk.others + BALLAST + 3 * MIB;
    for (int pages = 0; pages < 4_000; pages++) {
      if (pages % 100 == 0) {
        space.refresh();
      }
      space.awaitRoom();
      disk.others += 4096;
      assertThat(disk.others + held()).isLessThanOrEqualTo(disk.quota);
    }
    assertThat(held()).isLessThan(BALLAST);
    disk.others = disk.quota - held();
    assertThatThrownBy(
            () -> {
              for (int i = 0; i < BallastSteps.STEPS; i++) {
                space.awaitRoom();
                disk.others = disk.quota - held();
              }
            })
        .hasMessageContaining("HP0321");
  }

  @Test
  void movesHomePauseAtAQuotaUntilTheBallastIsWhole() throws Exception {
    final HomeSpace space = settled();
    assertThat(space.roomBytes()).isGreaterThan(GIB);
    disk.quota = disk.others + BALLAST;
    space.refuse();
    space.refresh();
    assertThat(space.low()).isTrue();
    assertThat(space.roomBytes()).isLessThanOrEqualTo(HomeSpace.ENGINE_BYTES);
    disk.quota = Long.MAX_VALUE;
    clock.pass(50);
    space.refresh();
    assertThat(space.low()).as("a success is no room yet").isTrue();
    clock.pass(20);
    for (int i = 0; i < 2; i++) {
      space.refresh();
    }
    assertThat(held()).isEqualTo(BALLAST);
    assertThat(space.low()).isFalse();
    assertThat(space.roomBytes()).isGreaterThan(GIB);
  }

  @Test
  void aStartAtAQuotaFindsRoomForTheEngine() throws Exception {
    settled();
    disk.quota = disk.others + BALLAST;
    final HomeSpace again = space();
    again.awaitRoom();
    assertThat(held()).isLessThan(BALLAST);
  }

  @Test
  void theBallastIsTakenAgainAfterAMinute() throws Exception {
    final HomeSpace space = settled();
    disk.others = 100 * GIB - BALLAST;
    space.refresh();
    space.awaitRoom();
    assertThat(held()).isLessThan(BALLAST);
    disk.others = 50 * GIB;
    clock.pass(50);
    space.refresh();
    assertThat(held()).isLessThan(BALLAST);
    clock.pass(10);
    for (int i = 0; i < BallastSteps.STEPS; i++) {
      space.refresh();
    }
    assertThat(held()).isEqualTo(BALLAST);
  }

  @Test
  void aFileThatWasRemovedByHandIsNoBallast() throws Exception {
    final HomeSpace space = settled();
    Files.delete(fixture.home.resolve(HomeIdentity.BALLAST));
    disk.others = 100 * GIB - 2 * MIB;
    space.refresh();
    space.awaitRoom();
    disk.others = 100 * GIB;
    assertThatThrownBy(space::awaitRoom).hasMessageContaining("HP0321");
    assertThat(space.facts().ballastBytes()).isZero();
  }

  @Test
  void whatWasRemovedByHandIsAllocatedAnewAsAWhole() throws Exception {
    final Path file = fixture.home.resolve(HomeIdentity.BALLAST);
    final HomeSpace space = settled();
    Files.delete(file);
    takeAgain(space);
    disk.others = 100 * GIB - BALLAST;
    space.refresh();
    space.awaitRoom();
    assertThat(held()).isLessThan(BALLAST).isPositive();
    Files.delete(file);
    disk.others = 50 * GIB;
    takeAgain(space);
    final byte[] bytes = Files.readAllBytes(file);
    for (int at = 0; at < BALLAST; at += 4096) {
      assertThat(Arrays.equals(bytes, at, at + 4096, new byte[4096], 0, 4096))
          .as("a hole at " + at)
          .isFalse();
    }
  }

  private void takeAgain(final HomeSpace space) throws IOException {
    space.refresh();
    clock.pass(61);
    for (int i = 0; i <= BallastSteps.STEPS; i++) {
      space.refresh();
      clock.pass(61);
    }
    assertThat(held()).isEqualTo(BALLAST);
  }

  @Test
  void aSmallerBallastGivesTheRestBackAlsoWithoutRoom() throws Exception {
    settled();
    fixture.with("headpond.home.ballast", "0").with("headpond.home.reserve", "1GiB");
    disk.others = 100 * GIB - BALLAST;
    final HomeSpace none = space();
    clock.pass(10);
    none.refresh();
    assertThat(fixture.home.resolve(HomeIdentity.BALLAST)).doesNotExist();
  }

  @Test
  void aSnapshotOfTheEnginesOwnWaitsForRoomToo() throws Exception {
    try (ModelRun run =
        new ModelRun(ModelRun.Setup.of(false, "file"), 3).with("headpond.home.ballast", "64MiB")) {
      run.with(new HastyTime()).start();
      final Path partition = run.path("home0/t-0");
      run.disk.createDirectory(run.real("home0/t-0"));
      run.disk.faults().fill(run.real("home0"));
      for (final String name : List.of("00000000000000000007.snapshot", "any")) {
        assertThatThrownBy(() -> run.store().openAtHome(partition.resolve(name), CREATE))
            .hasMessageContaining("HP0321");
        assertThat(run.real("home0/t-0").resolve(name)).doesNotExist();
      }
    }
  }

  /** The disk is asked: nobody has looked at it since it became full. */
  @Test
  void withoutRoomForItsIndexesNoSegmentIsMade() throws Exception {
    try (ModelRun run =
        new ModelRun(ModelRun.Setup.of(false, "file"), 3).with("headpond.home.ballast", "64MiB")) {
      run.with(new HastyTime()).start();
      final Path name = StoreFixture.segment(run.path("home0/t-0"), 0);
      run.disk.createDirectory(run.real("home0/t-0"));
      run.disk.faults().fill(run.real("home0"));
      assertThatThrownBy(() -> run.store().open(name, CREATE)).hasMessageContaining("HP0321");
      run.disk.faults().heal();
      run.store().open(name, CREATE).close();
    }
  }

  @Test
  void withoutRoomForItsIndexNoByteOfAnAppendIsWritten() throws Exception {
    try (ModelRun run =
        new ModelRun(ModelRun.Setup.of(false, "file"), 3).with("headpond.home.ballast", "64MiB")) {
      run.with(new HastyTime()).start();
      final Path partition = run.path("home0/t-0");
      run.disk.createDirectory(run.real("home0/t-0"));
      try (FileChannel channel = run.store().open(StoreFixture.segment(partition, 0), CREATE)) {
        append(channel, bytes(1_000, 1));
        run.disk.faults().fill(run.real("home0"));
        run.store().homes().spaces().forEach(HomeSpace::refresh);
        assertThatThrownBy(() -> append(channel, bytes(1_000, 2))).hasMessageContaining("HP0321");
        assertThat(channel.size()).isEqualTo(1_000);
        run.disk.faults().heal();
        append(channel, bytes(1_000, 2));
        assertThat(channel.size()).isEqualTo(2_000);
      }
    }
  }
}
