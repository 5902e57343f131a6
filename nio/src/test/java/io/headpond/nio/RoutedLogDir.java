// SPDX-License-Identifier: Apache-2.0
package io.headpond.nio;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.store.config.ConfigException;
import io.headpond.store.config.StoreConfig;
import io.headpond.store.event.StoreRefusedException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.spi.FileSystemProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A log directory that our provider routes to a store with one tier, for one test. */
abstract class RoutedLogDir {
  private static final FileSystemProvider BUILT_IN = FileSystems.getDefault().provider();
  static final String FIRST = "00000000000000000000.log";
  static final String SECOND = "00000000000000000042.log";
  private static final long AWAIT_NANOS_MAX = 20_000_000_000L;

  /** The built-in provider's paths. */
  @TempDir Path folder;

  /** Refusals that ended the process, were it not the test's. */
  final List<StoreRefusedException> ended = new ArrayList<>();

  Path tier;
  Router router;

  /** Our provider's. */
  Path logDir;

  Path partition;

  @BeforeEach
  void makeLogDirectory() throws IOException, ConfigException {
    tier = Files.createDirectory(folder.resolve("tier"));
    start(Files.createDirectory(folder.resolve("log dir ü")).toString());
  }

  void start(final String logDirs) throws IOException, ConfigException {
    start(logDirs, "64MiB");
  }

  void start(final String logDirs, final String capacity) throws IOException, ConfigException {
    final Properties properties = new Properties();
    properties.setProperty("headpond.tiers", "fast");
    properties.setProperty("headpond.durability", "append"); // files are grown ahead
    properties.setProperty("headpond.tier.fast.paths", tier.toString());
    properties.setProperty("headpond.tier.fast.capacity", capacity);
    properties.setProperty("log.dirs", logDirs);
    router =
        new Router(
            StoreConfig.parse(properties, "test", folder.getFileSystem()),
            folder.getFileSystem(),
            ended::add);
    final HeadpondFileSystemProvider provider = new HeadpondFileSystemProvider(BUILT_IN, router);
    logDir = provider.getPath(folder.resolve("log dir ü").toUri());
    partition = Files.createDirectories(logDir.resolve("t-0"));
  }

  @AfterEach
  void stop() throws IOException {
    router.store().close();
  }

  void claim() throws IOException {
    FileChannel.open(
            logDir.resolve(".lock"),
            Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE))
        .close();
  }

  static Path unwrapped(final Path path) {
    return HeadpondPath.unwrap(path);
  }

  /** By their names only: one may be deleted between a listing and a look at it. */
  List<Path> tierFiles() throws IOException {
    final List<Path> found = new ArrayList<>();
    try (DirectoryStream<Path> homes = Files.newDirectoryStream(tier.resolve("segments"))) {
      for (final Path home : homes) {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(home)) {
          files.forEach(found::add);
        }
      }
    }
    return found;
  }

  void awaitNoTierFile() throws IOException {
    final long deadline = System.nanoTime() + AWAIT_NANOS_MAX;
    while (!tierFiles().isEmpty() && System.nanoTime() < deadline) {
      LockSupport.parkNanos(1_000_000);
    }
    assertThat(tierFiles()).isEmpty();
  }
}
