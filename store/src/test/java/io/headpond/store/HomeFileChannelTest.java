// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import static io.headpond.store.StoreFixture.await;
import static io.headpond.store.StoreFixture.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headpond.store.facts.TimeSource;
import io.headpond.store.home.HomeSpace;
import io.headpond.store.segment.HomeFileChannel;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.FileLockInterruptionException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What an engine writes at home besides the store's segments: its metadata, its snapshots. */
class HomeFileChannelTest {
  private static final Set<StandardOpenOption> NEW =
      Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);
  private static final int LENGTH = 1_000;

  private ModelRun run;
  private FileChannel channel;

  @BeforeEach
  void open() throws IOException {
    open(TimeSource.SYSTEM);
  }

  private void open(final TimeSource time) throws IOException {
    run = new ModelRun(ModelRun.Setup.of(false, "file"), 3);
    run.with("headpond.home.ballast", "64MiB").with(time).start();
    run.disk.createDirectory(run.real("home0/__cluster_metadata-0"));
    channel = run.store().openAtHome(file(), NEW);
  }

  @AfterEach
  void remove() throws IOException {
    channel.close();
    run.close();
  }

  private Path file() {
    return run.path("home0/__cluster_metadata-0/00000000000000000000.log");
  }

  private void fill() {
    run.disk.faults().fill(run.real("home0"));
    run.store().homes().spaces().forEach(HomeSpace::refresh);
  }

  private static ByteBuffer some(final int seed) {
    return ByteBuffer.wrap(bytes(LENGTH, seed));
  }

  @Test
  void noByteIsWrittenWithoutRoomAndItGoesOnWithRoom() throws Exception {
    remove();
    open(new HastyTime());
    assertThat(channel.write(some(1))).isEqualTo(LENGTH);
    fill();
    assertThatThrownBy(() -> channel.write(some(2))).hasMessageContaining("HP0321");
    assertThat(channel.size()).isEqualTo(LENGTH);
    run.disk.faults().heal();
    assertThat(channel.write(some(2))).isEqualTo(LENGTH);
    assertThat(channel.size()).isEqualTo(2 * LENGTH);
  }

  @Test
  void everyWayToWriteWaitsForRoom() throws Exception {
    fill();
    final List<Callable<?>> ways =
        List.of(
            () -> channel.write(some(1)),
            () -> channel.write(some(1), LENGTH),
            () -> channel.write(new ByteBuffer[] {some(1)}, 0, 1),
            () -> channel.transferFrom(Channels.newChannel(InputStream.nullInputStream()), 0, 1));
    final List<FutureTask<?>> writes = new ArrayList<>();
    for (final Callable<?> way : ways) {
      final FutureTask<?> write = new FutureTask<>(way);
      writes.add(write);
      final Thread engine = new Thread(write, "headpond-test-engine");
      engine.setDaemon(true);
      engine.start();
      await("it waits", () -> engine.getState() == Thread.State.TIMED_WAITING || write.isDone());
      assertThat(write.isDone()).isFalse();
    }
    run.disk.faults().heal();
    for (final FutureTask<?> write : writes) {
      write.get(20, TimeUnit.SECONDS);
    }
  }

  @Test
  void itDoesWhatTheFilesOwnChannelDoes() throws Exception {
    channel.write(new ByteBuffer[] {some(1), some(2)}, 0, 2);
    channel.write(some(3), 2 * LENGTH);
    assertThat(channel.position()).isEqualTo(2 * LENGTH);
    channel.position(3 * LENGTH);
    channel.force(true);
    final ByteBuffer read = ByteBuffer.allocate(LENGTH);
    channel.read(read, LENGTH);
    assertThat(read.array()).isEqualTo(some(2).array());
    channel.position(0).read(new ByteBuffer[] {read.clear()}, 0, 1);
    assertThat(read.array()).isEqualTo(some(1).array());
    try (FileChannel copy =
        run.store().openAtHome(file().resolveSibling("00000000000000000003.snapshot"), NEW)) {
      assertThat(copy.transferFrom(channel.position(0), 0, LENGTH)).isEqualTo(LENGTH);
      assertThat(
              channel.transferTo(
                  LENGTH, LENGTH, Channels.newChannel(OutputStream.nullOutputStream())))
          .isEqualTo(LENGTH);
      assertThat(copy.truncate(10).size()).isEqualTo(10);
    }
    try (FileLock lock = channel.tryLock(0, 1, false)) {
      assertThat(lock.isValid()).isTrue();
    }
  }

  @Test
  void anInterruptClosesItAsItClosesAFile() throws Exception {
    assertInterruptCloses(own -> own.write(some(1)), ClosedByInterruptException.class);
    assertInterruptCloses(FileChannel::lock, FileLockInterruptionException.class);
  }

  private interface Use {
    void of(FileChannel own) throws IOException;
  }

  private void assertInterruptCloses(final Use use, final Class<? extends IOException> told)
      throws IOException {
    final HomeSpace space = run.store().homes().spaces().iterator().next();
    final Path real = Files.createTempFile("headpond-home", ".file");
    try (FileChannel own =
        new HomeFileChannel(FileChannel.open(real, StandardOpenOption.WRITE), space)) {
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> use.of(own)).isInstanceOf(told);
      assertThat(Thread.interrupted()).isTrue();
      assertThat(own.isOpen()).isFalse();
    } finally {
      Files.delete(real);
    }
  }

  @Test
  void aFileElsewhereIsNoneOfIts() throws Exception {
    assertThat(run.store().openAtHome(run.path("elsewhere/t-0/file"), NEW)).isNull();
  }
}
