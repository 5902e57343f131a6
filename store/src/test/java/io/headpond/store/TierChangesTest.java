// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import static io.headpond.store.StoreFixture.CREATE;
import static io.headpond.store.StoreFixture.append;
import static io.headpond.store.StoreFixture.await;
import static io.headpond.store.StoreFixture.bytes;
import static io.headpond.store.StoreFixture.segment;
import static io.headpond.store.StoreFixture.usedBytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headpond.store.claim.TierLocks;
import io.headpond.store.claim.TierProbe;
import io.headpond.store.facts.Count;
import io.headpond.store.facts.StoreFacts;
import io.headpond.store.facts.TimeSource;
import io.headpond.store.layout.TierAnswer;
import io.headpond.store.layout.TierAnswer.State;
import io.headpond.store.layout.TierRequest;
import io.headpond.store.layout.TierRequest.Action;
import io.headpond.store.tier.TierDirectory;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An operator takes tiers out of a running store, and back; nothing acknowledged is lost. */
final class TierChangesTest {
  private static final int KIB = 1 << 10;
  private static final int MIB = 1 << 20;
  private static final int LIVES = 200;
  private static final int TICKS = 200;

  private StoreFixture fixture;

  @BeforeEach
  void makeDirectories() throws Exception {
    fixture = new StoreFixture();
  }

  @AfterEach
  void removeDirectories() throws Exception {
    fixture.close();
  }

  private TierAnswer ask(final Action action, final String tier) throws Exception {
    final TierRequest request = TierRequest.of(action, tier);
    final TierChanges changes = fixture.store().changes();
    final TierAnswer first = changes.begin(request);
    if (!first.state().last()) {
      await(action + " of " + tier, () -> changes.answer(request).state().last());
      return changes.answer(request);
    }
    return first;
  }

  private void assertRefused(final Action action, final String tier, final String why)
      throws Exception {
    final TierAnswer answer = ask(action, tier);
    assertThat(answer.state()).isEqualTo(State.REFUSED);
    assertThat(answer.text()).contains(why);
  }

  private void write(final Path name, final byte[] data) throws IOException {
    try (FileChannel channel = fixture.store().open(name, CREATE)) {
      append(channel, data);
    }
  }

  private static boolean inTier(final Path name) {
    return Files.isSymbolicLink(name);
  }

  @ParameterizedTest
  @ValueSource(strings = {"pmem", "file"})
  void aRemovedTierIsEmptyAndItsLockIsFree(final String type) throws Exception {
    fixture.with("headpond.tier.pmem.type", type);
    final Path partition = fixture.partition("t-0");
    for (int i = 0; i < 5; i++) {
      write(segment(partition, i), bytes(100 * KIB, i));
    }
    final Path last = segment(partition, 5);
    try (FileChannel active = fixture.store().open(last, CREATE)) {
      append(active, bytes(50 * KIB, 5));
      assertThat(inTier(last)).isTrue();
      final TierAnswer answer = ask(Action.REMOVE, "pmem");
      assertThat(answer.state()).as(answer.text()).isEqualTo(State.DONE);
      assertThat(answer.text()).contains("headpond.tiers", "headpond.tier.pmem.*");
      append(active, bytes(50 * KIB, 6));
      assertThat(fixture.tierFiles()).isEmpty();
    }
    assertThat(Files.readAllBytes(last)).startsWith(bytes(50 * KIB, 5)).hasSize(100 * KIB);
    for (int i = 0; i < 5; i++) {
      assertThat(inTier(segment(partition, i))).isFalse();
      assertThat(Files.readAllBytes(segment(partition, i))).isEqualTo(bytes(100 * KIB, i));
    }
    write(segment(partition, 6), bytes(KIB, 6));
    assertThat(inTier(segment(partition, 6))).isFalse();
    assertThat(fixture.store().counters().sum(Count.OVERFLOW_SEGMENTS)).isZero();
    assertThat(fixture.store().facts().tiers().get(0).standing())
        .isEqualTo(StoreFacts.Standing.REMOVED);
    try (TierLocks locks = new TierLocks(TimeSource.SYSTEM)) {
      assertThatCode(() -> locks.lock(fixture.config().tiers().get(0), fixture.tier))
          .doesNotThrowAnyException();
    }
  }

