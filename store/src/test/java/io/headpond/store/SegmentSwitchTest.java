// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headpond.store.ModelRun.Setup;
import io.headpond.store.facts.Count;
import io.headpond.store.layout.UnclearNameException;
import io.headpond.store.segment.Segment;
import io.headpond.store.segment.Unsealed;
import io.headpond.store.tier.TierDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a segment's name leads to and what its channel writes to is the same file, always. */
class SegmentSwitchTest {
  private static final int BYTES_MAX = 20_000;
  private static final int POWER_CUTS = 50;

  private ModelRun run;
  private EngineLog log;

  @BeforeEach
  void write() throws IOException {
    run = new ModelRun(Setup.of(true, "dax", "file"), 1);
    run.start();
    log = new EngineLog(run, new ModelScript(1), "home0/t-0");
    log.roll();
    log.last().append(BYTES_MAX);
  }

  @AfterEach
  void close() throws IOException {
    run.disk.plant(new ModelDisk.Defect() {});
    log.close();
    run.close();
  }

  private SegmentMigration.Outcome migrate(final TierDirectory to) throws IOException {
    return run.store().migration(bytes -> {}).move(run.path(log.last().name), to, true);
  }

  private TierDirectory lowest() {
    return run.store().tiers().get(1).get(0);
  }

  /** A rename of the segment's own name is done, and then something is thrown. */
  private static final class Thrown implements ModelDisk.Defect {
    private final Path name;
    private final String what;
    private boolean thrown;

    Thrown(final Path name, final String what) {
      this.name = name;
      this.what = what;
    }

    @Override
    public void renamed(final Path source, final Path target) throws IOException {
      if (target.equals(name) && !thrown) {
        thrown = true;
        switch (what) {
          case "memory" -> throw new OutOfMemoryError("unable to create native thread");
          case "stack" -> throw new StackOverflowError();
          default -> throw new IOException("Stale file handle");
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"memory", "stack", "device"})
  void aRenameThatWasDoneCountsWhateverItsCallSays(final String what) throws Exception {
    final Path name = run.real(log.last().name);
    for (final TierDirectory to : new TierDirectory[] {lowest(), null}) {
      run.disk.plant(new Thrown(name, what));
      assertThat(migrate(to)).isEqualTo(SegmentMigration.Outcome.MOVED);
      assertAgreed();
      log.last().append(BYTES_MAX);
      assertAgreed();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"memory", "stack", "device"})
  void anEvacuationWhoseRenameThrowsGoesOnInTheCopy(final String what) throws Exception {
    run.disk.plant(new Thrown(run.real(log.last().name), what));
    final TierDirectory fastest = run.store().tiers().get(0).get(0);
    final long rest = fastest.capacityBytes - fastest.space.usedBytes();
    assertThat(fastest.space.reserve(rest)).isTrue();
    while (run.store().counters().sum(Count.EVACUATED_SEGMENTS) == 0) {
      log.last().append(BYTES_MAX);
    }
    fastest.space.release(rest);
    assertAgreed();
  }

  /** As an engine that deletes or renames the segment at once may do, or anybody else. */
  @Test
  void anOpenChannelReadsOnAlthoughTheNameGoesAsSoonAsItWasSwitched() throws Exception {
    final Path name = run.real(log.last().name);
    log.last().force();
    run.disk.plant(
        new ModelDisk.Defect() {
          @Override
          public void renamed(final Path source, final Path target) throws IOException {
            if (target.equals(name)) {
              run.disk.delete(name);
            }
          }
        });
    assertThat(migrate(null)).isEqualTo(SegmentMigration.Outcome.MOVED);
    log.last().check();
  }

  /** As where there is no memory for another element. */
  private static final class FullSet extends HashSet<Segment> {
    private static final long serialVersionUID = 1L;
    private boolean full;

    @Override
    public boolean add(final Segment segment) {
      if (full) {
        throw new OutOfMemoryError("planted");
      }
      return super.add(segment);
    }
  }

  @Test
  void aSwitchWithoutMemoryToBeKeptInMindIsNone() throws Exception {
    final EngineSegment first = log.last();
    log.roll();
    final Segment segment = first.segment();
    final FullSet unsealed = new FullSet();
    segment.lock.lock();
    try {
      segment.unsealed.enter(unsealed);
      segment.unsealed.looked();
      unsealed.full = true;
    } finally {
      segment.lock.unlock();
    }
    assertThatThrownBy(
            () -> run.store().migration(bytes -> {}).move(run.path(first.name), lowest(), false))
        .isInstanceOf(OutOfMemoryError.class);
    assertThat(Files.readSymbolicLink(run.real(first.name)))
        .hasToString(segment.file().path().toString());
    unsealed.full = false;
    assertAgreed();
  }

  @Test
  void whatThereWasNoMemoryForIsKeptInMindTheNextTime() {
    final FullSet unsealed = new FullSet();
    unsealed.full = true;
    final Unsealed<Segment> membership = new Unsealed<>(null, () -> false);
    assertThatThrownBy(() -> membership.enter(unsealed)).isInstanceOf(OutOfMemoryError.class);
    unsealed.full = false;
    membership.touch();
    assertThat(unsealed).hasSize(1);
  }

  @Test
  void nothingIsWrittenWhileNobodyKnowsWhereItLeads() throws Exception {
    final Path name = run.real(log.last().name);
    final boolean[] blind = new boolean[1];
    run.disk.plant(
        new ModelDisk.Defect() {
          @Override
          public void renamed(final Path source, final Path target) throws IOException {
            if (target.equals(name)) {
              blind[0] = true;
              throw new IOException("Input/output error");
            }
          }

          @Override
          public void looked(final Path path) throws IOException {
            if (blind[0] && path.equals(name)) {
              throw new IOException("Input/output error");
            }
          }
        });
    assertThatThrownBy(() -> migrate(lowest()))
        .isInstanceOf(UnclearNameException.class)
        .hasMessageContaining("HP0311")
        .hasMessageContaining(log.last().name);
    assertThatThrownBy(() -> log.last().append(BYTES_MAX)).hasMessageContaining("HP0311");
    assertThatThrownBy(() -> log.last().force()).hasMessageContaining("HP0311");
    blind[0] = false;
    run.disk.plant(new ModelDisk.Defect() {});
    // Either file is the segment to who finds it at the next start.
    final ModelSegment model = log.last().model;
    log.close();
    log.forget();
    run.stop();
    run.start();
    synchronized (run.disk) {
      synchronized (run.logs) {
        run.logs.verifyVisible(run.disk.visible()).forEach(f -> f.segment().found(f.content()));
      }
    }
    log.found(EngineSegment.reopened(run, new ModelScript(1), model, name(name)));
    log.last().append(BYTES_MAX);
    assertAgreed();
  }

  private String name(final Path real) {
    return run.real("").relativize(real).toString();
  }

  /** The channel, the log directory, and the log directory after power cuts say the same. */
  private void assertAgreed() throws IOException {
    log.last().read();
    final Random random = new Random(1);
    synchronized (run.disk) {
      synchronized (run.logs) {
        run.logs.verifyVisible(run.disk.visible());
        for (int i = 0; i < POWER_CUTS; i++) {
          run.logs.verify(run.disk.cut(random), Map.of());
        }
      }
    }
  }
}
