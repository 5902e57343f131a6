// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import static io.headpond.store.StoreFixture.CREATE;
import static io.headpond.store.StoreFixture.append;
import static io.headpond.store.StoreFixture.await;
import static io.headpond.store.StoreFixture.bytes;
import static io.headpond.store.StoreFixture.segment;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.headpond.store.SegmentMigration.Outcome;
import io.headpond.store.event.Incident;
import io.headpond.store.facts.Count;
import io.headpond.store.facts.StoreFacts;
import io.headpond.store.layout.MirrorName;
import io.headpond.store.layout.MirrorState;
import io.headpond.store.layout.NameLook;
import io.headpond.store.tier.TierDirectory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What lies in a mirrored tier is also written home, and taken from there by a move home. */
class MirrorTest {
  private static final int KIB = 1 << 10;

  private StoreFixture fixture;
  private Path partition;
  private Path name;

  @BeforeEach
  void makeDirectories() throws IOException {
    fixture = new StoreFixture().with("headpond.tier.pmem.mirror", "0");
    partition = fixture.partition("orders-0");
    name = segment(partition, 0);
  }

  @AfterEach
  void removeDirectories() throws IOException {
    fixture.close();
  }

  private FileChannel open() throws IOException {
    return fixture.store().open(name, CREATE);
  }

  private List<Path> mirrors() throws IOException {
    return mirrors(fixture.home);
  }

  private static List<Path> mirrors(final Path logDir) throws IOException {
    return NameLook.list(logDir).stream()
        .filter(file -> MirrorName.ofMirror(file) != null)
        .sorted()
        .toList();
  }

  private byte[] mirrored() throws IOException {
    while (true) {
      try {
        return Files.readAllBytes(mirrors().get(0));
      } catch (final NoSuchFileException renamed) {
        continue; // by the mirror's thread, between the look and the read
      }
    }
  }

  private static byte[] joined(final byte[] first, final int kept, final byte[] second) {
    final byte[] all = Arrays.copyOf(first, kept + second.length);
    System.arraycopy(second, 0, all, kept, second.length);
    return all;
  }

  /** Appended before the first round, which a start's look for mirrors precedes. */
  private void started() throws Exception {
    await("rounds", () -> fixture.store().facts().mirrors().get(0).behindBytes() == 0);
    await("the state", () -> MirrorState.read(fixture.home).isPresent());
  }

  @Test
  void anAppendReturnsOnceItIsMirrored() throws Exception {
    try (FileChannel channel = open()) {
      started();
      final byte[] content = bytes(300 * KIB, 1);
      for (int at = 0; at < content.length; at += 30 * KIB) {
        append(channel, Arrays.copyOfRange(content, at, at + 30 * KIB));
        assertThat(mirrored()).isEqualTo(Arrays.copyOf(content, at + 30 * KIB));
      }
      assertThat(MirrorState.read(fixture.home).orElseThrow().acknowledged()).isTrue();
    }
  }

  @Test
  void whatIsAppendedIsMirroredInTheBackground() throws Exception {
    fixture.with("headpond.tier.pmem.mirror", "200ms");
    final byte[] content = bytes(3 << 20, 2);
    try (FileChannel channel = open()) {
      append(channel, content);
      await("a mirror", () -> !mirrors().isEmpty() && mirrored().length == content.length);
      assertThat(mirrored()).isEqualTo(content);
      assertThat(MirrorName.isWhole(mirrors().get(0))).isFalse();
    }
    await(
        "each byte is counted once", // after it was written
        () -> fixture.store().counters().sum(Count.MIRRORED_BYTES) == content.length);
    assertThat(fixture.store().facts().mirrors().get(0).suspended()).isFalse();
  }

  /** All at once would keep a processor from the engine's threads for milliseconds. */
  @Test
  void whatIsAppendedIsCopiedBeforeItsRoundBegins() throws Exception {
    fixture.with("headpond.tier.pmem.mirror", "2s");
    final int[] appended = new int[1];
    try (FileChannel channel = open()) {
      append(channel, bytes(KIB, 1)); // the first round with bytes begins early
      appended[0] = KIB;
      await(
          "a copy while no round can have begun",
          () -> {
            if (mirror().behindBytes() == 0) {
              append(channel, bytes(1 << 20, appended[0]));
              appended[0] += 1 << 20;
            }
            return !mirrors().isEmpty()
                && mirrored().length == appended[0]
                && mirror().behindBytes() >= 1 << 20
                && mirror().lagMs() < 500;
          });
    }
  }

