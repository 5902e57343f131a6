// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import static io.headpond.store.StoreFixture.CREATE;
import static io.headpond.store.StoreFixture.append;
import static io.headpond.store.StoreFixture.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headpond.store.ModelRun.Setup;
import io.headpond.store.layout.MirrorName;
import io.headpond.store.layout.NameLook;
import io.headpond.store.segment.Segment;
import io.headpond.store.segment.SegmentChannel;
import io.headpond.store.tier.TierDirectory;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Calls that fail once, or are overtaken, in a place where something could be left behind. */
class FailedCallsTest {
  private static final int BYTES = 20_000;
  private static final int POWER_CUTS = 50;

  /** Longer than it takes until the next round of mirrors. */
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(3);

  private static final String DIRECTORY = "home0/t-0";

  private ModelRun run;

  private void start(final Setup setup) throws IOException {
    run = new ModelRun(setup, 1);
    run.start();
    run.disk.createDirectory(run.real(DIRECTORY));
  }

  @AfterEach
  void close() throws IOException {
    run.disk.plant(new ModelDisk.Defect() {});
    run.disk.schedule((call, path, made) -> {});
    run.close();
  }

  private Path name(final long base) {
    return StoreFixture.segment(run.path(DIRECTORY), base);
  }

  private Path real(final long base) {
    return StoreFixture.segment(run.real(DIRECTORY), base);
  }

  /** The next call of such a kind at a path throws an error of the JVM. */
  private void throwAt(final ModelFaults.Call kind, final Path at) {
    final boolean[] thrown = new boolean[1];
    run.disk.schedule(
        (call, path, made) -> {
          if (!made && !thrown[0] && call == kind && path.equals(at)) {
            thrown[0] = true;
            throw new OutOfMemoryError("planted");
          }
        });
  }

  @Test
  void aForceThatEndedInAnErrorIsDoneByTheNext() throws Exception {
    start(Setup.of(false, "mapped"));
    try (FileChannel channel = run.store().open(name(0), CREATE)) {
      append(channel, bytes(BYTES, 1));
      throwAt(ModelFaults.Call.FORCE, Files.readSymbolicLink(real(0)));
      assertThatThrownBy(() -> channel.force(true)).isInstanceOf(OutOfMemoryError.class);
      channel.force(true);
      final Random random = new Random(1);
      for (int i = 0; i < POWER_CUTS; i++) {
        final ModelImage image = run.disk.cut(random);
        assertThat(image.below(run.real("")))
            .filteredOn(entry -> entry.path().equals(real(0)))
            .singleElement()
            .satisfies(entry -> assertThat(image.read(entry)).startsWith(bytes(BYTES, 1)));
      }
    }
  }

  @Test
  void aForceThatFailedNamesTheFileThatIsThereNow() throws Exception {
    start(Setup.of(false, "file"));
    final Path renamed = run.path("home0/t-1");
    try (FileChannel channel = run.store().open(name(0), CREATE)) {
      assertThat(run.store().migration(bytes -> {}).move(name(0), null, false))
          .isEqualTo(SegmentMigration.Outcome.MOVED);
      run.store().move(run.path(DIRECTORY), renamed);
      append(channel, bytes(BYTES, 1));
      final Path now = StoreFixture.segment(run.real("home0/t-1"), 0);
      run.disk.faults().failForce(1, path -> path.endsWith(now.getFileName()));
      assertThatThrownBy(() -> channel.force(true))
          .isInstanceOf(IOException.class)
          .hasMessageContaining(now + ": can't be forced");
    }
  }

