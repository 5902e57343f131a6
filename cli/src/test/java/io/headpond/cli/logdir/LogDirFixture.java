// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;

/**
 * A log directory on disk as a broker with Headpond leaves it: partitions, segments with real
 * record batches, tiers and links, after docs/on-disk-format.md.
 */
public final class LogDirFixture {
  final Path logDir;
  final UUID home = UUID.randomUUID();
  private final Path root;
  private final Map<String, UUID> tiers = new LinkedHashMap<>();
  private int files;

  LogDirFixture(Path root) throws IOException {
    this.root = root;
    this.logDir = Files.createDirectories(root.resolve("log dir ü"));
    Files.createFile(logDir.resolve(".lock")); // a broker leaves it
  }

  /** Adds a tier directory and names it in the log directory's identity. */
  Path tier(String name) throws IOException {
    Path tier = tierPath(name);
    UUID id = UUID.randomUUID();
    Files.createDirectories(segments(name));
    Files.writeString(
        tier.resolve(".headpond"), "format=1\nid=" + id + "\nkind=tier\ntier=" + name);
    tiers.put(name, id);
    StringBuilder text = new StringBuilder("format=1\nid=" + home + "\nkind=home\n");
    int index = 0;
    for (Map.Entry<String, UUID> known : tiers.entrySet()) {
      String key = "tier." + known.getKey() + "." + index++;
      text.append(key + "=" + known.getValue() + " " + tierPath(known.getKey()) + "\n");
    }
    Files.writeString(logDir.resolve(".headpond"), text);
    return tier;
  }

  Path tierPath(String name) {
    return root.resolve("tier " + name);
  }

  Path segments(String tier) {
    return tierPath(tier).resolve("segments").resolve(home.toString());
  }

  /** The counters of an owner of tier pmem, as it has left them. */
  void publish(String counters) throws IOException {
    Files.writeString(
        tierPath("pmem").resolve(".headpond.live"),
        "pid=4711\nstarted.ms=1700000000000\nupdated.ms=1700000001000\n" + counters);
  }

  /** A process that owns tier pmem, as a running broker does. */
  LockHolder owner() throws IOException {
    return new LockHolder(tierPath("pmem").resolve(".headpond.lock"));
  }

  void stoppedCleanly() throws IOException {
    Files.writeString(logDir.resolve(".kafka_cleanshutdown"), "{\"version\":0}");
  }

  /** A plain segment at home. */
  Path homeSegment(String partition, long base, byte[] content) throws IOException {
    return Files.write(name(partition, base), content);
  }

  /** A segment in a tier, linked from the log directory. */
  Path tierSegment(String tier, String partition, long base, byte[] content) throws IOException {
    Path name = name(partition, base);
    String unique = String.format("%s.%s.%016x", partition, name.getFileName(), ++files);
    Path file = Files.write(segments(tier).resolve(unique), content);
    return Files.createSymbolicLink(name, file);
  }

  /** Moves a partition directory to another disk, with a link in its place. */
  Path linkedDirectory(String partition) throws IOException {
    Path link = logDir.resolve(partition);
    Path disk = Files.createDirectories(root.resolve("other disk"));
    return Files.createSymbolicLink(link, Files.move(link, disk.resolve(partition)));
  }

  private Path name(String partition, long base) throws IOException {
    Path directory = Files.createDirectories(logDir.resolve(partition));
    return directory.resolve(String.format("%020d.log", base));
  }

  /** Record batches, ten records each, from an offset on. */
  public static byte[] batches(long base, int batches) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int batch = 0; batch < batches; batch++) {
      SimpleRecord[] records = new SimpleRecord[10];
      for (int i = 0; i < records.length; i++) {
        String text = "record " + (base + batch * 10L + i) + " ";
        records[i] = new SimpleRecord(1_700_000_000_000L + i, text.repeat(20).getBytes(UTF_8));
      }
      ByteBuffer buffer =
          MemoryRecords.withRecords(base + batch * 10L, Compression.NONE, records).buffer();
      byte[] bytes = new byte[buffer.remaining()];
      buffer.get(bytes);
      out.writeBytes(bytes);
    }
    return out.toByteArray();
  }

  /** A file of a device that can't read it, though it has a length. */
  static Path unreadable() throws IOException {
    Path file = Path.of("/sys/class/net/lo/speed");
    boolean fails = false;
    try {
      fails = Files.size(file) > 0 && Files.readAllBytes(file).length < 0;
    } catch (IOException e) {
      fails = Files.exists(file);
    }
    assumeTrue(fails, "the kernel shows no file here that can't be read");
    return file;
  }

  /** The same bytes with zeros behind them. */
  static byte[] zeroTail(byte[] content, int zeros) {
    return java.util.Arrays.copyOf(content, content.length + zeros);
  }

  /** Every file below a directory, with its bytes: to show that a command changed nothing. */
  static Map<String, String> contents(Path directory) throws IOException {
    Map<String, String> found = new LinkedHashMap<>();
    try (var walk = Files.walk(directory)) {
      walk.sorted()
          .forEach(
              path -> {
                try {
                  String what =
                      Files.isSymbolicLink(path)
                          ? "-> " + Files.readSymbolicLink(path)
                          : Files.isDirectory(path)
                              ? "directory"
                              : java.util.HexFormat.of().formatHex(Files.readAllBytes(path));
                  found.put(directory.relativize(path).toString(), what);
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
    }
    return found;
  }
}