  private StoreFacts.Mirror mirror() throws IOException {
    return fixture.store().facts().mirrors().get(0);
  }

  /** Nobody is told of what is stored into a mapping. */
  @Test
  void aSegmentThatIsMappedHasNoMirrorAndThatIsSaid() throws Exception {
    try (FileChannel channel = open();
        FileChannel other =
            fixture.store().open(segment(fixture.partition("orders-1"), 0), CREATE)) {
      started();
      append(channel, bytes(KIB, 1));
      await("complete", () -> MirrorState.read(fixture.home).orElseThrow().complete());
      assertThat(mirrors()).hasSize(2);
      channel.map(FileChannel.MapMode.READ_WRITE, 0, KIB);
      await("it goes", () -> mirrors().size() == 1);
      assertThat(MirrorState.read(fixture.home).orElseThrow().complete()).isFalse();
      append(channel, bytes(KIB, 2));
      append(other, bytes(KIB, 3));
      append(other, bytes(KIB, 4)); // of the second round from here on
      final MirrorState said = MirrorState.read(fixture.home).orElseThrow();
      assertThat(said.complete()).isFalse();
      assertThat(said.acknowledged()).isFalse();
    }
  }

  @Test
  void theMirrorOfASealedSegmentIsCalledWhole() throws Exception {
    try (FileChannel channel = open();
        FileChannel next = fixture.store().open(segment(partition, 5), CREATE)) {
      started();
      append(channel, bytes(40 * KIB, 1));
      append(next, bytes(10 * KIB, 2));
    }
    await("whole mirrors", () -> mirrors().stream().allMatch(MirrorName::isWhole));
    assertThat(mirrors()).hasSize(2);
    for (final Path mirror : mirrors()) {
      final Path tierFile =
          fixture.tierFiles().stream()
              .filter(each -> MirrorName.ofTierFile(each).equals(MirrorName.ofMirror(mirror)))
              .findFirst()
              .orElseThrow();
      assertThat(Files.mismatch(mirror, tierFile)).isNegative();
      assertThat(Files.getLastModifiedTime(mirror)).isEqualTo(Files.getLastModifiedTime(tierFile));
    }
  }

  @Test
  void aTruncationCutsTheMirrorBeforeAnythingNewer() throws Exception {
    try (FileChannel channel = open()) {
      started();
      final byte[] first = bytes(100 * KIB, 1);
      append(channel, first);
      channel.truncate(50 * KIB);
      assertThat(mirrored()).isEqualTo(Arrays.copyOf(first, 50 * KIB));
      final byte[] second = bytes(70 * KIB, 2);
      append(channel, second);
      assertThat(mirrored()).isEqualTo(joined(first, 50 * KIB, second));
    }
  }

  @Test
  void whatIsWrittenOverIsMirroredAgain() throws Exception {
    try (FileChannel channel = open()) {
      started();
      final byte[] content = bytes(100 * KIB, 1);
      append(channel, content);
      final byte[] other = bytes(10 * KIB, 2);
      channel.write(ByteBuffer.wrap(other), 20 * KIB);
      System.arraycopy(other, 0, content, 20 * KIB, other.length);
      assertThat(mirrored()).isEqualTo(content);
    }
  }

  @Test
  void aSegmentThatGoesOnAfterItsSealIsNotCalledWhole() throws Exception {
    final byte[] first = bytes(30 * KIB, 1);
    final byte[] second = bytes(30 * KIB, 2);
    try (FileChannel channel = open()) {
      started();
      append(channel, first);
    }
    await("a whole mirror", () -> MirrorName.isWhole(mirrors().get(0)));
    try (FileChannel channel = open()) {
      channel.position(first.length);
      append(channel, second);
      assertThat(MirrorName.isWhole(mirrors().get(0))).isFalse();
      assertThat(mirrored()).isEqualTo(joined(first, first.length, second));
    }
  }

