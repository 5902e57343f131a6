// SPDX-License-Identifier: Apache-2.0
package io.headpond.nio;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.store.MountedTmpfs;
import io.headpond.store.config.StoreConfig;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.spi.FileSystemProvider;
import java.util.Properties;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** What Kafka writes through the provider, in a log directory that is full. */
@EnabledIf("io.headpond.store.MountedTmpfs#allowed")
class FullLogDirTest {
  private static final FileSystemProvider BUILT_IN = FileSystems.getDefault().provider();
  private static final byte[] CONTENT = new byte[64 << 10];
  private static final long AWAIT_NANOS_MAX = 20_000_000_000L;

  /** The built-in provider's paths. */
  @TempDir Path folder;

  private MountedTmpfs home;
  private Router router;

  /** Our provider's. */
  private Path logDir;

  private Path others;

  @BeforeEach
  void fillALogDirectory() throws Exception {
    home = new MountedTmpfs("size=8m");
    Files.createDirectory(folder.resolve("tier"));
    start();
    Files.createDirectory(logDir.resolve("__cluster_metadata-0"));
    claim();
    others = home.path().resolve("others");
    fill();
  }

  private void start() throws Exception {
    final Properties properties = new Properties();
    properties.setProperty("headpond.tiers", "fast");
    properties.setProperty("headpond.tier.fast.paths", folder.resolve("tier").toString());
    properties.setProperty("headpond.tier.fast.capacity", "64MiB");
    properties.setProperty("headpond.home.reserve", "1MiB");
    properties.setProperty("log.dirs", home.path().toString());
    router =
        new Router(
            StoreConfig.parse(properties, "test", folder.getFileSystem()),
            folder.getFileSystem(),
            refusal -> {});
    logDir = new HeadpondFileSystemProvider(BUILT_IN, router).getPath(home.path().toUri());
  }

  private void claim() throws IOException {
    FileChannel.open(logDir.resolve(".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)
        .close();
  }

  private void fill() throws IOException {
    try (FileChannel channel =
        FileChannel.open(others, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      final byte[] page = new byte[4096];
      for (long at = 0; Files.getFileStore(others).getUsableSpace() > 0; at += page.length) {
        channel.write(ByteBuffer.wrap(page), at);
      }
    }
  }

  @AfterEach
  void unmount() throws IOException {
    router.store().close();
    home.close();
  }

  /** It waits as long as nothing is free, and then finds room. */
  private void assertWaits(final Callable<?> write) throws Exception {
    final FutureTask<?> task = new FutureTask<>(write);
    final Thread engine = new Thread(task, "headpond-test-engine");
    engine.setDaemon(true);
    engine.start();
    final long end = System.nanoTime() + AWAIT_NANOS_MAX;
    while (!waits(engine) && !task.isDone()) {
      assertThat(System.nanoTime()).isLessThan(end);
      LockSupport.parkNanos(100_000);
    }
    assertThat(task.isDone()).isFalse();
    Files.delete(others);
    task.get(20, TimeUnit.SECONDS);
  }

  /** The thread itself, or the one that works for its stream. */
  private static boolean waits(final Thread engine) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(each -> each == engine || each.getName().equals(UninterruptedChannel.THREAD))
        .anyMatch(each -> each.getState() == Thread.State.TIMED_WAITING);
  }

  @Test
  void theClustersMetadataWaitForRoom() throws Exception {
    Files.delete(others);
    final Path segment = logDir.resolve("__cluster_metadata-0").resolve("0.log");
    try (FileChannel channel =
        FileChannel.open(segment, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      fill();
      assertWaits(() -> channel.write(ByteBuffer.wrap(CONTENT)));
    }
    assertThat(segment).hasSize(CONTENT.length);
  }

  /** Kafka opens the log of the cluster's metadata before it takes the log directory's lock. */
  @Test
  void theMetadataLogOfABrokerThatStartsWaitsForRoom() throws Exception {
    router.store().close();
    Files.delete(others);
    start();
    final Path segment = logDir.resolve("__cluster_metadata-0").resolve("00000000000000000000.log");
    try (FileChannel channel =
        FileChannel.open(segment, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap(CONTENT));
      fill();
      assertWaits(() -> channel.write(ByteBuffer.wrap(CONTENT)));
    }
    assertThat(segment).hasSize(2L * CONTENT.length);
  }

  @Test
  void aStreamWaitsForRoomToo() throws Exception {
    final Path file = logDir.resolve("__cluster_metadata-0").resolve("any");
    assertWaits(() -> Files.write(file, CONTENT));
    assertThat(file).hasSize(CONTENT.length);
  }

  @Test
  void nothingWaitsElsewhere() throws Exception {
    final Path elsewhere = logDir.getFileSystem().getPath(folder.resolve("any").toString());
    Files.write(elsewhere, CONTENT);
    assertThat(elsewhere).hasSize(CONTENT.length);
  }
}
