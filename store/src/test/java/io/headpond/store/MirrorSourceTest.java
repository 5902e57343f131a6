// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import static io.headpond.store.StoreFixture.append;
import static io.headpond.store.StoreFixture.await;
import static io.headpond.store.StoreFixture.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headpond.store.event.Incident;
import io.headpond.store.facts.StoreFacts;
import io.headpond.store.layout.MirrorName;
import io.headpond.store.layout.MirrorState;
import io.headpond.store.layout.NameLook;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * A mirrored tier that can't be read any more between an append to it and the mirror's round: no
 * append is acknowledged that isn't at home, and only those of that segment's log are concerned.
 */
class MirrorSourceTest {
  private static final int KIB = 1 << 10;
  private static final String FIRST = "home0/t-0/00000000000000000000.log";
  private static final String SECOND = "home0/t-0/00000000000000000005.log";
  private static final String OTHER = "home0/t-1/00000000000000000000.log";

  /** A store whose first tier is mirrored. */
  private static ModelRun started(final boolean promised, final String tier, final String limit)
      throws Exception {
    final ModelRun run =
        new ModelRun(ModelRun.Setup.of(promised, tier), 1)
            .with("headpond.tier.t0.mirror", limit)
            .with("headpond.tier.t0.capacity", "16MiB")
            .with(new FastTime());
    run.disk.createDirectory(run.real("home0/t-0"));
    run.disk.createDirectory(run.real("home0/t-1"));
    run.start();
    await("a state", () -> state(run).isPresent());
    return run;
  }

  private static Optional<MirrorState> state(final ModelRun run) throws IOException {
    return MirrorState.read(run.real("home0"));
  }

  private static StoreFacts.Mirror mirror(final ModelRun run) {
    return run.store().facts().mirrors().get(0);
  }

  /** Nothing is read from these segments' files in the tier. */
  private static void failReads(final ModelRun run, final String... names) throws IOException {
    final List<Path> files = new ArrayList<>();
    for (final String name : names) {
      files.add(NameLook.target(run.real(name)));
    }
    run.disk.faults().failReads(files::contains);
  }

  /** Bytes that a segment's mirror has. */
  private static byte[] mirrored(final ModelRun run, final String name) throws IOException {
    return mirrored(run, NameLook.target(run.real(name)));
  }

  private static byte[] mirrored(final ModelRun run, final Path tierFile) throws IOException {
    final String key = MirrorName.ofTierFile(tierFile);
    final Path home = run.real("home0");
    final Path lagging = MirrorName.lagging(home, key);
    return Files.readAllBytes(Files.exists(lagging) ? lagging : MirrorName.whole(home, key));
  }

  /** What home has of a segment: its mirror, or itself, once it has left a tier that failed. */
  private static byte[] atHome(final ModelRun run, final String name) throws IOException {
    final Path tierFile = NameLook.target(run.real(name));
    if (tierFile != null) {
      try {
        return mirrored(run, tierFile);
      } catch (final NoSuchFileException itLeftJustNow) {
        assertThat(Files.isSymbolicLink(run.real(name))).isFalse();
      }
    }
    return Files.readAllBytes(run.real(name));
  }

  /** An append that nobody can complete a mirror with: its bytes are not in one buffer. */
  private static void gather(final FileChannel channel, final byte[] content) throws IOException {
    channel.write(new ByteBuffer[] {ByteBuffer.wrap(content)});
  }

  @Test
  void anAppendThatItsTierLosesGoesOnAtHome() throws Exception {
    for (final String tier : List.of("file", "growing", "mapped")) {
      for (final boolean promised : new boolean[] {false, true}) {
        try (ModelRun run = started(promised, tier, "0");
            FileChannel channel = run.open(FIRST);
            FileChannel other = run.open(OTHER)) {
          append(channel, bytes(3 * KIB, 1));
          append(other, bytes(KIB, 3));
          failReads(run, FIRST);
          append(channel, bytes(2 * KIB, 2));
          assertThat(Files.isSymbolicLink(run.real(FIRST))).as(tier).isFalse();
          append(channel, bytes(KIB, 4));
          append(other, bytes(KIB, 5));
          assertThat(Files.readAllBytes(run.real(FIRST)))
              .as(tier)
              .isEqualTo(joined(bytes(3 * KIB, 1), bytes(2 * KIB, 2), bytes(KIB, 4)));
          assertThat(atHome(run, OTHER)).isEqualTo(joined(bytes(KIB, 3), bytes(KIB, 5)));
          assertThat(run.store().facts().incidents())
              .containsEntry(Incident.MIRROR_SUSPENDED, 0L)
              .containsEntry(Incident.DEVICE_FAULT, 1L);
          await("all is there", () -> state(run).orElseThrow().acknowledged());
        }
      }
    }
  }

  private static byte[] joined(final byte[]... parts) {
    byte[] all = new byte[0];
    for (final byte[] part : parts) {
      all = MirroredTier.joined(all, all.length, part);
    }
    return all;
  }

  @Test
  void anAppendThatIsNeitherReadNorKnownFails() throws Exception {
    try (ModelRun run = started(false, "file", "0");
        FileChannel channel = run.open(FIRST);
        FileChannel other = run.open(OTHER)) {
      append(channel, bytes(3 * KIB, 1));
      failReads(run, FIRST);
      final Path file = NameLook.target(run.real(FIRST));
      assertThatThrownBy(() -> gather(channel, bytes(2 * KIB, 2)))
          .isInstanceOf(IOException.class)
          .hasMessageContainingAll("HP0310", run.real(FIRST).toString(), file.toString());
      append(other, bytes(KIB, 3));
      assertThat(mirrored(run, OTHER)).isEqualTo(bytes(KIB, 3));
      assertThat(mirror(run).suspended()).isFalse();
      assertThat(state(run).orElseThrow())
          .extracting(MirrorState::complete, MirrorState::acknowledged)
          .containsExactly(false, false);
      run.disk.faults().heal();
      await("it goes on", () -> state(run).orElseThrow().acknowledged());
      assertThat(mirrored(run, FIRST)).isEqualTo(joined(bytes(3 * KIB, 1), bytes(2 * KIB, 2)));
      gather(channel, bytes(KIB, 4));
      assertThat(mirrored(run, FIRST)).hasSize(6 * KIB);
    }
  }