  /** As when its device is unmounted, while the engine has descriptors of the files there. */
  @Test
  void theMirrorOfASegmentWhoseTierIsGoneIsKept() throws Exception {
    fixture.with("headpond.tier.pmem.type", "file");
    final byte[] content = bytes(30 * KIB, 1);
    try (FileChannel channel = open();
        FileChannel next = fixture.store().open(segment(partition, 5), CREATE)) {
      started();
      append(channel, content);
      append(next, content);
      fixture.store().open(segment(partition, 6), CREATE).close();
      await("whole mirrors", () -> mirrors().stream().filter(MirrorName::isWhole).count() == 3);
      Files.move(fixture.tier.resolve("segments"), fixture.tier.resolve("gone"));
      append(channel, content);
      next.truncate(10 * KIB);
      await("said", () -> fixture.store().facts().mirrors().get(0).suspended());
      assertThat(MirrorState.read(fixture.home).orElseThrow().complete()).isFalse();
      assertThat(Files.readAllBytes(mirrorOf(name))).isEqualTo(content);
      assertThat(Files.readAllBytes(mirrorOf(segment(partition, 5))))
          .isEqualTo(Arrays.copyOf(content, 10 * KIB));
      Files.move(fixture.tier.resolve("gone"), fixture.tier.resolve("segments"));
      await("they go on", () -> Files.size(mirrorOf(name)) == 2L * content.length);
    }
  }

  /** Segments come and go on, and the mirrors of all of them are behind. */
  @Test
  void roundsThatFailKeepNoMoreDescriptorsThanOthers() throws Exception {
    fixture.with("headpond.tier.pmem.type", "file");
    try (FileChannel channel = open()) {
      started();
      append(channel, bytes(KIB, 1));
      fixture.store().open(segment(partition, 1), CREATE).close();
      await("a whole mirror", () -> Files.exists(whole(name)));
      Files.delete(Files.readSymbolicLink(name));
      append(channel, bytes(KIB, 2)); // each round fails from now on
      await("suspended", () -> fixture.store().facts().mirrors().get(0).suspended());
      for (int i = 0; i < 300; i++) {
        try (FileChannel other =
            fixture.store().open(segment(fixture.partition("many-" + i), 0), CREATE)) {
          append(other, bytes(KIB, i));
        }
      }
      await("all are copied", () -> mirrors().stream().filter(MirrorTest::isKib).count() >= 300);
      await("descriptors go", () -> openMirrors() <= 256);
    }
  }

  /** Few are written to at a time, and all of them by and by. */
  @Test
  void mirrorsThatNobodyWritesToKeepNoDescriptors() throws Exception {
    fixture.with("headpond.tier.pmem.type", "file");
    final List<FileChannel> channels = new ArrayList<>();
    try {
      channels.add(open());
      started();
      for (int i = 0; i < 300; i++) {
        channels.add(fixture.store().open(segment(fixture.partition("many-" + i), 0), CREATE));
        append(channels.get(i), bytes(KIB, i));
      }
      await("descriptors go", () -> openMirrors() <= 256);
      append(channels.get(0), bytes(KIB, 1));
      assertThat(mirrorOf(name)).hasSize(2 * KIB);
    } finally {
      for (final FileChannel channel : channels) {
        channel.close();
      }
    }
  }

  @Test
  void mirrorsThatCannotBeCaughtUpKeepNoDescriptors() throws Exception {
    final int segments = 4;
    try (ModelRun run = new ModelRun(ModelRun.Setup.of(false, "file"), 1)) {
      run.start();
      for (int i = 0; i < segments; i++) {
        run.disk.createDirectory(run.real("home0/t-" + i));
        try (FileChannel channel = run.open("home0/t-" + i + "/00000000000000000000.log")) {
          append(channel, bytes(KIB, 1));
        }
      }
      run.stop();
      run.with("headpond.tier.t0.mirror", "0");
      final Path tier = run.real("tier00");
      run.disk.schedule(
          (call, path, made) -> {
            if (call == ModelFaults.Call.READ && path.startsWith(tier.resolve("segments"))) {
              run.disk.faults().breakDown(tier, call);
            }
          });
      run.start();
      await("all were tried", () -> mirrors(run.real("home0")).size() == segments);
      assertThat(run.disk.stillOpen())
          .filteredOn(path -> MirrorName.ofMirror(path) != null)
          .as("of the one that is being tried")
          .hasSizeLessThanOrEqualTo(1);
      run.disk.schedule((call, path, made) -> {});
      run.disk.faults().heal();
      await(
          "they are caught up",
          () -> mirrors(run.real("home0")).stream().allMatch(MirrorTest::isKib));
    }
  }

  private Path whole(final Path segment) throws IOException {
    return MirrorName.whole(fixture.home, MirrorName.ofTierFile(Files.readSymbolicLink(segment)));
  }

  private static boolean isKib(final Path file) {
    return file.toFile().length() == KIB;
  }

  private long openMirrors() throws IOException {
    long open = 0;
    for (final Path descriptor : NameLook.list(Path.of("/proc/self/fd"))) {
      try {
        open += MirrorName.ofMirror(Files.readSymbolicLink(descriptor)) != null ? 1 : 0;
      } catch (final NoSuchFileException closed) {
        continue;
      }
    }
    return open;
  }

