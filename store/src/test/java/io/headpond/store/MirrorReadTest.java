// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import static io.headpond.store.StoreFixture.append;
import static io.headpond.store.StoreFixture.await;
import static io.headpond.store.StoreFixture.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headpond.store.event.Incident;
import io.headpond.store.facts.Count;
import io.headpond.store.layout.MirrorName;
import io.headpond.store.layout.NameLook;
import io.headpond.store.segment.Segment;
import io.headpond.store.segment.SegmentChannel;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Reads of segments in a mirrored tier whose device doesn't give back what was written there. */
class MirrorReadTest {
  private static final int KIB = 1 << 10;
  private static final int READERS = 8;
  private static final String FIRST = "home0/t-0/00000000000000000000.log";
  private static final String SECOND = "home0/t-0/00000000000000000005.log";
  private static final String OTHER = "home0/t-1/00000000000000000000.log";
  private static final List<String> TIERS = List.of("file", "growing", "mapped", "dax");
  private static final byte[] CONTENT = bytes(30 * KIB, 1);

  private static final ModelFaults.Call[] ANSWERED_BY_NO_DEAD_DEVICE =
      EnumSet.complementOf(EnumSet.of(ModelFaults.Call.SPACE)).toArray(ModelFaults.Call[]::new);

  /** A way in which an engine reads a segment. */
  private interface Reading {
    byte[] of(FileChannel channel) throws IOException;
  }

  private static final Map<String, Reading> READINGS =
      Map.of(
          "read", MirrorReadTest::readAll,
          "positional read", MirrorReadTest::readAllByPosition,
          "scattering read", MirrorReadTest::scatter,
          "transfer", MirrorReadTest::transferAll);

  private static byte[] readAll(final FileChannel channel) throws IOException {
    channel.position(0);
    final ByteBuffer buffer = ByteBuffer.allocate(CONTENT.length);
    while (buffer.hasRemaining() && channel.read(buffer) > 0) {}
    return Arrays.copyOf(buffer.array(), buffer.position());
  }

  private static byte[] readAllByPosition(final FileChannel channel) throws IOException {
    final ByteBuffer buffer = ByteBuffer.allocateDirect(CONTENT.length);
    while (buffer.hasRemaining() && channel.read(buffer, buffer.position()) > 0) {}
    final byte[] read = new byte[buffer.position()];
    buffer.flip().get(read);
    return read;
  }

  private static byte[] scatter(final FileChannel channel) throws IOException {
    channel.position(0);
    final ByteBuffer[] buffers = {
      ByteBuffer.allocate(KIB), ByteBuffer.allocate(CONTENT.length - KIB)
    };
    while (buffers[1].hasRemaining() && channel.read(buffers) > 0) {}
    return MirroredTier.joined(buffers[0].array(), KIB, buffers[1].array());
  }

  private static byte[] transferAll(final FileChannel channel) throws IOException {
    final ByteArrayOutputStream sent = new ByteArrayOutputStream();
    final WritableByteChannel target = Channels.newChannel(sent);
    long more = 1;
    while (sent.size() < CONTENT.length && more > 0) {
      more = channel.transferTo(sent.size(), CONTENT.length - sent.size(), target);
    }
    return sent.toByteArray();
  }

  private static ModelRun started(final String tier, final String... settings) throws Exception {
    return MirroredTier.model(List.of(tier), settings);
  }

  private static void failReads(final ModelRun run, final String... names) throws IOException {
    final List<Path> files = new ArrayList<>();
    for (final String name : names) {
      files.add(NameLook.target(run.real(name)));
    }
    run.disk.faults().failReads(files::contains);
  }

  private static Path whole(final ModelRun run, final String name) throws IOException {
    return MirrorName.whole(
        run.real("home0"), MirrorName.ofTierFile(NameLook.target(run.real(name))));
  }

  private static boolean tierFailed(final ModelRun run) {
    return run.store().tiers().get(0).get(0).failed();
  }

  private static boolean isAtHome(final ModelRun run, final String name) {
    return !Files.isSymbolicLink(run.real(name));
  }

  @Test
  void readsOfADeadTierGoOnWithTheMirror() throws Exception {
    for (final String tier : TIERS) {
      for (final Map.Entry<String, Reading> reading : READINGS.entrySet()) {
        try (ModelRun run = started(tier);
            FileChannel channel = run.open(FIRST)) {
          append(channel, CONTENT);
          run.open(SECOND).close();
          await("it is whole", () -> Files.exists(whole(run, FIRST)));
          run.disk.faults().breakDown(run.real("tier00"), ANSWERED_BY_NO_DEAD_DEVICE);
          final String what = reading.getKey() + " of a " + tier + " tier";
          assertThat(reading.getValue().of(channel)).as(what).isEqualTo(CONTENT);
          assertThat(isAtHome(run, FIRST)).as(what).isTrue();
          assertThat(Files.readAllBytes(run.real(FIRST))).as(what).isEqualTo(CONTENT);
          assertThat(tierFailed(run)).as(what).isTrue();
          run.disk.faults().heal();
        }
      }
    }
  }