  @Test
  void aRoundOfMirrorsThatEndedInAnErrorIsMadeUpFor() throws Exception {
    run = new ModelRun(Setup.of(true, "file"), 1).with("headpond.tier.t0.mirror", "0");
    run.start();
    run.disk.createDirectory(run.real(DIRECTORY));
    try (FileChannel channel = run.store().open(name(0), CREATE)) {
      append(channel, bytes(BYTES, 1));
      StoreFixture.await(
          "the first round", () -> run.store().facts().mirrors().get(0).behindBytes() == 0);
      final boolean[] thrown = new boolean[1];
      run.disk.schedule(
          (call, path, made) -> {
            if (!made
                && !thrown[0]
                && call == ModelFaults.Call.FORCE
                && MirrorName.ofMirror(path) != null) {
              thrown[0] = true;
              throw new OutOfMemoryError("planted");
            }
          });
      append(channel, bytes(BYTES, 2));
      assertThat(thrown[0]).isTrue();
      assertThat(((SegmentChannel) channel).segment().file().mirror.forced()).isEqualTo(2 * BYTES);
    }
  }

  /** As a file system over a network may do. */
  @Test
  void aMirrorThatGoesOnIsNotCalledWholeAfterARenameThatFailed() throws Exception {
    run = new ModelRun(Setup.of(false, "file"), 1).with("headpond.tier.t0.mirror", "0");
    run.start();
    run.disk.createDirectory(run.real(DIRECTORY));
    final AtomicInteger renamed = new AtomicInteger();
    run.disk.plant(
        new ModelDisk.Defect() {
          @Override
          public void renamed(final Path from, final Path to) throws IOException {
            if (MirrorName.isWhole(to) && renamed.getAndIncrement() == 0) {
              throw new IOException("Input/output error");
            }
          }
        });
    try (FileChannel channel = run.store().open(name(0), CREATE)) {
      append(channel, bytes(BYTES, 1));
    }
    StoreFixture.await("the rename", () -> renamed.get() > 0);
    try (FileChannel channel = run.store().open(name(0), Set.of(StandardOpenOption.WRITE))) {
      channel.position(BYTES);
      append(channel, bytes(BYTES, 2));
      assertThat(NameLook.list(run.real("home0")))
          .filteredOn(file -> MirrorName.ofMirror(file) != null)
          .noneMatch(MirrorName::isWhole);
    }
  }

  /** A force that comes after it succeeds, and makes nothing durable. */
  @Test
  void aLogDirectoryThatAMirrorCouldNotForceIsNotTrusted() throws Exception {
    run = new ModelRun(Setup.of(true, "file"), 1).with("headpond.tier.t0.mirror", "0");
    run.start();
    run.disk.createDirectory(run.real(DIRECTORY));
    try (FileChannel channel = run.store().open(name(0), CREATE)) {
      append(channel, bytes(BYTES, 1));
    }
    final Path home = run.real("home0");
    StoreFixture.await(
        "a whole mirror",
        () ->
            NameLook.list(home).stream()
                .anyMatch(file -> MirrorName.ofMirror(file) != null && MirrorName.isWhole(file)));
    run.disk.createDirectory(run.real("home0/t-1"));
    run.disk.faults().failForce(1, path -> path.equals(home));
    try (FileChannel channel = run.store().open(name(0), Set.of(StandardOpenOption.WRITE))) {
      channel.position(BYTES);
      append(channel, bytes(BYTES, 2)); // before it the mirror gets another name
    }
    assertThat(run.disk.faults().struck()).isTrue();
    try (FileChannel other =
        run.store().open(StoreFixture.segment(run.path("home0/t-1"), 0), CREATE)) {
      assertThatThrownBy(() -> append(other, bytes(BYTES, 3)))
          .isInstanceOf(IOException.class)
          .hasMessageContaining(home + ": can't be forced");
    }
  }

  @Test
  void aMirrorThatAMoveCouldNotForceIsWrittenAnewAtOnce() throws Exception {
    run = new ModelRun(Setup.of(false, "file"), 1).with("headpond.tier.t0.mirror", "0");
    run.start();
    run.disk.createDirectory(run.real(DIRECTORY));
    try (FileChannel channel = run.store().open(name(0), CREATE)) {
      append(channel, bytes(BYTES, 1));
      run.disk.faults().failForce(1, path -> MirrorName.ofMirror(path) != null);
      assertThatThrownBy(() -> run.store().migration(bytes -> {}).move(name(0), null, true))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("can't be forced");
      StoreFixture.await(
          "the mirror", () -> run.store().facts().mirrors().get(0).behindBytes() == 0);
    }
  }