  /** As by other hands, between the append and the round that copies it. */
  @Test
  void anAppendWhoseTierFileIsCutGoesOnAtHome() throws Exception {
    try (ModelRun run = started(false, "file", "0");
        FileChannel channel = run.open(FIRST)) {
      append(channel, bytes(3 * KIB, 1));
      final Path file = NameLook.target(run.real(FIRST));
      final HungCalls hung =
          new HungCalls(
              run.disk, (call, path) -> call == ModelFaults.Call.READ && path.equals(file));
      final Future<Void> appended =
          CompletableFuture.runAsync(
              () -> {
                try {
                  append(channel, bytes(2 * KIB, 2));
                } catch (final IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
      try (FileChannel others = FileChannel.open(file, StandardOpenOption.WRITE)) {
        await("it is read", () -> hung.hanging("headpond-mirror") == 1);
        others.truncate(KIB);
      } finally {
        hung.close();
      }
      appended.get(20, TimeUnit.SECONDS);
      assertThat(Files.isSymbolicLink(run.real(FIRST))).isFalse();
      assertThat(Files.readAllBytes(run.real(FIRST)))
          .isEqualTo(joined(bytes(3 * KIB, 1), bytes(2 * KIB, 2)));
    }
  }

  /** The log would end with the segment that is missing. */
  @Test
  void anAppendBehindASegmentThatIsNotThereFails() throws Exception {
    try (ModelRun run = started(false, "file", "0");
        FileChannel channel = run.open(FIRST);
        FileChannel other = run.open(OTHER)) {
      append(channel, bytes(3 * KIB, 1));
      failReads(run, FIRST);
      assertThatThrownBy(() -> gather(channel, bytes(2 * KIB, 2))).isInstanceOf(IOException.class);
      try (FileChannel next = run.open(SECOND)) {
        assertThatThrownBy(() -> append(next, bytes(KIB, 3)))
            .isInstanceOf(IOException.class)
            .hasMessageContaining(NameLook.target(run.real(FIRST)).toString());
        append(other, bytes(KIB, 4));
        run.disk.faults().heal();
        append(next, bytes(KIB, 5));
        assertThat(mirrored(run, FIRST)).hasSize(5 * KIB);
      }
    }
  }

  @Test
  void aSegmentThatIsDeletedFailsNobody() throws Exception {
    try (ModelRun run = started(false, "file", "0")) {
      try (FileChannel channel = run.open(FIRST)) {
        append(channel, bytes(3 * KIB, 1));
        failReads(run, FIRST);
        assertThatThrownBy(() -> gather(channel, bytes(2 * KIB, 2)))
            .isInstanceOf(IOException.class);
      }
      try (FileChannel next = run.open(SECOND)) {
        run.store().delete(run.path(FIRST));
        await("it is gone", () -> state(run).orElseThrow().acknowledged());
        append(next, bytes(KIB, 3));
        assertThat(mirrored(run, SECOND)).isEqualTo(bytes(KIB, 3));
      }
    }
  }

  @Test
  void anAppendFailsOnceItsMirrorIsTooFarBehind() throws Exception {
    try (ModelRun run = started(false, "file", "100ms");
        FileChannel channel = run.open(FIRST);
        FileChannel other = run.open(OTHER)) {
      append(channel, bytes(3 * KIB, 1));
      await("mirrored", () -> mirror(run).behindBytes() == 0);
      failReads(run, FIRST);
      assertThatThrownBy(
              () -> {
                while (true) {
                  gather(channel, bytes(KIB, 2));
                }
              })
          .isInstanceOf(IOException.class)
          .hasMessageContaining("HP0310");
      for (int i = 0; i < 100; i++) {
        append(other, bytes(KIB, i));
      }
      assertThat(mirror(run).suspended()).isFalse();
      assertThat(mirror(run).lagMs()).isGreaterThan(100);
      run.disk.faults().heal();
      await("they are within it", () -> state(run).orElseThrow().complete());
      append(channel, bytes(KIB, 2));
    }
  }

  @Test
  void anAppendThatDoesNotWaitGoesOn() throws Exception {
    try (ModelRun run =
        new ModelRun(ModelRun.Setup.of(false, "file"), 1)
            .with("headpond.tier.t0.mirror", "100ms")
            .with("headpond.tier.t0.mirror.lag", "continue")
            .with(new FastTime())) {
      run.disk.createDirectory(run.real("home0/t-0"));
      run.start();
      await("a state", () -> state(run).isPresent());
      try (FileChannel channel = run.open(FIRST)) {
        failReads(run, FIRST);
        append(channel, bytes(3 * KIB, 1));
        await("it is said", () -> !state(run).orElseThrow().complete());
        append(channel, bytes(3 * KIB, 1));
        assertThat(mirror(run).suspended()).isFalse();
        run.disk.faults().heal();
        await("it goes on", () -> state(run).orElseThrow().complete());
        assertThat(mirrored(run, FIRST)).hasSize(6 * KIB);
      }
    }
  }
}