  @Test
  void readsOfAGrowingSegmentGoOnAndSoDoItsAppends() throws Exception {
    for (final String tier : TIERS) {
      for (final Map.Entry<String, Reading> reading : READINGS.entrySet()) {
        try (ModelRun run = started(tier);
            FileChannel channel = run.open(FIRST)) {
          append(channel, CONTENT);
          failReads(run, FIRST);
          final String what = reading.getKey() + " of a " + tier + " tier";
          assertThat(reading.getValue().of(channel)).as(what).isEqualTo(CONTENT);
          channel.position(CONTENT.length);
          append(channel, bytes(KIB, 2));
          assertThat(Files.readAllBytes(run.real(FIRST)))
              .as(what)
              .isEqualTo(MirroredTier.joined(CONTENT, CONTENT.length, bytes(KIB, 2)));
          assertThat(run.store().facts().incidents()).containsEntry(Incident.DEVICE_FAULT, 1L);
        }
      }
    }
  }

  /** As a program reads that copies sealed segments elsewhere. */
  @Test
  void aSegmentOfADeadTierIsOpenedToBeRead() throws Exception {
    try (ModelRun run = started("file");
        FileChannel channel = run.open(FIRST)) {
      append(channel, CONTENT);
      run.disk.faults().breakDown(run.real("tier00"), ANSWERED_BY_NO_DEAD_DEVICE);
      try (FileChannel reader =
          run.store().open(run.path(FIRST), Set.of(StandardOpenOption.READ))) {
        assertThat(readAll(reader)).isEqualTo(CONTENT);
      }
      run.disk.faults().heal();
    }
  }

  /** Home has no room, so nothing is mirrored there; what is there already needs none. */
  @Test
  void aWholeMirrorIsTakenWhileMirrorsAreSuspended() throws Exception {
    try (ModelRun run = started("file");
        FileChannel channel = run.open(FIRST);
        FileChannel other = run.open(OTHER)) {
      append(channel, CONTENT);
      run.open(SECOND).close();
      await("it is whole", () -> Files.exists(whole(run, FIRST)));
      run.disk.faults().fillFiles(run.real("home0"));
      append(other, bytes(KIB, 2));
      await("suspended", () -> run.store().facts().mirrors().get(0).suspended());
      failReads(run, FIRST, OTHER);
      assertThat(readAll(channel)).isEqualTo(CONTENT);
      assertThatThrownBy(() -> readAll(other)).isInstanceOf(IOException.class);
      assertThat(isAtHome(run, FIRST)).isTrue();
      assertThat(isAtHome(run, OTHER)).isFalse();
      run.disk.faults().heal();
      assertThat(readAll(other)).isEqualTo(bytes(KIB, 2));
    }
  }

  @Test
  void aMirrorThatLacksBytesIsNotTaken() throws Exception {
    for (final Map.Entry<String, Reading> reading : READINGS.entrySet()) {
      try (ModelRun run = started("file", "headpond.home.reserve", "1000TiB");
          FileChannel channel = run.open(FIRST)) {
        append(channel, CONTENT);
        final Path file = NameLook.target(run.real(FIRST));
        failReads(run, FIRST);
        for (int i = 0; i < 2; i++) {
          assertThatThrownBy(() -> reading.getValue().of(channel))
              .as(reading.getKey())
              .isInstanceOf(IOException.class)
              .hasMessageContainingAll("HP0310", run.real(FIRST).toString(), file.toString());
        }
        assertThat(isAtHome(run, FIRST)).as(reading.getKey()).isFalse();
        run.disk.faults().heal();
        assertThat(reading.getValue().of(channel)).as(reading.getKey()).isEqualTo(CONTENT);
      }
    }
  }

  @Test
  void withoutAMirrorAReadThatFailsMovesNothing() throws Exception {
    for (final Map.Entry<String, Reading> reading : READINGS.entrySet()) {
      try (ModelRun run = new ModelRun(ModelRun.Setup.of(false, "file"), 1)) {
        run.disk.createDirectory(run.real("home0/t-0"));
        run.start();
        try (FileChannel channel = run.open(FIRST)) {
          append(channel, CONTENT);
          failReads(run, FIRST);
          assertThatThrownBy(() -> reading.getValue().of(channel)).isInstanceOf(IOException.class);
          assertThat(isAtHome(run, FIRST)).isFalse();
          assertThat(tierFailed(run)).isFalse();
        }
      }
    }
  }

