// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import static io.headpond.store.ModelChain.BYTES_MAX;
import static io.headpond.store.ModelChain.POWER_CUTS;
import static io.headpond.store.StoreFixture.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headpond.store.ModelRun.Setup;
import io.headpond.store.claim.TierLocks;
import io.headpond.store.facts.Count;
import io.headpond.store.layout.BootNote;
import io.headpond.store.segment.Segment;
import io.headpond.store.segment.SegmentChannel;
import io.headpond.store.tier.TierDirectory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Random;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A segment that durable memory keeps is worth nothing behind one that a power cut shortened: each
 * way in which a log gets there, with power cuts right after the first append that is promised.
 */
class LogChainTest {
  private static final String OTHER_BOOT = "boot 5e0c5ed6-2c5c-4c1e-8d5c-0f7a3c2a9a11 ";

  /** What the predecessor overflows to: a tier on a disk, or home. */
  static Stream<Setup> setups() {
    return Stream.of(Setup.of(false, "dax", "file"), Setup.of(false, "dax"));
  }

  @ParameterizedTest
  @MethodSource("setups")
  void anOverflowedPredecessorIsForcedFirst(final Setup setup) throws Exception {
    try (ModelChain chain = new ModelChain(setup)) {
      chain.appendBelow();
      chain.freeFastTier();
      chain.appendAbove();
      chain.cutPower();
    }
  }

  @ParameterizedTest
  @MethodSource("setups")
  void aPredecessorOfAnEarlierProcessIsForcedFirst(final Setup setup) throws Exception {
    try (ModelChain chain = new ModelChain(setup)) {
      chain.appendBelow();
      chain.restart();
      chain.appendAbove();
      chain.cutPower();
    }
  }

  @ParameterizedTest
  @MethodSource("setups")
  void aPredecessorThatNobodyOpenedIsForcedFirst(final Setup setup) throws Exception {
    try (ModelChain chain = new ModelChain(setup)) {
      chain.appendBelow();
      chain.below.channel.close();
      chain.freeFastTier();
      chain.appendAbove();
      chain.cutPower();
    }
  }

  @ParameterizedTest
  @MethodSource("setups")
  void anUnopenedPredecessorThatIsNotForcedIsFound(final Setup setup) throws Exception {
    try (ModelChain chain = new ModelChain(setup)) {
      chain.run.disk.plant(
          new ModelDisk.Defect() {
            @Override
            public boolean skipsForce() {
              return StoreModelTest.within("LogChain", "forceUnopened");
            }
          });
      chain.appendBelow();
      chain.below.channel.close();
      chain.freeFastTier();
      chain.appendAbove();
      assertThatThrownBy(chain::cutPower)
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining("power cut");
    }
  }

  @ParameterizedTest
  @MethodSource("setups")
  void aSegmentThatMovesUpBringsItsPredecessorsAlong(final Setup setup) throws Exception {
    try (ModelChain chain = new ModelChain(setup)) {
      chain.appendBelow();
      chain.appendAbove();
      chain.freeFastTier();
      chain
          .run
          .store()
          .migration(bytes -> {})
          .move(chain.run.path(chain.above.name), chain.fastest(), true);
      chain.above.append(BYTES_MAX);
      chain.cutPower();
    }
  }

  @Test
  void whatAMoveOvertookAForceOfIsForcedBeforeTheNext() throws Exception {
    try (ModelChain chain = new ModelChain(Setup.of(false, "dax", "file"))) {
      chain.appendBelow();
      final Path first = chain.fileOf(chain.below);
      chain.appendBelow();
      final FutureTask<Void> force = new FutureTask<>(() -> forced(chain.below));
      try (HungCalls hung = chain.hungForces(first)) {
        new Thread(force).start();
        await("it waits for the one before", () -> hung.hanging("headpond-names") > 0);
        final TierDirectory second = chain.run.store().tiers().get(1).get(0);
        final long rest = second.capacityBytes - second.space.usedBytes();
        assertThat(second.space.reserve(rest)).isTrue();
        chain.below.append(BYTES_MAX); // moves home
        chain.below.append(BYTES_MAX);
        second.space.release(rest);
      }
      force.get();
      chain.freeFastTier();
      chain.appendAbove();
      chain.cutPower();
    }
  }