  @Test
  void aRemovedTierThatCannotBeTakenBackIsNotHeld() throws Exception {
    fixture.store();
    assertThat(ask(Action.REMOVE, "pmem").state()).isEqualTo(State.DONE);
    final Path trial = fixture.tier.resolve(TierProbe.FILE_NAME); // where no file can be
    Files.createDirectories(trial.resolve("in the way"));
    assertThat(ask(Action.ADD, "pmem").state()).isEqualTo(State.FAILED);
    try (TierLocks locks = new TierLocks(TimeSource.SYSTEM)) {
      assertThatCode(() -> locks.lock(fixture.config().tiers().get(0), fixture.tier))
          .doesNotThrowAnyException();
    }
    StoreFixture.remove(trial);
    assertThat(ask(Action.ADD, "pmem").state()).isEqualTo(State.DONE);
  }

  @Test
  void aTierIsGivenUpWhateverItsDeviceSaysToThat() throws Exception {
    fixture.store();
    final Path counters = fixture.tier.resolve(LiveCounters.FILE_NAME);
    await(
        "a folder in their place, which can't be deleted",
        () -> {
          Files.deleteIfExists(counters);
          try {
            Files.createDirectories(counters.resolve("in the way"));
            return true;
          } catch (final IOException published) {
            return false;
          }
        });
    assertThat(ask(Action.REMOVE, "pmem").state()).isEqualTo(State.DONE);
    try (TierLocks locks = new TierLocks(TimeSource.SYSTEM)) {
      assertThatCode(() -> locks.lock(fixture.config().tiers().get(0), fixture.tier))
          .doesNotThrowAnyException();
    }
  }

  @Test
  void aSegmentThatIsBeingDeletedKeepsItsTier() throws Exception {
    final Path partition = fixture.partition("t-0");
    final TierChanges changes = fixture.store().changes();
    for (int i = 0; i < LIVES; i++) {
      final Path name = segment(partition, i);
      final Path deleted = name.resolveSibling(name.getFileName() + ".deleted");
      write(name, bytes(KIB, i));
      final TierRequest request = TierRequest.of(Action.REMOVE, "pmem");
      await("its turn", () -> changes.begin(request).state() != State.REFUSED);
      for (int tick = 0; tick < TICKS; tick++) {
        changes.tick();
        if (tick == i % TICKS) {
          fixture.store().move(name, deleted); // at any point of a look at the tier
        }
      }
      if (changes.answer(request).state().last()) {
        assertThat(fixture.tierFiles()).as("life %d", i).isEmpty();
      }
      fixture.store().delete(deleted);
      awaitRemoval(changes, request);
      assertThat(fixture.tierFiles()).as("life %d", i).isEmpty();
      assertThat(ask(Action.ADD, "pmem").state()).isEqualTo(State.DONE);
    }
  }

  /** An operator's requests come between the end of a look at an empty tier and what follows. */
  @Test
  void aLookBeforeARemovalDoesNotEndIt() throws Exception {
    final Path name = segment(fixture.partition("t-0"), 0);
    final Path deleted = name.resolveSibling(name.getFileName() + ".deleted");
    final TierChanges changes = fixture.store().changes();
    final TierRequest request = TierRequest.of(Action.REMOVE, "pmem");
    final TierAnswer first;
    synchronized (changes) { // which whoever begins something holds, and gives a tier up
      changes.begin(TierRequest.of(Action.REMOVE, "pmem"));
      changes.tick();
      await("the end of a look", TierChangesTest::givesUp);
      assertThat(changes.begin(TierRequest.of(Action.ADD, "pmem")).state()).isEqualTo(State.DONE);
      write(name, bytes(KIB, 0));
      assertThat(inTier(name)).isTrue();
      fixture.store().move(name, deleted); // it stays until it is deleted
      first = changes.begin(request);
    }
    await(
        "another look, or the end",
        () -> {
          changes.tick();
          return changes.answer(request) != first;
        });
    assertThat(changes.answer(request).state()).isEqualTo(State.RUNNING);
    assertThat(fixture.tierFiles()).hasSize(1);
    fixture.store().delete(deleted);
    awaitRemoval(changes, request);
    assertThat(fixture.tierFiles()).isEmpty();
  }

  /** True while a thread that is about to give a tier up waits for a monitor. */
  private static boolean givesUp() {
    return Thread.getAllStackTraces().entrySet().stream()
        .filter(each -> each.getKey().getState() == Thread.State.BLOCKED)
        .flatMap(each -> Arrays.stream(each.getValue()))
        .anyMatch(frame -> frame.getMethodName().equals("giveUp"));
  }