  /** A round that comes between the taking of a mirror and the rename finds the former name. */
  @Test
  void aRoundOfMirrorsForcesNoNameInAdvance() throws Exception {
    run = new ModelRun(Setup.of(true, "file"), 1).with("headpond.tier.t0.mirror", "1s");
    run.start();
    run.disk.createDirectory(run.real(DIRECTORY));
    final TierDirectory tier = run.store().tiers().get(0).get(0);
    try (FileChannel channel = run.store().open(name(0), CREATE)) {
      assertThat(run.store().migration(bytes -> {}).move(name(0), null, false))
          .isEqualTo(SegmentMigration.Outcome.MOVED);
      final AtomicInteger forces = new AtomicInteger();
      final AtomicInteger forcesBefore = new AtomicInteger(-1);
      final Thread mover = Thread.currentThread();
      run.disk.schedule(
          (call, path, made) -> {
            if (made && call == ModelFaults.Call.FORCE && path.equals(run.real(DIRECTORY))) {
              forces.incrementAndGet();
            } else if (!made
                && call == ModelFaults.Call.RENAME
                && Thread.currentThread() == mover
                && forcesBefore.get() < 0
                && path.getParent().equals(run.real("home0"))) {
              final long deadline = System.nanoTime() + PATIENCE_NANOS;
              while (forces.get() == 0 && System.nanoTime() - deadline < 0) {
                LockSupport.parkNanos(1_000_000);
              }
              forcesBefore.set(forces.get());
            }
          });
      assertThat(run.store().migration(bytes -> {}).move(name(0), tier, false))
          .isEqualTo(SegmentMigration.Outcome.MOVED);
      assertThat(forcesBefore.get()).as("the name was replaced").isNotNegative();
      assertThat(forces.get()).as("and forced then").isGreaterThan(forcesBefore.get());
      assertThat(channel.size()).isZero();
    }
  }

