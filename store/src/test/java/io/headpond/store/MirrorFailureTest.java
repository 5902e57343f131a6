// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import static io.headpond.store.StoreFixture.CREATE;
import static io.headpond.store.StoreFixture.append;
import static io.headpond.store.StoreFixture.await;
import static io.headpond.store.StoreFixture.bytes;
import static io.headpond.store.StoreFixture.segment;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headpond.store.event.Incident;
import io.headpond.store.layout.MirrorName;
import io.headpond.store.layout.MirrorState;
import io.headpond.store.layout.NameLook;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/**
 * A tier that is gone, a home without room or one that hangs: what appends do, and what is said.
 */
class MirrorFailureTest {
  private static final int KIB = 1 << 10;
  private static final int CUTS = 50;

  private static final ModelFaults.Call[] ANSWERED_BY_NO_DEAD_DEVICE =
      EnumSet.complementOf(EnumSet.of(ModelFaults.Call.SPACE)).toArray(ModelFaults.Call[]::new);

  @AutoClose private final MirroredTier tier = new MirroredTier();
  private final StoreFixture fixture = tier.fixture;

  /** As when its device is unmounted, while the engine has descriptors of the files there. */
  @Test
  void theMirrorOfASegmentWhoseTierIsGoneIsKept() throws Exception {
    fixture.with("headpond.tier.pmem.type", "file");
    final byte[] content = bytes(30 * KIB, 1);
    try (FileChannel channel = tier.open();
        FileChannel next = fixture.store().open(segment(tier.partition, 5), CREATE)) {
      tier.started();
      append(channel, content);
      append(next, content);
      fixture.store().open(segment(tier.partition, 6), CREATE).close();
      await(
          "whole mirrors", () -> tier.mirrors().stream().filter(MirrorName::isWhole).count() == 3);
      Files.move(fixture.tier.resolve("segments"), fixture.tier.resolve("gone"));
      append(channel, content);
      next.truncate(10 * KIB);
      assertThat(Files.isSymbolicLink(tier.name)).isFalse();
      assertThat(Files.readAllBytes(tier.name))
          .isEqualTo(MirroredTier.joined(content, content.length, content));
      assertThat(Files.readAllBytes(tier.mirrorOf(segment(tier.partition, 5))))
          .isEqualTo(Arrays.copyOf(content, 10 * KIB));
      assertThat(tier.mirrors()).hasSize(2);
      Files.move(fixture.tier.resolve("gone"), fixture.tier.resolve("segments"));
      await("they go on", () -> MirrorState.read(fixture.home).orElseThrow().acknowledged());
    }
  }

  @Test
  void appendsGoOnWhileHomeHasNoRoom() throws Exception {
    fixture.with("headpond.home.reserve", "1000TiB");
    try (FileChannel channel = tier.open()) {
      await("suspended", () -> fixture.store().facts().mirrors().get(0).suspended());
      append(channel, bytes(30 * KIB, 1));
      assertThat(tier.mirrors()).isEmpty();
      assertThat(fixture.store().facts().incidents()).containsEntry(Incident.MIRROR_SUSPENDED, 1L);
      final MirrorState said = MirrorState.read(fixture.home).orElseThrow();
      assertThat(said.complete()).isFalse();
      assertThat(said.acknowledged()).isFalse();
    }
  }

  @Test
  void appendsWaitWhileTheMirrorIsFurtherBehind() throws Exception {
    assertThat(waitsForTheMirror("wait")).isTrue();
  }

  @Test
  void appendsGoOnWithoutWaitingWhereTheyAreToldTo() throws Exception {
    assertThat(waitsForTheMirror("continue")).isFalse();
  }

  /** The mirror's forces at home hang. */
  private static boolean waitsForTheMirror(final String lag) throws Exception {
    try (ModelRun run =
        new ModelRun(ModelRun.Setup.of(false, "file"), 1)
            .with("headpond.tier.t0.mirror", "100ms")
            .with("headpond.tier.t0.mirror.lag", lag)) {
      run.disk.createDirectory(run.real("home0/t-0"));
      run.start();
      await("a state", () -> Files.exists(run.real("home0").resolve(MirrorState.FILE)));
      final HungCalls hung =
          new HungCalls(
              run.disk,
              (call, path) ->
                  call == ModelFaults.Call.FORCE
                      && path.getFileName().toString().endsWith(".mirror"));
      try (FileChannel channel = run.open("home0/t-0/00000000000000000000.log")) {
        append(channel, bytes(KIB, 1));
        await("it hangs", () -> hung.hanging("headpond-mirror") == 1);
        final Thread appends =
            new Thread(
                () -> {
                  try {
                    for (int i = 0; i < 100; i++) {
                      append(channel, bytes(KIB, 1));
                      TimeUnit.MILLISECONDS.sleep(5);
                    }
                  } catch (final IOException | InterruptedException e) {
                    throw new AssertionError(e);
                  }
                });
        appends.start();
        await("it is done, or waits", () -> !appends.isAlive() || waits(appends));
        final boolean waits = appends.isAlive();
        hung.close();
        appends.join(TimeUnit.SECONDS.toMillis(20));
        assertThat(appends.isAlive()).isFalse();
        return waits;
      } finally {
        hung.close();
      }
    }
  }