  /** The reader waits for what that append brings home. */
  @Test
  void aReadWaitsForAnAppendThatLeavesTheTier() throws Exception {
    for (final Map.Entry<String, Reading> reading : READINGS.entrySet()) {
      try (ModelRun run = started("file");
          FileChannel channel = run.open(FIRST)) {
        append(channel, CONTENT);
        final Path file = NameLook.target(run.real(FIRST));
        final HungCalls hung =
            new HungCalls(
                run.disk,
                (call, path) ->
                    call == ModelFaults.Call.READ
                        && path.equals(file)
                        && Thread.currentThread().getName().startsWith("headpond-mirror"));
        final FutureTask<byte[]> appended =
            started(
                () -> {
                  channel.write(ByteBuffer.wrap(bytes(KIB, 2)), CONTENT.length);
                  return null;
                });
        final FutureTask<byte[]> read;
        try {
          await("it is mirrored", () -> hung.hanging("headpond-mirror") == 1);
          failReads(run, FIRST);
          final Segment segment = ((SegmentChannel) channel).segment();
          read = started(() -> reading.getValue().of(channel));
          await("the reader has the segment", segment.lock::isLocked);
        } finally {
          hung.close();
        }
        assertThat(read.get(20, TimeUnit.SECONDS)).as(reading.getKey()).isEqualTo(CONTENT);
        appended.get(20, TimeUnit.SECONDS);
        assertThat(Files.readAllBytes(run.real(FIRST)))
            .as(reading.getKey())
            .isEqualTo(MirroredTier.joined(CONTENT, CONTENT.length, bytes(KIB, 2)));
      }
    }
  }

  private static FutureTask<byte[]> started(final Callable<byte[]> what) {
    final FutureTask<byte[]> task = new FutureTask<>(what);
    new Thread(task).start();
    return task;
  }

  /** As a consumer that has gone. */
  private static final class BrokenTarget implements WritableByteChannel {
    @Override
    public int write(final ByteBuffer source) throws IOException {
      throw new IOException("Broken pipe");
    }

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public void close() {}
  }

  @Test
  void aTargetThatFailsIsNotTheTiersFault() throws Exception {
    try (ModelRun run = started("file");
        FileChannel channel = run.open(FIRST)) {
      append(channel, CONTENT);
      assertThatThrownBy(() -> channel.transferTo(0, CONTENT.length, new BrokenTarget()))
          .isExactlyInstanceOf(IOException.class)
          .hasMessage("Broken pipe");
      assertThat(isAtHome(run, FIRST)).isFalse();
      assertThat(tierFailed(run)).isFalse();
      failReads(run, FIRST);
      assertThatThrownBy(() -> channel.transferTo(0, CONTENT.length, new BrokenTarget()))
          .hasMessage("Broken pipe");
      assertThat(isAtHome(run, FIRST)).isTrue();
    }
  }

  @Test
  void anInterruptedReadIsNotTheTiersFault() throws Exception {
    try (ModelRun run = started("file")) {
      for (final Map.Entry<String, Reading> reading : READINGS.entrySet()) {
        try (FileChannel channel = run.open(FIRST)) {
          append(channel, CONTENT);
          Thread.currentThread().interrupt();
          assertThatThrownBy(() -> reading.getValue().of(channel))
              .isInstanceOf(ClosedByInterruptException.class);
          assertThat(Thread.interrupted()).isTrue();
          assertThat(channel.isOpen()).isFalse();
        }
      }
      assertThat(isAtHome(run, FIRST)).isFalse();
      assertThat(tierFailed(run)).isFalse();
    }
  }

  @Test
  void readersThatFailTogetherMoveTheSegmentOnce() throws Exception {
    try (ModelRun run = started("file");
        FileChannel channel = run.open(FIRST)) {
      append(channel, CONTENT);
      failReads(run, FIRST);
      final CyclicBarrier begin = new CyclicBarrier(READERS);
      final List<FutureTask<byte[]>> readers = new ArrayList<>();
      for (int i = 0; i < READERS; i++) {
        final Reading reading =
            i % 2 == 0 ? MirrorReadTest::readAllByPosition : MirrorReadTest::transferAll;
        readers.add(
            started(
                () -> {
                  begin.await();
                  return reading.of(channel);
                }));
      }
      for (final FutureTask<byte[]> reader : readers) {
        assertThat(reader.get(20, TimeUnit.SECONDS)).isEqualTo(CONTENT);
      }
      assertThat(run.store().counters().sum(Count.EVACUATED_SEGMENTS)).isEqualTo(1);
    }
  }
}