  private Path mirrorOf(final Path segment) throws IOException {
    return MirrorName.lagging(fixture.home, MirrorName.ofTierFile(Files.readSymbolicLink(segment)));
  }

  @Test
  void theMirrorGoesWithItsSegment() throws Exception {
    try (FileChannel channel = open()) {
      append(channel, bytes(30 * KIB, 1));
    }
    await("a mirror", () -> mirrors().size() == 1);
    fixture.store().delete(name);
    await("no mirror", () -> mirrors().isEmpty());
  }

  @Test
  void aMoveHomeTakesTheMirror() throws Exception {
    final byte[] content = bytes(5 << 20, 3);
    try (FileChannel channel = open()) {
      started();
      append(channel, content);
      final Object mirror = key(mirrors().get(0));
      assertThat(fixture.store().migration(bytes -> {}).move(name, null, true))
          .isEqualTo(Outcome.MOVED);
      assertThat(Files.isSymbolicLink(name)).isFalse();
      assertThat(key(name)).as("the same file").isEqualTo(mirror);
      assertThat(Files.readAllBytes(name)).isEqualTo(content);
      append(channel, content);
    }
    assertThat(Files.size(name)).isEqualTo(2L * content.length);
    await("no mirror", () -> mirrors().isEmpty());
    // Nothing but the mirror was written at home until the move was over.
    assertThat(fixture.store().facts().count(Count.MIRRORED_BYTES))
        .isBetween((long) content.length, (long) (1.05 * content.length));
  }

  private static Object key(final Path file) throws IOException {
    return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
  }

  @Test
  void aMoveUpKeepsTheFileAtHomeAsMirror() throws Exception {
    final byte[] content = bytes(2 << 20, 3);
    try (FileChannel channel = open()) {
      started();
      append(channel, content);
      fixture.store().migration(bytes -> {}).move(name, null, true);
      final Object atHome = key(name);
      final long before = fixture.store().facts().count(Count.MIRRORED_BYTES);
      final TierDirectory up = fixture.store().tiers().get(0).get(0);
      assertThat(fixture.store().migration(bytes -> {}).move(name, up, true))
          .isEqualTo(Outcome.MOVED);
      await("a mirror", () -> mirrors().size() == 1);
      assertThat(key(mirrors().get(0))).as("the same file").isEqualTo(atHome);
      assertThat(mirrored()).isEqualTo(content);
      assertThat(fixture.store().facts().count(Count.MIRRORED_BYTES)).isEqualTo(before);
      final byte[] more = bytes(100 * KIB, 4);
      append(channel, more);
      assertThat(mirrored()).isEqualTo(joined(content, content.length, more));
    }
  }

  @Test
  void aRestartGoesOnWithTheMirrorsThatItFinds() throws Exception {
    final byte[] content = bytes(2 << 20, 1);
    try (FileChannel channel = open()) {
      append(channel, content);
    }
    await("a whole mirror", () -> mirrors().size() == 1 && MirrorName.isWhole(mirrors().get(0)));
    fixture.restart();
    try (FileChannel channel = open()) {
      await("it is found", () -> fixture.store().facts().mirrors().get(0).catchingUpBytes() == 0);
      assertThat(fixture.store().facts().count(Count.MIRRORED_BYTES)).isZero();
      final byte[] more = bytes(10 * KIB, 2);
      channel.position(content.length);
      append(channel, more);
      assertThat(mirrored()).isEqualTo(joined(content, content.length, more));
      assertThat(fixture.store().facts().count(Count.MIRRORED_BYTES)).isEqualTo(more.length);
    }
  }

  @Test
  void garbageAtTheEndOfAMirrorIsWrittenAnew() throws Exception {
    final byte[] content = bytes(2 << 20, 1);
    try (FileChannel channel = open()) {
      append(channel, content);
    }
    await("a whole mirror", () -> mirrors().size() == 1 && MirrorName.isWhole(mirrors().get(0)));
    fixture.stop();
    final Path whole = mirrors().get(0);
    final byte[] torn = content.clone();
    Arrays.fill(torn, content.length - 5000, content.length, (byte) 0);
    Files.write(MirrorName.lagging(fixture.home, MirrorName.ofMirror(whole)), torn);
    Files.delete(whole);
    fixture.restart();
    try (FileChannel channel = open()) {
      await("it is repaired", () -> Arrays.equals(mirrored(), content));
      await("it is known", () -> fixture.store().facts().mirrors().get(0).catchingUpBytes() == 0);
      assertThat(fixture.store().facts().count(Count.MIRRORED_BYTES)).isBetween(4_990L, 5_000L);
      assertThat(channel.size()).isEqualTo(content.length);
    }
  }