  @Test
  void aMirrorInTheMakingIsOpenToItsOwnerOnly() throws Exception {
    run = new ModelRun(Setup.of(false, "file"), 1).with("headpond.tier.t0.mirror", "0");
    run.start();
    run.disk.createDirectory(run.real(DIRECTORY));
    final Set<String> seen = ConcurrentHashMap.newKeySet();
    run.disk.plant(
        new ModelDisk.Defect() {
          @Override
          public void looked(final Path path) throws IOException {
            if (path.startsWith(run.real("tier00"))
                && StoreModelTest.within("SegmentCopy", "keepAttributes")) {
              for (final Path file : NameLook.list(run.real("home0"))) {
                if (MirrorName.ofMirror(file) != null) {
                  seen.add(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
                }
              }
            }
          }
        });
    try (FileChannel channel = run.store().open(name(0), CREATE)) {
      append(channel, bytes(BYTES, 1));
      StoreFixture.await("a mirror", () -> !seen.isEmpty());
      assertThat(seen).containsExactly("rw-------");
    }
  }

  @Test
  void aMoveThatFailsBeforeItsCopyIsNobodysToWaitFor() throws Exception {
    start(Setup.of(false, "file"));
    try (FileChannel channel = run.store().open(name(0), CREATE)) {
      append(channel, bytes(BYTES, 1));
      run.disk.plant(
          new ModelDisk.Defect() {
            @Override
            public void looked(final Path path) throws IOException {
              if (path.equals(run.real(DIRECTORY))
                  && StoreModelTest.within("SegmentMove", "temporary")) {
                throw new IOException("Input/output error");
              }
            }
          });
      assertThatThrownBy(() -> run.store().migration(bytes -> {}).move(name(0), null, false))
          .isInstanceOf(IOException.class);
      final Segment segment = ((SegmentChannel) channel).segment();
      assertThat(segment.watched()).isFalse();
    }
  }

  @Test
  void aTruncationAtTheOpenThatFailsLeavesNoChannel() throws Exception {
    start(Setup.of(false, "file"));
    try (FileChannel channel = run.store().open(name(0), CREATE)) {
      append(channel, bytes(BYTES, 1));
    }
    throwAt(ModelFaults.Call.TRUNCATE, Files.readSymbolicLink(real(0)));
    assertThatThrownBy(
            () ->
                run.store()
                    .open(
                        name(0),
                        Set.of(StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)))
        .isInstanceOf(OutOfMemoryError.class);
    assertThat(run.store().isOpen(name(0))).isFalse();
  }

  /** A descriptor's close says that something was wrong, as a file system of a network may. */
  private void failCloses(final Path of) {
    run.disk.plant(
        new ModelDisk.Defect() {
          @Override
          public void closed(final Path path) throws IOException {
            if (path.equals(of)) {
              throw new IOException("Input/output error");
            }
          }
        });
  }

  @Test
  void aCloseThatFailsLeavesNoChannelAndNoZeros() throws Exception {
    start(Setup.of(false, "dax"));
    final FileChannel channel = run.store().open(name(0), CREATE);
    append(channel, bytes(BYTES, 1));
    failCloses(Files.readSymbolicLink(real(0)));
    assertThatThrownBy(channel::close).hasMessage("Input/output error");
    assertThat(run.store().isOpen(name(0))).isFalse();
    run.disk.plant(new ModelDisk.Defect() {});
    assertThat(Files.size(real(0))).isEqualTo(BYTES);
  }

  @Test
  void aCloseOfWhatWasLeftFailsNoAppend() throws Exception {
    start(Setup.of(false, "file"));
    final TierDirectory tier = run.store().tiers().get(0).get(0);
    try (FileChannel channel = run.store().open(name(0), CREATE)) {
      append(channel, bytes(BYTES, 1));
      failCloses(Files.readSymbolicLink(real(0)));
      final long rest = tier.capacityBytes - tier.space.usedBytes();
      assertThat(tier.space.reserve(rest)).isTrue();
      append(channel, bytes(BYTES, 2));
      tier.space.release(rest);
      assertThat(Files.isSymbolicLink(real(0))).isFalse();
      assertThat(channel.size()).isEqualTo(2 * BYTES);
    }
  }

  @Test
  void aCloseOfACopyThatFailsAfterTheSwitchIsAMove() throws Exception {
    start(Setup.of(false, "file"));
    try (FileChannel channel = run.store().open(name(0), CREATE)) {
      append(channel, bytes(BYTES, 1));
      final Path source = Files.readSymbolicLink(real(0));
      failCloses(source);
      assertThat(run.store().migration(bytes -> {}).move(name(0), null, false))
          .isEqualTo(SegmentMigration.Outcome.MOVED);
      StoreFixture.await("the source is given back", () -> !Files.exists(source));
    }
  }

  @Test
  void aLogThatIsMadeAnewDuringItsDeletionIsSealedAtItsRoll() throws Exception {
    start(Setup.of(false, "dax"));
    run.store().open(name(0), CREATE).close();
    run.store().delete(name(0));
    final FutureTask<FileChannel> made = new FutureTask<>(() -> run.store().open(name(0), CREATE));
    final Thread thread = new Thread(made);
    run.disk.schedule(
        (call, path, done) -> {
          if (done
              && call == ModelFaults.Call.DELETE
              && path.equals(run.real(DIRECTORY))
              && thread.getState() == Thread.State.NEW) {
            try {
              run.disk.createDirectory(run.real(DIRECTORY));
            } catch (final IOException e) {
              throw new AssertionError(e);
            }
            thread.start();
            while (!made.isDone() && thread.getState() != Thread.State.WAITING) {
              Thread.onSpinWait();
            }
          }
        });
    run.store().delete(run.path(DIRECTORY));
    try (FileChannel first = made.get()) {
      append(first, bytes(BYTES, 1));
      try (FileChannel next = run.store().open(name(1), CREATE)) {
        append(next, bytes(BYTES, 2));
        assertThat(Files.size(real(0))).isEqualTo(BYTES);
      }
    }
  }
}