  /** True for a thread that waits until the mirrors are within their limit. */
  private static boolean waits(final Thread thread) {
    return thread.getState() == Thread.State.TIMED_WAITING
        && Arrays.stream(thread.getStackTrace())
            .anyMatch(frame -> frame.getMethodName().equals("awaitWithin"));
  }

  /** Nobody waits for a mirror that is suspended, until the round that ends that is over. */
  @Test
  void whatIsAppendedWhileMirrorsAreSuspendedIsNotSaidToBeThere() throws Exception {
    try (ModelRun run =
        new ModelRun(ModelRun.Setup.of(false, "file"), 1)
            .with("headpond.tier.t0.mirror", "0")
            .with(new FastTime())) {
      final Path home = run.real("home0");
      run.disk.createDirectory(run.real("home0/t-0"));
      run.disk.createDirectory(run.real("home0/t-1"));
      run.start();
      await("a state", () -> MirrorState.read(home).isPresent());
      final String late = "home0/t-1/00000000000000000000.log";
      try (FileChannel first = run.open("home0/t-0/00000000000000000000.log");
          FileChannel second = run.open(late)) {
        run.disk.faults().begin(null);
        run.disk.faults().failForce(1, path -> MirrorName.ofMirror(path) != null);
        append(first, bytes(KIB, 1));
        await("suspended", () -> run.store().facts().mirrors().get(0).suspended());
        run.disk.faults().end();
        final HungCalls hung =
            new HungCalls(
                run.disk,
                (call, path) ->
                    call == ModelFaults.Call.FORCE && MirrorName.ofMirror(path) != null);
        await("a round", () -> hung.hanging("headpond-mirror") == 1);
        append(second, bytes(KIB, 2));
        hung.close();
        await("they go on", () -> !run.store().facts().mirrors().get(0).suspended());
        final boolean said = MirrorState.read(home).orElseThrow().acknowledged();
        final Path mirror =
            MirrorName.lagging(home, MirrorName.ofTierFile(NameLook.target(run.real(late))));
        assertThat(said && Files.size(mirror) < KIB).isFalse();
        await("it is said", () -> MirrorState.read(home).orElseThrow().acknowledged());
        assertThat(Files.size(mirror)).isEqualTo(KIB);
      }
    }
  }

  /** Longer than its tier file it would bring back what was cut off. */
  @Test
  void aMirrorThatCannotBeCutIsGoneForGood() throws Exception {
    try (ModelRun run =
        new ModelRun(ModelRun.Setup.of(false, "file"), 1)
            .with("headpond.tier.t0.mirror", "0")
            .with(new FastTime())) {
      final Path home = run.real("home0");
      run.disk.createDirectory(run.real("home0/t-0"));
      run.start();
      try (FileChannel channel = run.open("home0/t-0/00000000000000000000.log")) {
        append(channel, bytes(3 * KIB, 1));
        await(
            "a mirror",
            () ->
                MirroredTier.mirrors(home).stream()
                    .anyMatch(each -> each.toFile().length() == 3 * KIB));
        run.disk.faults().breakDown(home, ModelFaults.Call.TRUNCATE);
        channel.truncate(KIB);
        run.disk.faults().heal();
        final Random power = new Random(1);
        for (int i = 0; i < CUTS; i++) {
          assertThat(run.disk.cut(power).below(home))
              .filteredOn(entry -> MirrorName.ofMirror(entry.path()) != null)
              .allSatisfy(entry -> assertThat(entry.content().length).isLessThanOrEqualTo(KIB));
        }
        await("it is made anew", () -> run.store().facts().mirrors().get(0).behindBytes() == 0);
      }
    }
  }

  /** Home is well: appends to others go on waiting for their mirrors. */
  @Test
  void aTierFileThatCannotBeReadAtACatchUpSuspendsNoMirror() throws Exception {
    final ModelFaults.Site read = caughtUp(null);
    caughtUp(new ModelFaults.Fault(read, 1, ModelFaults.Reason.INPUT_OUTPUT, false));
  }

