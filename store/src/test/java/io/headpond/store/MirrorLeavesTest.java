// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import static io.headpond.store.StoreFixture.append;
import static io.headpond.store.StoreFixture.await;
import static io.headpond.store.StoreFixture.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.store.facts.Count;
import io.headpond.store.layout.MirrorName;
import io.headpond.store.layout.NameLook;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What leaves a mirrored tier whose device has failed, while a tier below it has room. */
class MirrorLeavesTest {
  private static final int KIB = 1 << 10;
  private static final String FIRST = "home0/t-0/00000000000000000000.log";
  private static final String SECOND = "home0/t-0/00000000000000000005.log";
  private static final String EMPTY = "home0/t-0/00000000000000000009.log";
  private static final String OTHER = "home0/t-1/00000000000000000000.log";
  private static final List<String> TIERS = List.of("file", "growing", "mapped", "dax");
  private static final byte[] CONTENT = bytes(30 * KIB, 1);

  private static final ModelFaults.Call[] ANSWERED_BY_NO_DEAD_DEVICE =
      EnumSet.complementOf(EnumSet.of(ModelFaults.Call.SPACE)).toArray(ModelFaults.Call[]::new);

  /** Both tiers take what comes; nothing goes up again. */
  private static ModelRun started(final String tier, final String... settings) throws Exception {
    return MirroredTier.model(List.of(tier, "file"), settings);
  }

  private static boolean isWhole(final ModelRun run, final String name) throws IOException {
    final Path tierFile = NameLook.target(run.real(name));
    return Files.exists(MirrorName.whole(run.real("home0"), MirrorName.ofTierFile(tierFile)));
  }

  private static boolean isAtHome(final ModelRun run, final String name) {
    return !Files.isSymbolicLink(run.real(name));
  }

  private static long failures(final ModelRun run) {
    return run.store().counters().sum(Count.MIGRATION_FAILURES);
  }

  /** Its device is found to have failed. */
  private static void fail(final ModelRun run) {
    run.store().tiers().get(0).get(0).fail();
  }

  private static boolean inDeadTier(final ModelRun run, final String name) throws IOException {
    final Path tierFile = NameLook.target(run.real(name));
    return tierFile != null && tierFile.startsWith(run.real("tier00"));
  }

  /** Without one move that failed. */
  private static void assertLeave(final ModelRun run, final String tier, final String... names)
      throws Exception {
    for (final String name : names) {
      await(name + " left, or couldn't", () -> failures(run) > 0 || !inDeadTier(run, name));
      assertThat(failures(run)).as(tier).isZero();
    }
  }

  @Test
  void sealedSegmentsOfADeadTierGoHomeWithTheirMirrors() throws Exception {
    for (final String tier : TIERS) {
      try (ModelRun run = started(tier);
          FileChannel first = opened(run, FIRST);
          FileChannel second = opened(run, SECOND);
          FileChannel empty = run.open(EMPTY)) {
        await("whole", () -> isWhole(run, FIRST) && isWhole(run, SECOND));
        run.disk.faults().breakDown(run.real("tier00"), ANSWERED_BY_NO_DEAD_DEVICE);
        fail(run);
        assertLeave(run, tier, FIRST, SECOND, EMPTY);
        assertThat(isAtHome(run, FIRST)).as(tier).isTrue();
        assertThat(isAtHome(run, SECOND)).as(tier).isTrue();
        run.disk.faults().heal();
        assertThat(Files.readAllBytes(run.real(FIRST))).as(tier).isEqualTo(CONTENT);
        assertThat(Files.readAllBytes(run.real(SECOND))).as(tier).isEqualTo(CONTENT);
        assertThat(first.size()).isEqualTo(CONTENT.length);
        assertThat(second.size()).isEqualTo(CONTENT.length);
        assertThat(empty.size()).isZero();
      }
    }
  }

  /** As the engine, or a program beside it, may close one: migration opens it to move it. */
  @Test
  void closedSegmentsOfADeadTierGoHomeWithTheirMirrors() throws Exception {
    for (final String tier : TIERS) {
      try (ModelRun run = started(tier)) {
        closed(run, FIRST);
        closed(run, SECOND);
        run.open(EMPTY).close();
        await("whole", () -> isWhole(run, FIRST) && isWhole(run, SECOND) && isWhole(run, EMPTY));
        run.disk.faults().breakDown(run.real("tier00"), ANSWERED_BY_NO_DEAD_DEVICE);
        fail(run);
        assertLeave(run, tier, FIRST, SECOND, EMPTY);
        run.disk.faults().heal();
        assertThat(Files.readAllBytes(run.real(FIRST))).as(tier).isEqualTo(CONTENT);
        assertThat(Files.readAllBytes(run.real(SECOND))).as(tier).isEqualTo(CONTENT);
      }
    }
  }

  private static FileChannel opened(final ModelRun run, final String name) throws IOException {
    final FileChannel channel = run.open(name);
    append(channel, CONTENT);
    return channel;
  }

  private static void closed(final ModelRun run, final String name) throws IOException {
    opened(run, name).close();
  }

  /** Its files can be opened, and their attributes be read, as from the kernel's memory. */
  @Test
  void closedSegmentsThatCanBeOpenedAreNotReadInTheTier() throws Exception {
    try (ModelRun run = started("file")) {
      closed(run, FIRST);
      closed(run, SECOND);
      await("whole", () -> isWhole(run, FIRST) && isWhole(run, SECOND));
      run.disk.faults().breakDown(run.real("tier00"), ModelFaults.Call.READ);
      fail(run);
      assertLeave(run, "file", FIRST, SECOND);
      assertThat(isAtHome(run, FIRST)).isTrue();
      run.disk.faults().heal();
      assertThat(Files.readAllBytes(run.real(FIRST))).isEqualTo(CONTENT);
    }
  }

  @Test
  void aClosedSegmentOfADeadTierIsOpenedToBeRead() throws Exception {
    for (final String tier : TIERS) {
      try (ModelRun run = started(tier)) {
        closed(run, FIRST);
        run.open(SECOND).close();
        await("whole", () -> isWhole(run, FIRST));
        run.disk.faults().breakDown(run.real("tier00"), ANSWERED_BY_NO_DEAD_DEVICE);
        try (FileChannel reader =
            run.store().open(run.path(FIRST), Set.of(StandardOpenOption.READ))) {
          assertThat(reader.size()).as(tier).isEqualTo(CONTENT.length);
        }
        assertThat(isAtHome(run, FIRST)).as(tier).isTrue();
        run.disk.faults().heal();
        assertThat(Files.readAllBytes(run.real(FIRST))).as(tier).isEqualTo(CONTENT);
      }
    }
  }

  /** Reads of a device that refuses writes may take as long as it needs to give up. */
  @Test
  void anAppendThatFailsGoesOnWithTheMirror() throws Exception {
    for (final String tier : List.of("file", "growing")) {
      try (ModelRun run = started(tier);
          FileChannel channel = run.open(OTHER)) {
        append(channel, CONTENT);
        run.disk.faults().breakDown(run.real("tier00"));
        append(channel, bytes(KIB, 2));
        assertThat(isAtHome(run, OTHER)).as(tier).isTrue();
        run.disk.faults().heal();
        assertThat(Files.readAllBytes(run.real(OTHER)))
            .as(tier)
            .isEqualTo(MirroredTier.joined(CONTENT, CONTENT.length, bytes(KIB, 2)));
      }
    }
  }
}