  /** The links of two go by other hands, of which one has another name then. */
  @Test
  void aFileThatNoLinkNamesAnyMoreHoldsUpNoRemoval() throws Exception {
    final LaterTime time = new LaterTime();
    fixture.time(time);
    final Path partition = fixture.partition("t-0");
    final Path gone = segment(partition, 0);
    final Path renamed = segment(partition, 1);
    final Path deleted = renamed.resolveSibling(renamed.getFileName() + ".deleted");
    write(gone, bytes(100 * KIB, 0));
    write(renamed, bytes(100 * KIB, 1));
    final Path file = Files.readSymbolicLink(gone);
    Files.delete(gone);
    Files.move(renamed, deleted);
    final TierChanges changes = fixture.store().changes();
    final TierRequest request = TierRequest.of(Action.REMOVE, "pmem");
    changes.begin(request);
    await(
        "only the other file",
        () -> {
          time.pass(Duration.ofSeconds(10));
          changes.tick();
          return fixture.tierFiles().equals(List.of(Files.readSymbolicLink(deleted)));
        });
    assertThat(Files.readAllBytes(deleted)).isEqualTo(bytes(100 * KIB, 1));
    try (Stream<Path> kept = Files.walk(fixture.tier.resolve("quarantine"))) {
      assertThat(kept.filter(Files::isRegularFile))
          .singleElement()
          .satisfies(
              orphan -> assertThat(orphan.toString()).endsWith(file.getFileName().toString()))
          .satisfies(orphan -> assertThat(orphan).hasBinaryContent(bytes(100 * KIB, 0)));
    }
    assertThat(changes.answer(request).state()).isEqualTo(State.RUNNING);
    fixture.store().delete(deleted);
    awaitRemoval(changes, request);
    assertThat(changes.answer(request).state()).isEqualTo(State.DONE);
    assertThat(usedBytes(fixture.store(), fixture.tier)).isZero();
    assertThat(fixture.store().counters().quarantinedFiles).hasValue(1);
  }

  @Test
  void aRemovedTierComesBackAndIsUsedAgain() throws Exception {
    final Path partition = fixture.partition("t-0");
    write(segment(partition, 0), bytes(KIB, 0));
    assertThat(ask(Action.REMOVE, "pmem").state()).isEqualTo(State.DONE);
    assertThat(ask(Action.REMOVE, "pmem").state()).as("once more").isEqualTo(State.DONE);
    assertRefused(Action.RETRY, "pmem", "headpond tier add");
    final TierAnswer answer = ask(Action.ADD, "pmem");
    assertThat(answer.state()).as(answer.text()).isEqualTo(State.DONE);
    write(segment(partition, 1), bytes(KIB, 1));
    assertThat(inTier(segment(partition, 1))).isTrue();
    assertRefused(Action.ADD, "pmem", "in use already");
    fixture.restart();
    assertThat(Files.readAllBytes(segment(partition, 1))).isEqualTo(bytes(KIB, 1));
    assertThat(fixture.store().counters().quarantinedFiles).hasValue(0);
  }

  @Test
  void aDeviceThatIsNotMountedDoesNotComeBack() throws Exception {
    fixture.store();
    assertThat(ask(Action.REMOVE, "pmem").state()).isEqualTo(State.DONE);
    final Path elsewhere = fixture.tier.resolveSibling(fixture.tier.getFileName() + "-away");
    Files.move(fixture.tier, elsewhere);
    Files.createDirectory(fixture.tier);
    try {
      final TierAnswer answer = ask(Action.ADD, "pmem");
      assertThat(answer.state()).isEqualTo(State.FAILED);
      assertThat(answer.text()).contains("HP0103");
      assertThat(Files.list(fixture.tier)).as("nothing is written there").isEmpty();
    } finally {
      StoreFixture.remove(elsewhere);
    }
  }

  @Test
  void aTierThatCannotBeEmptiedStaysOnItsWayUntilItIsCalledBack() throws Exception {
    fixture.with("headpond.home.reserve", "1TiB");
    final Path partition = fixture.partition("t-0");
    write(segment(partition, 0), bytes(100 * KIB, 0));
    final TierChanges changes = fixture.store().changes();
    final TierRequest request = TierRequest.of(Action.REMOVE, "pmem");
    changes.begin(request);
    await("it says why", () -> changes.answer(request).text().contains("no room"));
    assertThat(changes.answer(request).state()).isEqualTo(State.RUNNING);
    assertThat(changes.answer(request).segments()).isEqualTo(1);
    await("everybody is told", () -> !waits().isEmpty());
    assertThat(waits())
        .contains("should leave, but no room is anywhere: " + fixture.home)
        .contains("has too little free beyond headpond.home.reserve, 1.00 TiB");
    assertThat(ask(Action.ADD, "pmem").state()).isEqualTo(State.DONE);
    assertThat(changes.answer(request).state()).as("for whoever waits").isEqualTo(State.FAILED);
    assertThat(waits()).isEmpty();
    write(segment(partition, 1), bytes(KIB, 1));
    assertThat(inTier(segment(partition, 1))).isTrue();
  }