  /** Lets a segment that was not mirrored be caught up; where its file is read for that. */
  private static ModelFaults.Site caughtUp(final ModelFaults.Fault fault) throws Exception {
    try (ModelRun run = new ModelRun(ModelRun.Setup.of(false, "file"), 1)) {
      final Path home = run.real("home0");
      run.disk.createDirectory(run.real("home0/t-0"));
      run.start();
      try (FileChannel channel = run.open("home0/t-0/00000000000000000000.log")) {
        append(channel, bytes(KIB, 1));
      }
      run.stop();
      run.with("headpond.tier.t0.mirror", "0").with(new FastTime());
      run.disk.faults().begin(fault);
      run.start();
      await(
          "a mirror",
          () ->
              MirroredTier.mirrors(home).stream().anyMatch(each -> each.toFile().length() == KIB));
      run.disk.faults().end();
      assertThat(run.disk.faults().struck()).isEqualTo(fault != null);
      assertThat(run.store().facts().incidents()).containsEntry(Incident.MIRROR_SUSPENDED, 0L);
      return run.disk.faults().counts().keySet().stream()
          .filter(site -> site.call() == ModelFaults.Call.READ)
          .filter(site -> site.caller().startsWith("MirrorCopy.copyChunk"))
          .findFirst()
          .orElseThrow();
    }
  }

  /** As XFS after an error: it answers nothing but how much room it has. */
  @Test
  void appendsGoOnWithTheMirrorOfATierThatAnswersNothing() throws Exception {
    goesOnWithTheMirror(
        false, (channel, more) -> append(channel, more), bytes(3 * KIB, 1), bytes(2 * KIB, 2));
  }

  @Test
  void promisedAppendsGoOnWithTheMirrorOfSuchATier() throws Exception {
    goesOnWithTheMirror(
        true, (channel, more) -> append(channel, more), bytes(3 * KIB, 1), bytes(2 * KIB, 2));
  }

  @Test
  void aForceGoesOnWithTheMirrorOfATierThatAnswersNothing() throws Exception {
    goesOnWithTheMirror(
        false, (channel, more) -> channel.force(true), bytes(3 * KIB, 1), new byte[0]);
  }

  @Test
  void aCutGoesOnWithTheMirrorOfATierThatAnswersNothing() throws Exception {
    goesOnWithTheMirror(
        false,
        (channel, more) -> {
          channel.truncate(KIB);
          append(channel, more);
        },
        Arrays.copyOf(bytes(3 * KIB, 1), KIB),
        bytes(2 * KIB, 2));
  }

  /** What an engine does with a segment. */
  private interface Use {
    void of(FileChannel channel, byte[] more) throws IOException;
  }

  private static void goesOnWithTheMirror(
      final boolean promised, final Use use, final byte[] kept, final byte[] more)
      throws Exception {
    for (final String tier : List.of("file", "growing", "mapped")) {
      try (ModelRun run =
          new ModelRun(ModelRun.Setup.of(promised, tier), 1)
              .with("headpond.tier.t0.mirror", "0")
              .with(new FastTime())) {
        final Path name = run.real("home0/t-0/00000000000000000000.log");
        run.disk.createDirectory(name.getParent());
        run.start();
        try (FileChannel channel = run.open("home0/t-0/00000000000000000000.log")) {
          await("a state", () -> MirrorState.read(run.real("home0")).isPresent());
          append(channel, bytes(3 * KIB, 1));
          run.disk.faults().breakDown(run.real("tier00"), ANSWERED_BY_NO_DEAD_DEVICE);
          use.of(channel, more);
          assertThat(Files.isSymbolicLink(name)).as(tier).isFalse();
          assertThat(Files.readAllBytes(name))
              .as(tier)
              .isEqualTo(MirroredTier.joined(kept, kept.length, more));
          assertThat(channel.size()).as(tier).isEqualTo(kept.length + more.length);
          run.disk.faults().heal();
        }
      }
    }
  }

  /** Without a mirror that has all of it nothing goes on: an acknowledged byte would be lost. */
  @Test
  void aMirrorThatIsBehindIsNotTakenForItsSegment() throws Exception {
    try (ModelRun run =
        new ModelRun(ModelRun.Setup.of(false, "file"), 1)
            .with("headpond.tier.t0.mirror", "0")
            .with("headpond.home.reserve", "1000TiB")) {
      final Path name = run.real("home0/t-0/00000000000000000000.log");
      run.disk.createDirectory(name.getParent());
      run.start();
      await("suspended", () -> run.store().facts().mirrors().get(0).suspended());
      try (FileChannel channel = run.open("home0/t-0/00000000000000000000.log")) {
        append(channel, bytes(3 * KIB, 1));
        run.disk.faults().breakDown(run.real("tier00"), ANSWERED_BY_NO_DEAD_DEVICE);
        assertThatThrownBy(() -> append(channel, bytes(KIB, 2))).isInstanceOf(IOException.class);
        run.disk.faults().heal();
        assertThat(Files.isSymbolicLink(name)).isTrue();
        assertThat(Files.readAllBytes(name)).startsWith(bytes(3 * KIB, 1));
      }
    }
  }
}