  /** The first process since the machine's start ran before the clock was set ahead by an hour. */
  @Test
  void aClockSetAheadLetsNothingOfThisBootCountAsOlder() throws Exception {
    try (StoreFixture fixture = new StoreFixture()) {
      final Path name = StoreFixture.segment(fixture.partition("t-0"), 0);
      try (FileChannel channel = fixture.store().open(name, StoreFixture.CREATE)) {
        StoreFixture.append(channel, StoreFixture.bytes(100, 1));
      }
      fixture.stop();
      assertThat(foundForced(fixture, name)).as("written just now").isFalse();
      final long startedMs =
          BootNote.bootMs(name.getFileSystem(), System.currentTimeMillis()) - 3_600_000;
      Files.setLastModifiedTime(name, FileTime.fromMillis(startedMs + 1_000));
      assertThat(foundForced(fixture, name)).as("of another boot").isTrue();
      Files.setLastModifiedTime(name, FileTime.fromMillis(startedMs + 1_000));
      final Path lock = fixture.tier.resolve(TierLocks.FILE_NAME);
      final String text = Files.readString(lock);
      Files.writeString(lock, text.replaceFirst(" \\d+$", " " + startedMs));
      assertThat(foundForced(fixture, name)).as("of this boot").isFalse();
      assertThat(Files.readString(lock)).as("noted for the next").endsWith(" " + startedMs);
      Files.writeString(lock, text.replaceFirst("boot .{36} \\d+$", OTHER_BOOT + startedMs));
      assertThat(foundForced(fixture, name)).as("of a former boot").isTrue();
    }
  }

  /** Is a segment that a process finds taken for one that is forced? */
  private static boolean foundForced(final StoreFixture fixture, final Path name)
      throws IOException {
    try (FileChannel channel = fixture.store().open(name, StoreFixture.CREATE)) {
      return ((SegmentChannel) channel).segment().durability.forced();
    } finally {
      fixture.stop();
    }
  }

  private static Void forced(final EngineSegment segment) throws IOException {
    segment.channel.force(true);
    return null;
  }

  @Test
  void aPredecessorWhoseForceFailsWhileItIsBeingMovedFailsNobody() throws Exception {
    try (ModelChain chain = new ModelChain(Setup.of(false, "dax", "file"))) {
      chain.appendBelow();
      chain.freeFastTier();
      final Path file = chain.fileOf(chain.below);
      final Segment segment = chain.below.segment();
      final FutureTask<Void> append = new FutureTask<>(() -> appended(chain.log.last()));
      try (HungCalls hung = chain.hungForces(file)) {
        chain.log.roll();
        await("it is being forced", () -> hung.hanging("headpond-names") > 0);
        segment.lock.lock(); // as who moves it does
        chain.run.disk.faults().failForce(1, file::equals);
      }
      try {
        new Thread(append).start();
        await("who forces it finds its lock taken", () -> append.isDone() || awaited(segment));
      } finally {
        segment.lock.unlock();
      }
      append.get();
      assertThat(segment.file().atHome()).isTrue();
      chain.above = chain.log.last();
      chain.cutPower();
    }
  }

  /** Is a thread parked because of it? */
  private static boolean awaited(final Segment segment) {
    return Thread.getAllStackTraces().keySet().stream()
        .anyMatch(thread -> LockSupport.getBlocker(thread) == segment);
  }

  @Test
  void aPredecessorThatIsClosedDuringTheForcesIsForcedToo() throws Exception {
    try (ModelChain chain = new ModelChain(Setup.of(false, "dax", "file"))) {
      chain.appendBelow();
      final Path first = chain.fileOf(chain.below);
      chain.appendBelow();
      chain.appendBelow();
      try (HungCalls hung = chain.hungForces(first)) {
        chain.freeFastTier();
        chain.log.roll();
        await("the first is forced", () -> hung.hanging("headpond-names") > 0);
        chain.below.channel.close();
      }
      chain.above = chain.log.last();
      chain.above.append(BYTES_MAX);
      chain.cutPower();
    }
  }

  /** A force of the engine looks at no segment that isn't open, unless one was closed unforced. */
  @Test
  void whatIsClosedDuringAForceOfTheEngineIsForcedToo() throws Exception {
    try (ModelChain chain = new ModelChain(Setup.of(false, "dax", "file"))) {
      chain.appendBelow();
      final Path first = chain.fileOf(chain.below);
      chain.appendBelow();
      chain.appendBelow();
      final EngineSegment closed = chain.below;
      chain.appendBelow();
      final FutureTask<Void> force = new FutureTask<>(() -> forced(chain.below));
      try (HungCalls hung = chain.hungForces(first)) {
        new Thread(force).start();
        await("the first is forced", () -> hung.hanging("headpond-names") > 0);
        closed.channel.close();
      }
      force.get();
      final Random random = new Random(1);
      for (int i = 0; i < POWER_CUTS; i++) {
        final ModelImage image = chain.run.disk.cut(random);
        assertThat(chain.content(image, closed)).isEqualTo(closed.model.now());
      }
    }
  }