  private String waits() throws IOException {
    return fixture.store().facts().tiers().get(0).waits();
  }

  @Test
  void aFailedTierWhoseFilesAreGoneIsNotSaidToBeEmptied() throws Exception {
    final Path partition = fixture.partition("t-0");
    for (int i = 0; i < 2; i++) {
      write(segment(partition, i), bytes(KIB, i));
    }
    final Path file = Files.readSymbolicLink(segment(partition, 0));
    Files.delete(file);
    assertThat(waits()).isEmpty();
    fixture.store().tiers().get(0).get(0).fail();
    await("it is tried", () -> !waits().isEmpty() && !inTier(segment(partition, 1)));
    assertThat(waits())
        .isEqualTo(
            "a segment couldn't be moved, and is tried again: "
                + segment(partition, 0)
                + " leads to "
                + file
                + ", which is missing; mount or restore the tier");
    assertThat(fixture.store().facts().tiers().get(0).contents().sealedSegments()).isEqualTo(1);
  }

  @Test
  void aTierOfTwoIsEmptiedIntoTheOther() throws Exception {
    final Path slow = Files.createDirectory(fixture.root.resolve("slow"));
    fixture
        .with("headpond.tiers", "pmem,nvme")
        .with("headpond.tier.nvme.type", "file")
        .with("headpond.tier.nvme.capacity", "64MiB")
        .with("headpond.tier.nvme.paths", slow.toString());
    final Path name = segment(fixture.partition("t-0"), 0);
    write(name, bytes(100 * KIB, 0));
    assertThat(ask(Action.REMOVE, "pmem").state()).isEqualTo(State.DONE);
    assertThat(Files.readSymbolicLink(name)).startsWith(slow);
    assertThat(ask(Action.REMOVE, "nvme").state()).isEqualTo(State.DONE);
    assertThat(inTier(name)).isFalse();
    await("it is shown at home", () -> Files.exists(fixture.home.resolve(LiveCounters.FILE_NAME)));
  }

  @Test
  void whatCannotBeDoneIsRefusedByName() throws Exception {
    fixture.store();
    assertRefused(Action.REMOVE, "pmen", "did you mean pmem?");
    assertRefused(Action.RETRY, "pmem", "none of its directories counts as failed");
    assertRefused(Action.RETRY, "nvme", "no such tier");
  }

  @Test
  void aFailedDirectoryThatWorksTakesNewSegmentsAgain() throws Exception {
    fixture.with("headpond.migrate.bytes.per.second", "1MiB"); // nothing leaves in this time
    final Path partition = fixture.partition("t-0");
    final Path old = segment(partition, 0);
    write(old, bytes(20 * MIB, 0));
    final TierDirectory failed = fixture.store().tiers().get(0).get(0);
    failed.fail();
    write(segment(partition, 1), bytes(KIB, 1));
    assertThat(inTier(segment(partition, 1))).isFalse();
    final TierAnswer answer = ask(Action.RETRY, "pmem");
    assertThat(answer.state()).as(answer.text()).isEqualTo(State.DONE);
    assertThat(answer.text()).contains("from before", "go on leaving it: 1");
    write(segment(partition, 2), bytes(10 * KIB, 2));
    assertThat(inTier(segment(partition, 2))).isTrue();
    final TierDirectory back = fixture.store().tiers().get(0).get(0);
    assertThat(back).isNotSameAs(failed);
    assertThat(back.space.usedBytes()).isEqualTo(10 * KIB);
    final StoreFacts.Tier facts = fixture.store().facts().tiers().get(0);
    assertThat(facts.capacityBytes()).isEqualTo(64L << 20);
    assertThat(facts.failedDirectories()).isZero();
    assertThat(facts.usedBytes()).isEqualTo(20 * MIB + 10 * KIB);
    assertRefused(Action.RETRY, "pmem", "none of its directories counts as failed");
    // A force of what was there is never believed: the segment goes on elsewhere.
    try (FileChannel again = fixture.store().open(old, Set.of(StandardOpenOption.WRITE))) {
      again.force(true);
    } catch (final IOException e) {
      assertThat(e).hasMessageContaining(old.toString());
    }
    assertThat(back.takes()).as("an old file's failure isn't the device's").isTrue();
    assertThat(Files.readAllBytes(old)).isEqualTo(bytes(20 * MIB, 0));
  }