  @Test
  void anEmptySegmentHasNothingOfAMirrorThatItHadBefore() throws Exception {
    try (FileChannel channel = open()) {
      append(channel, bytes(50 * KIB, 1));
    }
    await("a whole mirror", () -> mirrors().size() == 1 && MirrorName.isWhole(mirrors().get(0)));
    fixture.stop();
    Files.write(Files.readSymbolicLink(name), new byte[0]); // as a broker without Headpond cuts it
    final byte[] content = bytes(20 * KIB, 2);
    try (FileChannel channel = open()) {
      started();
      await("caught up", () -> mirrored().length == 0);
      append(channel, content);
      await("a mirror", () -> Arrays.equals(mirrored(), content));
    }
    await("one mirror", () -> mirrors().size() == 1 && MirrorName.isWhole(mirrors().get(0)));
    assertThat(mirrored()).isEqualTo(content);
  }

  @Test
  void aTierThatIsNewlyMirroredIsCaughtUp() throws Exception {
    fixture.with("headpond.tier.pmem.mirror", "off");
    final byte[] content = bytes(3 << 20, 1);
    try (FileChannel channel = open()) {
      append(channel, content);
    }
    assertThat(mirrors()).isEmpty();
    fixture.stop();
    fixture.with("headpond.tier.pmem.mirror", "1s");
    try (FileChannel channel = open()) {
      await("a mirror", () -> mirrors().size() == 1 && Arrays.equals(mirrored(), content));
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
    try (FileChannel channel = open()) {
      append(channel, bytes(30 * KIB, 1));
    }
    await("a mirror", () -> mirrors().size() == 1);
    fixture.stop();
    fixture.with("headpond.tier.pmem.mirror", "off");
    fixture.store();
    assertThat(mirrors()).isEmpty();
    assertThat(MirrorState.read(fixture.home)).isEmpty();
  }

  @Test
  void appendsGoOnWhileHomeHasNoRoom() throws Exception {
    fixture.with("headpond.home.reserve", "1000TiB");
    try (FileChannel channel = open()) {
      await("suspended", () -> fixture.store().facts().mirrors().get(0).suspended());
      append(channel, bytes(30 * KIB, 1));
      assertThat(mirrors()).isEmpty();
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
        appends.join(TimeUnit.SECONDS.toMillis(2));
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

  /** The look for mirrors hangs, and with it the first round. */
  @Test
  void whatIsAppendedBeforeTheFirstRoundIsNotSaidToBeMirrored() throws Exception {
    try (ModelRun run =
        new ModelRun(ModelRun.Setup.of(false, "file"), 1).with("headpond.tier.t0.mirror", "0")) {
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
          assertThat(mirrors(home)).hasSize(1);
        }
      } finally {
        hung.close();
      }
    }
  }

  /** Nobody waits for a mirror that is suspended, until the round that ends that is over. */
  @Test
  void whatIsAppendedWhileMirrorsAreSuspendedIsNotSaidToBeThere() throws Exception {
    try (ModelRun run =
        new ModelRun(ModelRun.Setup.of(false, "file"), 1).with("headpond.tier.t0.mirror", "0")) {
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
      run.with("headpond.tier.t0.mirror", "0");
      run.disk.faults().begin(fault);
      run.start();
      await(
          "a mirror", () -> mirrors(home).stream().anyMatch(each -> each.toFile().length() == KIB));
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

  /** It would be a second name of the file at home, which nobody deletes with the segment. */
  @Test
  void aMoveUpThatFailsLeavesNoMirror() throws Exception {
    try (FileChannel channel = open()) {
      started();
      append(channel, bytes(KIB, 1));
      fixture.store().migration(bytes -> {}).move(name, null, true);
      await("no mirror", () -> mirrors().isEmpty());
      final TierDirectory up = fixture.store().tiers().get(0).get(0);
      try (MountedTmpfs.Unwritable closed = new MountedTmpfs.Unwritable(partition)) {
        assumeTrue(closed.works());
        assertThatThrownBy(() -> fixture.store().migration(bytes -> {}).move(name, up, true))
            .isInstanceOf(IOException.class);
        append(channel, bytes(KIB, 2));
      }
      await("no mirror of what was tried", () -> mirrors().isEmpty());
    }
  }
}
