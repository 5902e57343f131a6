// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import io.headpond.store.TieredStore;
import io.headpond.store.config.Internals;
import io.headpond.store.config.StoreConfig;
import java.io.IOException;
import java.io.Writer;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;

/** A log directory and a tier that a real store writes, and the configuration that says how. */
final class ExplainFixture {
  static final int MIB = 1 << 20;

  private static final Map<String, String> INTERNALS = Map.of(Internals.PREFIX + "up.after", "0s");

  final Path logDir;
  final Path tier;
  final Path config;
  final Properties properties = new Properties();
  final List<String> partitions = new ArrayList<>();

  /** Is it known when Headpond came? If not, what a test ages isn't taken for older. */
  boolean knowsWhenHeadpondCame;

  ExplainFixture(Path root) throws IOException {
    logDir = Files.createDirectory(root.toRealPath().resolve("log dir"));
    tier = Files.createDirectory(root.toRealPath().resolve("tier"));
    config = root.toRealPath().resolve("server.properties");
    properties.setProperty("log.dirs", logDir.toString());
    properties.setProperty("headpond.tiers", "fast");
    tier("fast", tier);
    properties.setProperty("headpond.home.reserve", "0");
    set("migrate.threshold", "-1");
  }

  /** Configures a tier of 16 MiB. */
  void tier(String name, Path path) {
    properties.setProperty("headpond.tier." + name + ".paths", path.toString());
    properties.setProperty("headpond.tier." + name + ".capacity", "16MiB");
  }

  /** Sets a key of Headpond's, the threshold for the tier. */
  void set(String key, String value) throws IOException {
    properties.setProperty(
        key.equals("migrate.threshold") ? "headpond.tier.fast." + key : "headpond." + key, value);
    try (Writer out = Files.newBufferedWriter(config)) {
      properties.store(out, null);
    }
  }

  TieredStore store() throws Exception {
    TieredStore store =
        new TieredStore(
            StoreConfig.parse(
                properties,
                config.toString(),
                config.getFileSystem(),
                Internals.of(INTERNALS::get)));
    store.claim();
    if (!knowsWhenHeadpondCame) {
      Path identity = logDir.resolve(".headpond");
      Files.write(
          identity,
          Files.readAllLines(identity).stream()
              .filter(line -> !line.startsWith("joined"))
              .toList());
    }
    return store;
  }

  /** A log of sealed segments of 1 MiB each, the first one the oldest, and an empty active one. */
  void log(String partition, int sealed, Duration oldest, Duration step) throws Exception {
    log(partition, sealed, MIB);
    for (int i = 0; i < sealed; i++) {
      written(partition, i, oldest.minus(step.multipliedBy(i)));
    }
  }

  /** A log of sealed segments, written now, and an empty active one. */
  void log(String partition, int sealed, int bytes) throws Exception {
    partitions.add(partition);
    Path directory = Files.createDirectory(logDir.resolve(partition));
    try (TieredStore store = store()) {
      for (int i = 0; i <= sealed; i++) {
        try (FileChannel segment =
            store.open(
                name(directory, i),
                Set.of(
                    StandardOpenOption.CREATE,
                    StandardOpenOption.READ,
                    StandardOpenOption.WRITE))) {
          segment.write(ByteBuffer.allocate(i < sealed ? bytes : 0));
        }
      }
    }
  }

  /** Lets a segment have been written so long ago. */
  void written(String partition, int number, Duration ago) throws IOException {
    Files.setLastModifiedTime(
        name(logDir.resolve(partition), number), FileTime.from(Instant.now().minus(ago)));
  }

  static Path name(Path partition, int number) {
    return partition.resolve(String.format("%020d.log", number));
  }
}