  @Test
  void whatWasThereAtAFailureLeavesAndIsForgotten() throws Exception {
    final Path partition = fixture.partition("t-0");
    fixture.with("headpond.migrate.bytes.per.second", "1MiB"); // slower than the retry
    for (int i = 0; i < 3; i++) {
      write(segment(partition, i), bytes(MIB, i));
    }
    fixture.store().tiers().get(0).get(0).fail();
    assertThat(ask(Action.RETRY, "pmem").state()).isEqualTo(State.DONE);
    write(segment(partition, 3), bytes(KIB, 3));
    await("they are home", () -> fixture.store().tiers().get(0).size() == 1);
    for (int i = 0; i < 3; i++) {
      assertThat(inTier(segment(partition, i))).isFalse();
      assertThat(Files.readAllBytes(segment(partition, i))).isEqualTo(bytes(MIB, i));
    }
    assertThat(inTier(segment(partition, 3))).isTrue();
    assertThat(fixture.tierFiles())
        .filteredOn(file -> !file.getFileName().toString().contains(".next."))
        .hasSize(1);
  }

  @Test
  void aForceThatFailedIsRememberedWhenItsFileIsOpenedAgain() throws Exception {
    try (ModelRun run = new ModelRun(ModelRun.Setup.of(false, "file"), 1)) {
      run.start();
      run.disk.createDirectory(run.real("home0/t-0"));
      final Path name = segment(run.path("home0/t-0"), 0);
      final FileChannel channel = run.store().open(name, CREATE);
      append(channel, bytes(10 * KIB, 1));
      run.disk.faults().fillFiles(run.real("home0"));
      run.disk.faults().failForce(1, path -> path.startsWith(run.real("tier00")));
      assertThatThrownBy(() -> channel.force(true)).isInstanceOf(IOException.class);
      try {
        channel.close();
      } catch (final IOException e) {
        assertThat(e).hasMessageContaining("t-0");
      }
      try (FileChannel again = run.store().open(name, CREATE)) {
        assertThatThrownBy(() -> again.force(true)).isInstanceOf(IOException.class);
      }
      run.disk.faults().heal();
    }
  }

  /** A force that comes after it succeeds, and makes nothing durable. */
  @Test
  void aLogDirectoryThatARemovalCouldNotForceIsNotTrusted() throws Exception {
    final LaterTime time = new LaterTime();
    try (ModelRun run = new ModelRun(ModelRun.Setup.of(true, "file"), 1).with(time)) {
      run.start();
      run.disk.createDirectory(run.real("home0/t-0"));
      try (FileChannel channel = run.store().open(segment(run.path("home0/t-0"), 0), CREATE)) {
        append(channel, bytes(KIB, 1));
      }
      run.disk.delete(segment(run.real("home0/t-0"), 0)); // by other hands
      run.disk.createDirectory(run.real("home0/t-1"));
      final Path home = run.real("home0");
      run.disk.faults().failForce(1, path -> path.equals(home));
      run.store().changes().begin(TierRequest.of(Action.REMOVE, "t0"));
      await(
          "its file is about to go to quarantine",
          () -> {
            time.pass(Duration.ofSeconds(10));
            run.store().changes().tick();
            return run.disk.faults().struck();
          });
      try (FileChannel other = run.store().open(segment(run.path("home0/t-1"), 0), CREATE)) {
        assertThatThrownBy(() -> append(other, bytes(KIB, 2)))
            .isInstanceOf(IOException.class)
            .hasMessageContaining(home + ": can't be forced");
      }
    }
  }

