// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import static io.headpond.store.StoreFixture.CREATE;
import static io.headpond.store.StoreFixture.append;
import static io.headpond.store.StoreFixture.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headpond.store.ModelRun.Setup;
import io.headpond.store.segment.Segment;
import io.headpond.store.segment.SegmentChannel;
import io.headpond.store.tier.TierDirectory;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.EnumSet;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls that fail once, or are overtaken, in a place where something could be left behind. */
class FailedCallsTest {
  private static final int BYTES = 20_000;
  private static final int POWER_CUTS = 50;

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
    start(Setup.of(false, "file"));
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
      run.disk.faults().failForce(1, path -> !Files.isDirectory(path)); // its descriptor's
      assertThatThrownBy(() -> channel.force(true))
          .isInstanceOf(IOException.class)
          .hasMessageContaining(now + ": can't be forced");
    }
  }

  @Test
  void aReadThatFailsMovesNothing() throws Exception {
    start(Setup.of(false, "file"));
    try (FileChannel channel = run.store().open(name(0), CREATE)) {
      append(channel, bytes(BYTES, 1));
      final Path file = Files.readSymbolicLink(real(0));
      run.disk.faults().failReads(file::equals);
      assertThatThrownBy(() -> channel.read(ByteBuffer.allocate(BYTES), 0))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("HP0310")
          .hasMessageContaining(name(0).toString());
      assertThatThrownBy(
              () ->
                  channel.transferTo(
                      0, BYTES, Channels.newChannel(OutputStream.nullOutputStream())))
          .isInstanceOf(IOException.class);
      assertThat(Files.readSymbolicLink(real(0))).isEqualTo(file);
      assertThat(run.store().tiers().get(0).get(0).failed()).isFalse();
    }
  }

  /** As XFS after an error: it answers nothing but how much room it has. */
  @ParameterizedTest
  @ValueSource(strings = {"file", "growing"})
  void aTierThatAnswersNothingTakesNothingNew(final String tier) throws Exception {
    start(Setup.of(false, tier));
    try (FileChannel channel = run.store().open(name(0), CREATE)) {
      append(channel, bytes(BYTES, 1));
      run.disk
          .faults()
          .breakDown(
              run.real("tier00"),
              EnumSet.complementOf(EnumSet.of(ModelFaults.Call.SPACE))
                  .toArray(ModelFaults.Call[]::new));
      assertThatThrownBy(() -> append(channel, bytes(BYTES, 2))).isInstanceOf(IOException.class);
      assertThat(run.store().tiers().get(0).get(0).failed()).isTrue();
      try (FileChannel next = run.store().open(name(1), CREATE)) {
        append(next, bytes(BYTES, 3));
        assertThat(Files.isSymbolicLink(real(1))).isFalse();
      }
      run.disk.faults().heal();
      assertThat(Files.readAllBytes(real(0))).startsWith(bytes(BYTES, 1));
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
    assertThat(run.store().partitions().open(name(0))).isNull();
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
    assertThat(run.store().partitions().open(name(0))).isNull();
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
