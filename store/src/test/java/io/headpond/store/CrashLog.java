// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * One log of the crash test's engine: does to its partition directory what Kafka does, and says
 * what it is about to give up before it does so, and what it has got after it has.
 */
final class CrashLog {
  private static final Set<StandardOpenOption> OPEN =
      Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);

  private final TieredStore store;
  private final Path directory;
  private final int id;
  private final int segmentBytes;
  private final int round;
  private final Random random;
  private final Consumer<String> events;

  private final TreeMap<Long, FileChannel> segments = new TreeMap<>();
  private final TreeMap<Long, Long> starts = new TreeMap<>();
  private long end;
  private int generation;
  private int epoch;

  CrashLog(
      final TieredStore store,
      final Path directory,
      final int id,
      final int segmentBytes,
      final int round,
      final Random random,
      final Consumer<String> events) {
    this.store = store;
    this.directory = directory;
    this.id = id;
    this.segmentBytes = segmentBytes;
    this.round = round;
    this.random = random;
    this.events = events;
    epoch = round * 100_000;
  }

  private static Path ending(final Path name, final String ending) {
    return name.resolveSibling(name.getFileName() + ending);
  }

  private Path name(final long base) {
    return StoreFixture.segment(directory, base);
  }

  void run(final BooleanSupplier stopped) throws IOException {
    recover();
    while (!stopped.getAsBoolean()) {
      final int what = random.nextInt(1_000);
      if (what < 900) {
        append();
      } else if (what < 930) {
        active().force(random.nextBoolean());
      } else if (what < 950) {
        readSome();
      } else if (what < 970) {
        compact();
      } else if (what < 980) {
        truncate();
      } else if (what < 983) {
        drop();
      } else if (what < 990) {
        reopen();
      }
      if (segments.size() > 5) {
        retain();
      }
    }
    for (final FileChannel channel : segments.values()) {
      channel.close();
    }
  }

  private FileChannel active() {
    return segments.lastEntry().getValue();
  }

  /** As the engine starts on what a crash left. */
  private void recover() throws IOException {
    removeDropped();
    if (!Files.isDirectory(directory)) {
      begin();
      return;
    }
    final List<Path> names = list(directory);
    for (final Path path : names) {
      if (path.toString().endsWith(".cleaned") || path.toString().endsWith(".deleted")) {
        store.delete(path);
      } else if (path.toString().endsWith(".swap")) {
        final String text = path.toString();
        store.move(
            path,
            path.resolveSibling(Path.of(text.substring(0, text.length() - 5)).getFileName()),
            StandardCopyOption.ATOMIC_MOVE);
      }
    }
    final List<Path> logs = list(directory);
    logs.removeIf(path -> !path.toString().endsWith(".log"));
    if (logs.isEmpty()) {
      begin();
      return;
    }
    for (final Path path : logs) {
      open(path, path.equals(logs.get(logs.size() - 1)));
    }
    say("R", generation, segments.firstKey(), end, ++epoch);
  }

  private void open(final Path path, final boolean last) throws IOException {
    final FileChannel channel = store.open(path, OPEN);
    final long base = Long.parseLong(path.getFileName().toString().substring(0, 20));
    segments.put(base, channel);
    end = base;
    int at = 0;
    for (final CrashRecord.Found found : CrashRecord.parse(id, all(channel))) {
      generation = found.record().generation();
      starts.put(found.record().sequence(), (long) at);
      at = found.endsAt();
      end = found.record().sequence() + 1;
    }
    if (at != channel.size() && !last) {
      throw new IOException(path + ": a segment in the middle ends at " + at);
    }
    channel.truncate(at);
    channel.position(at);
  }

  private static byte[] all(final FileChannel channel) throws IOException {
    final ByteBuffer buffer = ByteBuffer.allocate((int) channel.size());
    while (buffer.hasRemaining() && channel.read(buffer, buffer.position()) >= 0) {}
    return buffer.array();
  }

  /** Finishes what was being dropped; a log is dropped without its old data being required. */
  private void removeDropped() throws IOException {
    for (final Path path : list(directory.getParent())) {
      final String name = path.getFileName().toString();
      if (name.startsWith(directory.getFileName() + ".") && name.endsWith("-delete")) {
        remove(path);
      }
    }
  }

  private void remove(final Path dropped) throws IOException {
    for (final Path path : list(dropped)) {
      store.delete(path);
    }
    store.delete(dropped);
  }

  private static List<Path> list(final Path directory) throws IOException {
    try (Stream<Path> paths = Files.list(directory)) {
      return new ArrayList<>(paths.sorted().toList());
    }
  }

  private void begin() throws IOException {
    generation = ++epoch;
    end = 0;
    say("N", generation, epoch);
    Files.createDirectories(directory);
    segments.put(0L, store.open(name(0), OPEN));
  }

  private void say(final String event, final long... values) {
    final StringBuilder line = new StringBuilder(event).append(' ').append(id);
    for (final long value : values) {
      line.append(' ').append(value);
    }
    events.accept(line.toString());
  }

  private void append() throws IOException {
    final byte[] record = new CrashRecord(id, generation, epoch, end).bytes();
    FileChannel channel = active();
    if (channel.size() + record.length > segmentBytes && channel.size() > 0) {
      channel = store.open(name(end), OPEN);
      segments.put(end, channel);
    }
    starts.put(end, channel.position());
    StoreFixture.append(channel, record);
    say("A", end);
    end++;
  }

  private void readSome() throws IOException {
    if (end > segments.lastKey()) {
      final long sequence = segments.lastKey() + random.nextInt((int) (end - segments.lastKey()));
      final long at = starts.get(sequence);
      final int length = (int) (starts.getOrDefault(sequence + 1, active().size()) - at);
      final ByteBuffer read = ByteBuffer.allocate(length);
      while (read.hasRemaining() && active().read(read, at + read.position()) >= 0) {}
      if (CrashRecord.parse(id, read.array()).size() != 1) {
        throw new IOException(directory + ": record " + sequence + " reads wrongly");
      }
    }
  }

  /** A segment is written anew and replaces the old one, in the steps of a compaction. */
  private void compact() throws IOException {
    if (segments.size() < 2) {
      return;
    }
    final List<Long> sealed = List.copyOf(segments.headMap(segments.lastKey()).keySet());
    final long base = sealed.get(random.nextInt(sealed.size()));
    final FileChannel old = segments.get(base);
    final FileChannel cleaned = store.open(ending(name(base), ".cleaned"), OPEN);
    StoreFixture.append(cleaned, all(old));
    cleaned.force(true);
    final Path swap = ending(name(base), ".swap");
    store.move(ending(name(base), ".cleaned"), swap, StandardCopyOption.ATOMIC_MOVE);
    if (random.nextBoolean()) {
      final Path deleted = ending(name(base), ".deleted");
      store.move(name(base), deleted, StandardCopyOption.ATOMIC_MOVE);
      store.move(swap, name(base), StandardCopyOption.ATOMIC_MOVE);
      store.delete(deleted);
    } else {
      store.move(swap, name(base), StandardCopyOption.ATOMIC_MOVE);
    }
    segments.put(base, cleaned);
    old.close();
  }

  private void retain() throws IOException {
    final long base = segments.firstKey();
    say("S", segments.higherKey(base));
    final FileChannel old = segments.remove(base);
    remove(base, old);
    starts.headMap(segments.firstKey()).clear();
  }

  private void remove(final long base, final FileChannel channel) throws IOException {
    final Path deleted = ending(name(base), ".deleted");
    store.move(name(base), deleted, StandardCopyOption.ATOMIC_MOVE);
    if (random.nextBoolean()) {
      channel.close();
    }
    store.delete(deleted);
    channel.close();
  }

  private void truncate() throws IOException {
    final long start = segments.firstKey();
    if (end - start < 2) {
      return;
    }
    final long to = Math.max(start + 1, end - 1 - random.nextInt(30));
    say("T", to, ++epoch);
    while (segments.lastKey() > to) {
      final long base = segments.lastKey();
      remove(base, segments.remove(base));
    }
    final long position = starts.get(to);
    starts.tailMap(to).clear();
    end = to;
    if (segments.lastKey() == to) {
      active().truncate(0).position(0);
    } else {
      active().truncate(position).position(position);
    }
  }

  private void drop() throws IOException {
    say("X");
    final Path dropped =
        directory.resolveSibling(directory.getFileName() + "." + epoch + "-delete");
    store.move(directory, dropped, StandardCopyOption.ATOMIC_MOVE);
    final boolean closeFirst = random.nextBoolean();
    for (final FileChannel channel : segments.values()) {
      if (closeFirst) {
        channel.close();
      }
    }
    remove(dropped);
    for (final FileChannel channel : segments.values()) {
      channel.close();
    }
    segments.clear();
    starts.clear();
    begin();
  }

  private void reopen() throws IOException {
    final long base = segments.lastKey();
    final long position = active().position();
    active().close();
    final FileChannel channel = store.open(name(base), OPEN);
    if (channel.size() != position) {
      throw new IOException(name(base) + ": " + channel.size() + " B instead of " + position);
    }
    segments.put(base, channel.position(position));
  }
}
