// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.doctor;

import io.headpond.cli.Run;
import io.headpond.nio.KafkaTimeIndex;
import io.headpond.store.TieredStore;
import io.headpond.store.config.ConfigException;
import io.headpond.store.config.StoreConfig;
import io.headpond.store.event.EventCode.Words;
import io.headpond.store.event.StartCodes;
import io.headpond.store.event.StoreRefusedException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/** A broker's tier, log directories and configuration as a real store has left them. */
final class BrokerFiles {
  private static final Set<StandardOpenOption> CREATE =
      Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);

  final Path root;
  final Path tier;
  final Path logDir;
  final Path other;
  final Path configuration;
  private final Map<String, String> keys = new LinkedHashMap<>();

  /** Empty directories. */
  BrokerFiles(Path root) throws IOException {
    this.root = root.toRealPath();
    tier = Files.createDirectory(this.root.resolve("fast"));
    logDir = Files.createDirectory(this.root.resolve("logs"));
    other = Files.createDirectory(this.root.resolve("other logs"));
    configuration = this.root.resolve("server.properties");
    set("headpond.tiers", "fast");
    set("headpond.tier.fast.paths", tier.toString());
    set("headpond.tier.fast.capacity", "64MiB");
    set("log.dirs", logDir.toString());
  }

  BrokerFiles set(String key, String value) throws IOException {
    keys.put(key, value);
    return write();
  }

  BrokerFiles unset(String key) throws IOException {
    keys.keySet().removeIf(each -> each.startsWith(key));
    return write();
  }

  private BrokerFiles write() throws IOException {
    List<String> lines =
        keys.entrySet().stream().map(each -> each.getKey() + "=" + each.getValue()).toList();
    Files.write(configuration, lines);
    return this;
  }

  BrokerFiles twoLogDirs() throws IOException {
    return set("log.dirs", logDir + "," + other);
  }

  /** A store has run, and has put a segment of each of its log directories into the tier. */
  BrokerFiles used() throws Exception {
    StoreConfig config = StoreConfig.load(configuration);
    try (TieredStore store = new TieredStore(config)) {
      store.claim();
      for (Path each : config.logDirs()) {
        try (FileChannel channel = store.open(segment(each), CREATE)) {
          channel.write(ByteBuffer.wrap(new byte[100]));
        }
      }
    }
    return this;
  }

  /** The name of the segment in a log directory. */
  static Path segment(Path logDir) throws IOException {
    return Files.createDirectories(logDir.resolve("t-0")).resolve("00000000000000000000.log");
  }

  /** The segment's file in the tier. */
  Path file() throws IOException {
    return Files.readSymbolicLink(segment(logDir));
  }

  /** Moves something away and puts nothing in its place. */
  Path away(Path path) throws IOException {
    return Files.move(path, path.resolveSibling(path.getFileName() + ".away"));
  }

  Path identity(Path directory) {
    return directory.resolve(".headpond");
  }

  /** What a start says: of the whole, or of the log directory that it leaves out. */
  Optional<Words> refusal() throws IOException {
    try (TieredStore store =
        new TieredStore(StoreConfig.load(configuration), KafkaTimeIndex::newestMs)) {
      store.claim();
      for (Path each : store.config().logDirs()) {
        try {
          store.admit(each.resolve("x"));
        } catch (IOException leftOut) {
          return Optional.of(((StoreRefusedException) leftOut.getCause()).words());
        }
      }
      return Optional.empty();
    } catch (StoreRefusedException e) {
      return Optional.of(e.words());
    } catch (ConfigException e) {
      return Optional.of(StartCodes.CONFIGURATION.words(e.getMessage()));
    }
  }

  Run doctor() {
    return Run.of("doctor", "--config", configuration.toString());
  }

  /** Every name, with its bytes or where it leads, and the inode: what a start could change. */
  Map<Path, String> everything() throws IOException {
    Map<Path, String> found = new TreeMap<>();
    try (Stream<Path> paths = Files.walk(root)) {
      for (Path path : paths.toList()) {
        Object inode = Files.getAttribute(path, "unix:ino", LinkOption.NOFOLLOW_LINKS);
        found.put(path, inode + " " + what(path));
      }
    }
    return found;
  }

  private static String what(Path path) throws IOException {
    if (Files.isSymbolicLink(path)) {
      return "-> " + Files.readSymbolicLink(path);
    }
    return Files.isRegularFile(path) ? Files.readString(path, StandardCharsets.ISO_8859_1) : "";
  }

  static void delete(Path path) throws IOException {
    try (Stream<Path> paths = Files.walk(path)) {
      for (Path each : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
    }
  }
}