  @Test
  void aFailedForceOfAnUnopenedOneIsKnownToTheNextSegment() throws Exception {
    try (ModelChain chain = new ModelChain(Setup.of(false, "dax", "file"))) {
      chain.appendBelow();
      final List<Path> unopened =
          List.of(chain.fileOf(chain.below), chain.run.real(chain.below.name));
      chain.freeFastTier();
      chain.appendAbove();
      final EngineSegment found = chain.above;
      chain.restart(found);
      chain.run.disk.faults().failForce(1, unopened::contains);
      assertThatThrownBy(() -> chain.found(found).channel.write(ByteBuffer.allocate(1)))
          .hasMessageContaining("can't count as durable");
      chain.run.disk.faults().end();
      chain.log.roll();
      assertThatThrownBy(() -> chain.log.last().channel.write(ByteBuffer.allocate(1)))
          .hasMessageContaining("can't count as durable");
    }
  }

  @Test
  void anUnopenedOneBehindWhatWasForcedIsForcedToo() throws Exception {
    try (ModelChain chain = new ModelChain(Setup.of(false, "dax", "file"))) {
      chain.freeFastTier();
      chain.appendAbove();
      final EngineSegment first = chain.above;
      chain.fillFastTier();
      chain.appendBelow();
      chain.freeFastTier();
      chain.appendAbove();
      final EngineSegment last = chain.above;
      chain.below.append(BYTES_MAX); // of which nothing was forced
      chain.restart(first, last); // and what is between is opened by nobody
      chain.found(first).append(BYTES_MAX);
      chain.above = chain.found(last);
      chain.above.append(BYTES_MAX);
      chain.cutPower();
    }
  }

  @Test
  void whoComesDuringTheForcesOfTheUnopenedWaitsForThem() throws Exception {
    try (ModelChain chain = new ModelChain(Setup.of(false, "dax", "file"))) {
      chain.appendBelow();
      final Path unopened = chain.fileOf(chain.below);
      chain.freeFastTier();
      chain.appendAbove();
      final EngineSegment second = chain.above;
      chain.appendAbove();
      final EngineSegment third = chain.above;
      chain.restart(second, third);
      chain.above = chain.found(third);
      final EngineSegment other = chain.found(second);
      final FutureTask<Void> append = new FutureTask<>(() -> appended(chain.above));
      final FutureTask<Void> before = new FutureTask<>(() -> appended(other));
      try (HungCalls hung = chain.hungForces(unopened, chain.run.real(chain.below.name))) {
        new Thread(before).start();
        await("the unopened one is forced", () -> hung.hanging("headpond-names") == 1);
        new Thread(append).start();
        await("the other comes, too", () -> append.isDone() || hung.hanging("headpond-names") == 2);
        assertThat(append.isDone()).isFalse();
      }
      append.get();
      before.get();
      chain.cutPower();
    }
  }

  private static Void appended(final EngineSegment segment) throws IOException {
    segment.append(BYTES_MAX);
    return null;
  }

  @Test
  void aRollByAnInterruptedThreadForcesTheCutAllTheSame() throws Exception {
    try (ModelChain chain = new ModelChain(Setup.of(true, "dax"))) {
      chain.freeFastTier();
      chain.appendAbove();
      chain.below = chain.above;
      Thread.currentThread().interrupt();
      try {
        chain.log.roll();
      } finally {
        assertThat(Thread.interrupted()).isTrue();
      }
      chain.above = chain.log.last();
      chain.above.append(BYTES_MAX);
      chain.below.append(BYTES_MAX);
      assertThat(chain.run.store().counters().sum(Count.EVACUATED_SEGMENTS)).isZero();
      chain.cutPower();
    }
  }