  @Test
  void aDeviceThatHangsWhileItIsExaminedHoldsNobodyElseUp() throws Exception {
    try (ModelRun run = new ModelRun(ModelRun.Setup.of(true, "file").directories(2), 1)) {
      run.start();
      final TierChanges changes = run.store().changes();
      run.store().tiers().get(0).get(0).fail();
      final TierRequest request = TierRequest.of(Action.RETRY, "t0");
      try (HungCalls hung =
          new HungCalls(run.disk, (call, path) -> path.endsWith(TierProbe.FILE_NAME))) {
        assertThat(changes.begin(request).state()).isEqualTo(State.RUNNING);
        await("its thread hangs", () -> hung.hanging("headpond-tier") == 1);
        final TierAnswer second = changes.begin(TierRequest.of(Action.REMOVE, "t0"));
        assertThat(second.state()).isEqualTo(State.REFUSED);
        assertThat(second.text()).contains("hasn't answered");
        run.disk.createDirectory(run.real("home0/t-0"));
        try (FileChannel channel = run.store().open(segment(run.path("home0/t-0"), 0), CREATE)) {
          append(channel, bytes(KIB, 1));
        }
        assertThat(changes.answer(request).state()).isEqualTo(State.RUNNING);
      }
      await("its end", () -> changes.answer(request).state().last());
      assertThat(changes.answer(request).state()).isEqualTo(State.DONE);
    }
  }

  @Test
  void aRequestFileIsTakenUpAnsweredAndTakenAway() throws Exception {
    write(segment(fixture.partition("t-0"), 0), bytes(KIB, 0));
    final TierRequests requests = new TierRequests(fixture.store().changes());
    final TierRequest early = TierRequest.of(Action.REMOVE, "pmem");
    early.put(fixture.home);
    requests.look(fixture.home);
    await("its answer", () -> TierAnswer.read(fixture.home).isPresent());
    assertThat(TierRequest.waits(fixture.home)).isFalse();
    final TierRequest request = TierRequest.of(Action.REMOVE, "pmem");
    request.put(fixture.home);
    await(
        "its last answer",
        () -> {
          requests.look(fixture.home);
          return TierAnswer.read(fixture.home)
              .filter(answer -> answer.id().equals(request.id()))
              .filter(answer -> answer.state() == State.DONE)
              .isPresent();
        });
    assertThat(TierRequest.waits(fixture.home)).isFalse();
  }

  @Test
  void whatLayThereBeforeTheStartIsNotDone() throws Exception {
    write(segment(fixture.partition("t-0"), 0), bytes(KIB, 0));
    fixture.stop();
    final TierRequest old = TierRequest.of(Action.REMOVE, "pmem");
    old.put(fixture.home);
    fixture.store();
    await("it is taken away", () -> !TierRequest.waits(fixture.home));
    await(
        "its answer",
        () -> TierAnswer.read(fixture.home).filter(a -> a.id().equals(old.id())).isPresent());
    assertThat(TierAnswer.read(fixture.home).orElseThrow().state()).isEqualTo(State.REFUSED);
    assertThat(fixture.store().facts().tiers().get(0).standing())
        .isEqualTo(StoreFacts.Standing.USED);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "format=2\nid=00000000-0000-0000-0000-000000000000\naction=remove\ntier=pmem\n",
        "format=1\nid=x\naction=remove\ntier=pmem\n",
        "format=1\nid=00000000-0000-0000-0000-000000000000\naction=burn\ntier=pmem\n",
        "\\u00zz",
        "large"
      })
  void aDamagedRequestIsTakenAwayAndNothingIsDone(final String text) throws Exception {
    final TierRequests requests = new TierRequests(fixture.store().changes());
    requests.look(fixture.home);
    Files.writeString(
        fixture.home.resolve(TierRequest.FILE_NAME),
        text.equals("large") ? "#".repeat(10_000) : text);
    requests.look(fixture.home);
    assertThat(TierRequest.waits(fixture.home)).isFalse();
    assertThat(fixture.store().facts().tiers().get(0).standing())
        .isEqualTo(StoreFacts.Standing.USED);
  }

  @Test
  void aRequestThatOthersMayWriteIsNotDone() throws Exception {
    final TierRequests requests = new TierRequests(fixture.store().changes());
    requests.look(fixture.home);
    TierRequest.of(Action.REMOVE, "pmem").put(fixture.home);
    Files.setPosixFilePermissions(
        fixture.home.resolve(TierRequest.FILE_NAME), PosixFilePermissions.fromString("rw-rw-rw-"));
    requests.look(fixture.home);
    assertThat(TierRequest.waits(fixture.home)).isFalse();
    assertThat(fixture.store().facts().tiers().get(0).standing())
        .isEqualTo(StoreFacts.Standing.USED);
  }

  private static void awaitRemoval(final TierChanges changes, final TierRequest request)
      throws Exception {
    await(
        "the removal",
        () -> {
          changes.tick();
          return changes.answer(request).state().last();
        });
  }
}
