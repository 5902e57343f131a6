// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import static io.headpond.store.StoreFixture.append;
import static io.headpond.store.StoreFixture.await;
import static io.headpond.store.StoreFixture.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.store.facts.Count;
import io.headpond.store.facts.TimeSource;
import io.headpond.store.layout.MirrorName;
import io.headpond.store.layout.MirrorState;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/**
 * A start goes on with the mirrors that it finds, makes those that are missing, and drops the rest.
 */
class MirrorStartTest {
  private static final int KIB = 1 << 10;

  @AutoClose private final MirroredTier tier = new MirroredTier();
  private final StoreFixture fixture = tier.fixture;

  @Test
  void aRestartGoesOnWithTheMirrorsThatItFinds() throws Exception {
    final byte[] content = bytes(2 << 20, 1);
    try (FileChannel channel = tier.open()) {
      append(channel, content);
    }
    await(
        "a whole mirror",
        () -> tier.mirrors().size() == 1 && MirrorName.isWhole(tier.mirrors().get(0)));
    fixture.restart();
    try (FileChannel channel = tier.open()) {
      await("it is found", () -> fixture.store().facts().mirrors().get(0).catchingUpBytes() == 0);
      assertThat(fixture.store().facts().count(Count.MIRRORED_BYTES)).isZero();
      final byte[] more = bytes(10 * KIB, 2);
      channel.position(content.length);
      append(channel, more);
      assertThat(tier.mirrored()).isEqualTo(MirroredTier.joined(content, content.length, more));
      assertThat(fixture.store().facts().count(Count.MIRRORED_BYTES)).isEqualTo(more.length);
    }
  }

  @Test
  void garbageAtTheEndOfAMirrorIsWrittenAnew() throws Exception {
    final byte[] content = bytes(2 << 20, 1);
    try (FileChannel channel = tier.open()) {
      append(channel, content);
    }
    await(
        "a whole mirror",
        () -> tier.mirrors().size() == 1 && MirrorName.isWhole(tier.mirrors().get(0)));
    fixture.stop();
    final Path whole = tier.mirrors().get(0);
    final byte[] torn = content.clone();
    Arrays.fill(torn, content.length - 5000, content.length, (byte) 0);
    Files.write(MirrorName.lagging(fixture.home, MirrorName.ofMirror(whole)), torn);
    Files.delete(whole);
    fixture.restart();
    try (FileChannel channel = tier.open()) {
      await("it is repaired", () -> Arrays.equals(tier.mirrored(), content));
      await("it is known", () -> fixture.store().facts().mirrors().get(0).catchingUpBytes() == 0);
      assertThat(fixture.store().facts().count(Count.MIRRORED_BYTES)).isBetween(4_990L, 5_000L);
      assertThat(channel.size()).isEqualTo(content.length);
    }
  }

  @Test
  void anEmptySegmentHasNothingOfAMirrorThatItHadBefore() throws Exception {
    try (FileChannel channel = tier.open()) {
      append(channel, bytes(50 * KIB, 1));
    }
    await(
        "a whole mirror",
        () -> tier.mirrors().size() == 1 && MirrorName.isWhole(tier.mirrors().get(0)));
    fixture.stop();
    Files.write(
        Files.readSymbolicLink(tier.name), new byte[0]); // as a broker without Headpond cuts it
    final byte[] content = bytes(20 * KIB, 2);
    try (FileChannel channel = tier.open()) {
      tier.started();
      await("caught up", () -> tier.mirrored().length == 0);
      append(channel, content);
      await("a mirror", () -> Arrays.equals(tier.mirrored(), content));
    }
    await(
        "one mirror",
        () -> tier.mirrors().size() == 1 && MirrorName.isWhole(tier.mirrors().get(0)));
    assertThat(tier.mirrored()).isEqualTo(content);
  }

  @Test
  void aTierThatIsNewlyMirroredIsCaughtUp() throws Exception {
    fixture.with("headpond.tier.pmem.mirror", "off");
    final byte[] content = bytes(3 << 20, 1);
    try (FileChannel channel = tier.open()) {
      append(channel, content);
    }
    assertThat(tier.mirrors()).isEmpty();
    fixture.stop();
    fixture.with("headpond.tier.pmem.mirror", "1s").time(TimeSource.SYSTEM);
    try (FileChannel channel = tier.open()) {
      await(
          "a mirror", () -> tier.mirrors().size() == 1 && Arrays.equals(tier.mirrored(), content));
      assertThat(channel.size()).isEqualTo(content.length);
    }
    await("all is there", () -> MirrorState.read(fixture.home).orElseThrow().complete());
  }

  @Test
  void mirrorsThatNoSegmentNeedsGoAtTheStart() throws Exception {
    fixture.store();
    fixture.stop();
    final Path left = MirrorName.whole(fixture.home, "0123456789abcdef");
    Files.write(left, new byte[5]);
    fixture.restart();
    await("it goes", () -> !Files.exists(left));
  }

  @Test
  void mirrorsOfATierThatIsNotMirroredAnyMoreGo() throws Exception {
    try (FileChannel channel = tier.open()) {
      append(channel, bytes(30 * KIB, 1));
    }
    await("a mirror", () -> tier.mirrors().size() == 1);
    fixture.stop();
    fixture.with("headpond.tier.pmem.mirror", "off");
    fixture.store();
    assertThat(tier.mirrors()).isEmpty();
    assertThat(MirrorState.read(fixture.home)).isEmpty();
  }

  /** The look for mirrors hangs, and with it the first round. */
  @Test
  void whatIsAppendedBeforeTheFirstRoundIsNotSaidToBeMirrored() throws Exception {
    try (ModelRun run =
        new ModelRun(ModelRun.Setup.of(false, "file"), 1)
            .with("headpond.tier.t0.mirror", "0")
            .with(new FastTime())) {
      final Path home = run.real("home0");
      run.disk.createDirectory(run.real("home0/t-0"));
      run.start();
      await(
          "all is said to be there",
          () -> MirrorState.read(home).filter(MirrorState::acknowledged).isPresent());
      run.stop();
      final HungCalls hung =
          new HungCalls(
              run.disk,
              (call, path) ->
                  call == ModelFaults.Call.LIST
                      && Thread.currentThread().getName().startsWith("headpond-mirror"));
      try {
        run.start();
        try (FileChannel channel = run.open("home0/t-0/00000000000000000000.log")) {
          append(channel, bytes(KIB, 1));
          assertThat(MirrorState.read(home).orElseThrow().acknowledged()).isFalse();
          assertThat(MirrorState.read(home).orElseThrow().complete()).isTrue();
          hung.close();
          await("it is again", () -> MirrorState.read(home).orElseThrow().acknowledged());
          assertThat(MirroredTier.mirrors(home)).hasSize(1);
        }
      } finally {
        hung.close();
      }
    }
  }
}