  @Test
  void theCutOfAForcedSegmentIsForcedBeforeTheNextHasAName() throws Exception {
    try (ModelChain chain = new ModelChain(Setup.of(false, "file"))) {
      chain.freeFastTier();
      chain.log.roll();
      chain.below = chain.log.last();
      chain.below.append(BYTES_MAX);
      chain.below.channel.force(true);
      chain.log.roll();
      final Path file = chain.fileOf(chain.below);
      final Path next = chain.run.real(chain.log.last().name);
      final Random random = new Random(1);
      for (int i = 0; i < POWER_CUTS; i++) {
        final List<ModelImage.Entry> left = chain.run.disk.cut(random).below(chain.run.real(""));
        if (left.stream().anyMatch(entry -> entry.path().equals(next))) {
          assertThat(left)
              .filteredOn(entry -> entry.path().equals(file))
              .singleElement()
              .satisfies(
                  entry -> assertThat(entry.content()).hasSameSizeAs(chain.below.model.now()));
        }
      }
    }
  }

  @Test
  void theNameOfADirectoryThatIsRenamedDuringItsForceIsForced() throws Exception {
    try (ModelChain chain = new ModelChain(Setup.of(true, "dax"))) {
      chain.freeFastTier();
      final RenamedAfterItsForce turns = new RenamedAfterItsForce(chain.run.real("home0"));
      chain.run.disk.schedule(turns);
      chain.log.roll();
      turns.forced.await();
      chain
          .run
          .store()
          .move(chain.run.path("home0/t-0"), chain.run.path(ModelChain.OTHER_DIRECTORY));
      turns.renamed.countDown();
      chain.below = chain.log.last();
      chain.below.append(BYTES_MAX);
      chain.below.channel.close();
      final Path next = StoreFixture.segment(chain.run.path(ModelChain.OTHER_DIRECTORY), 5_000);
      final Path real = StoreFixture.segment(chain.run.real(ModelChain.OTHER_DIRECTORY), 5_000);
      try (FileChannel channel = chain.run.store().open(next, StoreFixture.CREATE)) {
        StoreFixture.append(channel, StoreFixture.bytes(BYTES_MAX, 1));
        final Random random = new Random(1);
        for (int i = 0; i < POWER_CUTS; i++) {
          assertThat(chain.run.disk.cut(random).below(chain.run.real("home0")))
              .extracting(ModelImage.Entry::path)
              .contains(real);
        }
      }
    }
  }

  @Test
  void aPredecessorThatIsBeingRenamedFailsNobody() throws Exception {
    try (ModelChain chain = new ModelChain(Setup.of(false, "dax"))) {
      chain.appendBelow();
      chain.freeFastTier();
      final Path name = chain.run.real(chain.below.name);
      final RenamedWhileForced turns = new RenamedWhileForced(name, name);
      chain.run.disk.schedule(turns);
      chain.log.roll();
      turns.opening.await();
      chain.log.deleteFirst();
      chain.above = chain.log.last();
      chain.above.append(BYTES_MAX);
      chain.log.deleteFiles();
    }
  }

  @Test
  void aPredecessorThatIsClosedAndDeletedFailsNobody() throws Exception {
    try (ModelChain chain = new ModelChain(Setup.of(false, "dax"))) {
      chain.appendBelow();
      chain.freeFastTier();
      final Path name = chain.run.real(chain.below.name);
      final RenamedWhileForced turns = new RenamedWhileForced(name, null);
      chain.run.disk.schedule(turns);
      chain.log.roll();
      turns.opening.await();
      chain.below.channel.close();
      chain.run.store().delete(chain.run.path(chain.below.name));
      turns.renamed.countDown();
      chain.log.segments.remove(chain.log.segments.firstKey());
      chain.above = chain.log.last();
      chain.above.append(BYTES_MAX);
    }
  }

  @Test
  void aPredecessorWhoseDirectoryIsRenamedIsForcedFirst() throws Exception {
    try (ModelChain chain = new ModelChain(Setup.of(false, "dax"))) {
      chain.appendBelow();
      chain.below.channel.close(); // nobody knows it by an open channel
      chain.freeFastTier();
      final RenamedWhileForced turns =
          new RenamedWhileForced(chain.run.real(chain.below.name), chain.run.real("home0/t-0"));
      chain.run.disk.schedule(turns);
      chain.log.roll();
      turns.opening.await();
      chain
          .run
          .store()
          .move(chain.run.path("home0/t-0"), chain.run.path(ModelChain.OTHER_DIRECTORY));
      chain.above = chain.log.last();
      chain.above.append(BYTES_MAX);
      chain.cutPower();
    }
  }
}
