// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * An engine that does to its logs what Kafka does, one random step after the other, and tells the
 * model before it does and after it is done.
 *
 * <p>A seed repeats what the engine does; when the store's own threads get their turn, it can't.
 */
final class ModelEngine implements AutoCloseable {
  private static final int APPEND_BYTES_MAX = 6_000;
  private static final int LARGE_APPEND_BYTES_MAX = 90_000;

  /** Enough for a log to be taken for a fast one. */
  private static final int RECYCLING_APPEND_BYTES_MAX = 400_000;

  private static final int RECYCLING_APPENDS = 3;

  private static final int DIRECTORIES = 3;

  /** A segment that the engine has open. */
  private static final class Open {
    final ModelSegment model;
    final FileChannel channel;
    String name;

    Open(final ModelSegment model, final FileChannel channel, final String name) {
      this.model = model;
      this.channel = channel;
      this.name = name;
    }
  }

  /** A log: its segments by base offset, and those that are about to be deleted. */
  private static final class Log {
    String directory;
    final TreeMap<Long, Open> segments = new TreeMap<>();
    final List<Open> deleted = new ArrayList<>();
    long nextOffset;

    Log(final String directory) {
      this.directory = directory;
    }

    Open last() {
      return segments.lastEntry().getValue();
    }
  }

  private final ModelRun run;
  private final Random random;
  private final List<Log> all = new ArrayList<>();
  private final List<String> steps = new ArrayList<>();
  private final int largeBytesMax;
  private int generation;
  private long moves;

  /** Does what comes in the middle of a migration: an append may wait for that. */
  private final ExecutorService otherThread = Executors.newSingleThreadExecutor();

  ModelEngine(final ModelRun run, final long seed) throws IOException {
    this.run = run;
    random = new Random(seed);
    largeBytesMax = run.recycles() ? RECYCLING_APPEND_BYTES_MAX : LARGE_APPEND_BYTES_MAX;
    for (int i = 0; i < (run.recycles() ? 1 : DIRECTORIES); i++) {
      final Path home = run.homes.get(i % run.homes.size());
      all.add(new Log(home.getFileName() + "/t-" + i));
    }
    run.start();
  }

  /** Segments that were moved because this engine said so. */
  long moves() {
    return moves;
  }

  /** What was done, the last of it. */
  String steps() {
    return String.join("\n  ", steps.subList(Math.max(0, steps.size() - 40), steps.size()));
  }

  private void say(final String what, final Object... with) {
    steps.add(String.format(what, with));
  }

  /** One step, and a start after it if the power went. */
  void step() throws IOException {
    final Log log = all.get(random.nextInt(all.size()));
    if (log.segments.isEmpty()) {
      roll(log);
    } else {
      step(log, random.nextInt(100));
    }
    if (run.dead()) {
      powerCut();
    }
    run.check();
    run.checkSpace();
  }

  private void step(final Log log, final int choice) throws IOException {
    if (choice < 36) {
      append(log);
    } else if (choice < 44) {
      append(log.last(), largeBytesMax);
    } else if (run.recycles() && choice < 65) {
      turnOver(log);
    } else if (choice < 55) {
      roll(log);
    } else if (choice < 75) {
      migrateOrWait(log);
    } else if (choice < 79) {
      deleteFirst(log);
    } else if (choice < 82) {
      compact(log);
    } else if (choice < 92) {
      little(log, any(log), choice);
    } else if (choice < 94) {
      seal();
    } else if (choice < 95) {
      deleteLog(log);
    } else if (choice < 96) {
      restart();
    } else if (choice < 98) {
      cutSoon();
    } else {
      run.cut();
    }
  }

  /** As a log does whose retention is short. */
  private void turnOver(final Log log) throws IOException {
    roll(log);
    deleteFirst(log);
    deleteFiles(log);
  }

  private void append(final Log log) throws IOException {
    for (int i = 0; run.recycles() && i < RECYCLING_APPENDS; i++) {
      append(log.last(), largeBytesMax);
    }
    append(log.last(), APPEND_BYTES_MAX);
  }

  /** What may also come in the middle of a migration. */
  private void little(final Log log, final Open open, final int choice) throws IOException {
    switch (choice % 5) {
      case 0 -> truncate(log.last());
      case 1 -> force(open);
      case 2 -> overwrite(log.last());
      case 3 -> deleteFiles(log);
      default -> read(open);
    }
  }

  private Open any(final Log log) {
    return List.copyOf(log.segments.values()).get(random.nextInt(log.segments.size()));
  }

  private byte[] bytes(final int max) {
    final byte[] bytes = new byte[1 + random.nextInt(max)];
    random.nextBytes(bytes);
    return bytes;
  }

  private void roll(final Log log) throws IOException {
    final long base = log.nextOffset;
    log.nextOffset = base + 1 + random.nextInt(1_000);
    final String name = name(log, base, "");
    say("roll %s", name);
    Files.createDirectories(run.path(log.directory));
    log.segments.put(base, open(name));
    final Open before = log.segments.lowerEntry(base) == null ? null : log.last();
    if (before != null) {
      for (final Open sealed : log.segments.headMap(base).values()) {
        final long size = Files.size(run.path(sealed.name));
        if (size != sealed.model.now().length) {
          throw new AssertionError(sealed.name + " has " + size + " B after the roll");
        }
      }
    }
  }

  private static String name(final Log log, final long base, final String ending) {
    return String.format("%s/%020d.log%s", log.directory, base, ending);
  }

  private Open open(final String name) throws IOException {
    final ModelSegment segment;
    synchronized (run.logs) {
      segment = run.logs.create(name);
    }
    return new Open(segment, run.open(name), name);
  }

  private void append(final Open open, final int max) throws IOException {
    final byte[] bytes = bytes(max);
    say("append %d B to %s at %d", bytes.length, open.name, open.model.now().length);
    synchronized (run.logs) {
      open.model.write(bytes, open.model.now().length);
    }
    final ByteBuffer source = ByteBuffer.wrap(bytes);
    while (source.hasRemaining()) {
      open.channel.write(source);
    }
    written(open);
  }

  /** Kafka doesn't; the channel must, as a plain one. */
  private void overwrite(final Open open) throws IOException {
    if (open.model.now().length > 0) {
      final int at = random.nextInt(open.model.now().length);
      final byte[] bytes = bytes(APPEND_BYTES_MAX);
      say("write %d B to %s at %d", bytes.length, open.name, at);
      synchronized (run.logs) {
        open.model.write(bytes, at);
      }
      final ByteBuffer source = ByteBuffer.wrap(bytes);
      while (source.hasRemaining()) {
        open.channel.write(source, at + source.position());
      }
      written(open);
      open.channel.position(open.model.now().length);
    }
  }

  private void written(final Open open) {
    if (run.promisesAppends()
        || ((SegmentChannel) open.channel).segment().file().promisesWrites()) {
      synchronized (run.logs) {
        open.model.promise();
      }
    }
  }

  private void truncate(final Open open) throws IOException {
    final int size = random.nextInt(open.model.now().length + 1);
    say("truncate %s from %d to %d B", open.name, open.model.now().length, size);
    synchronized (run.logs) {
      open.model.truncate(size);
    }
    open.channel.truncate(size);
  }

  private void force(final Open open) throws IOException {
    say("force %s", open.name);
    open.channel.force(random.nextBoolean());
    synchronized (run.logs) {
      open.model.promise();
    }
  }

  private void read(final Open open) throws IOException {
    say("read %s", open.name);
    check(open, open.channel);
    run.checkVanilla(open.name, open.model.now());
  }

  private static void check(final Open open, final FileChannel channel) throws IOException {
    final ByteBuffer read = ByteBuffer.allocate((int) channel.size());
    while (read.hasRemaining() && channel.read(read, read.position()) >= 0) {}
    if (!Arrays.equals(read.array(), open.model.now())) {
      throw new AssertionError(
          open.name
              + ": read "
              + read.position()
              + " B that differ from the "
              + open.model.now().length
              + " B written, from byte "
              + Arrays.mismatch(read.array(), open.model.now()));
    }
  }

  private void rename(final Open open, final String name) throws IOException {
    synchronized (run.logs) {
      open.model.names.add(name);
    }
    run.store().move(run.path(open.name), run.path(name), StandardCopyOption.ATOMIC_MOVE);
    open.name = name;
  }

  private void deleteFirst(final Log log) throws IOException {
    if (log.segments.size() > 1) {
      toDelete(log, log.segments.firstKey());
    }
  }

  private void toDelete(final Log log, final long base) throws IOException {
    final Open open = log.segments.get(base);
    final String name = name(log, base, ".deleted");
    say("rename %s to .deleted", open.name);
    final List<Open> overwritten =
        log.deleted.stream().filter(other -> other.name.equals(name)).toList();
    synchronized (run.logs) {
      overwritten.forEach(other -> other.model.delete());
    }
    rename(open, name);
    for (final Open other : overwritten) {
      other.channel.close();
    }
    log.deleted.removeAll(overwritten);
    log.segments.remove(base);
    log.deleted.add(open);
  }

  private void deleteFiles(final Log log) throws IOException {
    for (final Open open : log.deleted) {
      delete(open);
    }
    log.deleted.clear();
  }

  private void delete(final Open open) throws IOException {
    say("delete %s", open.name);
    synchronized (run.logs) {
      open.model.delete();
    }
    final boolean closeFirst = random.nextBoolean();
    if (closeFirst) {
      open.channel.close();
    }
    run.store().delete(run.path(open.name));
    open.channel.close();
  }

  private void deleteLog(final Log log) throws IOException {
    final String directory = log.directory + "." + generation++ + "-delete";
    say("rename %s to %s and delete it", log.directory, directory);
    final List<Open> opened = new ArrayList<>(log.segments.values());
    opened.addAll(log.deleted);
    synchronized (run.logs) {
      for (final Open open : opened) {
        for (final String name : List.copyOf(open.model.names)) {
          open.model.names.add(moved(name, directory)); // its own rename may be undone
        }
      }
    }
    run.store().move(run.path(log.directory), run.path(directory), StandardCopyOption.ATOMIC_MOVE);
    for (final Open open : opened) {
      open.name = moved(open.name, directory);
      read(open);
      delete(open);
    }
    run.store().delete(run.path(directory));
    log.segments.clear();
    log.deleted.clear();
  }

  private static String moved(final String name, final String directory) {
    return directory + name.substring(name.lastIndexOf('/'));
  }

  /** Two sealed segments become one, in Kafka's order. */
  private void compact(final Log log) throws IOException {
    if (log.segments.size() < 3) {
      return;
    }
    final long first = log.segments.firstKey();
    final long second = log.segments.higherKey(first);
    final Open made = open(name(log, first, ".cleaned"));
    say("compact into %s", made.name);
    append(made, largeBytesMax);
    force(made);
    rename(made, name(log, first, ".swap"));
    toDelete(log, first);
    toDelete(log, second);
    rename(made, name(log, first, ""));
    log.segments.put(first, made);
  }

  private void seal() {
    say("give back what idle segments hold");
    for (final List<TierDirectory> tier : run.store().tiers()) {
      tier.forEach(directory -> directory.active().forEach(segment -> segment.sealIfIdle(0)));
    }
  }

  private void migrateOrWait(final Log log) throws IOException {
    if (run.migratesByItself()) {
      read(any(log));
      run.store().sealedSome();
      return;
    }
    final Open open = any(log);
    final List<TierDirectory> targets = new ArrayList<>();
    run.store().tiers().forEach(targets::addAll);
    targets.add(null);
    final TierDirectory to = targets.get(random.nextInt(targets.size()));
    final int[] disturbances = {random.nextInt(3)};
    final long before = steps.size();
    final List<Future<?>> disturbing = new ArrayList<>();
    final SegmentMigration.Outcome outcome =
        run.store()
            .migration(
                copied -> {
                  if (disturbing.stream().allMatch(Future::isDone) && disturbances[0]-- > 0) {
                    disturbing.add(otherThread.submit(() -> disturb(log, open)));
                    await(disturbing.get(disturbing.size() - 1), open);
                  }
                })
            .move(run.path(open.name), to, open == log.last());
    for (final Future<?> disturbance : disturbing) {
      await(disturbance, null);
    }
    say("migrated %s to %s: %s", open.name, to == null ? "home" : to, outcome);
    if (outcome == SegmentMigration.Outcome.MOVED) {
      moves++;
      final Path name = run.real(open.name);
      final boolean there =
          to == null
              ? !Files.isSymbolicLink(name)
              : Files.isSymbolicLink(name)
                  && Files.readSymbolicLink(name).startsWith(ModelPath.real(to.ref.path()));
      if (!there && disturbing.isEmpty()) { // an append that waited may have moved it on
        throw new AssertionError(name + " isn't where it was moved to");
      }
    } else if (outcome == SegmentMigration.Outcome.CHANGED && before + 1 == steps.size()) {
      throw new AssertionError(open.name + ": nobody changed it");
    }
    if (log.segments.containsValue(open)) {
      read(open);
    }
  }

  /** Until it is done, or waits itself for the move of a segment. */
  private static void await(final Future<?> disturbance, final Open moving) {
    while (true) {
      try {
        disturbance.get(1, TimeUnit.MILLISECONDS);
        return;
      } catch (final TimeoutException e) {
        if (moving != null && ((SegmentChannel) moving.channel).segment().awaited()) {
          return;
        }
      } catch (final InterruptedException | ExecutionException e) {
        throw new AssertionError("what happened during a move failed: " + e.getMessage(), e);
      }
    }
  }

  /** Something happens while a segment is copied. */
  private Void disturb(final Log log, final Open open) throws IOException {
    say("while %s is copied:", open.name);
    switch (random.nextInt(8)) {
      case 0 -> deleteFirst(log);
      case 1 -> roll(log);
      case 2 -> deleteLog(log);
      case 3, 4 -> append(log.last(), largeBytesMax);
      case 5 -> truncate(open);
      default -> little(log, open, random.nextInt(5));
    }
    if (log.segments.isEmpty()) {
      roll(log);
    }
    return null;
  }

  /** Somewhere in the middle of one of the next steps. */
  private void cutSoon() {
    final int operations = random.nextInt(60);
    say("the power goes in %d operations", operations);
    run.cutAfter(operations);
  }

  private void closeChannels() throws IOException {
    for (final Log log : all) {
      for (final Open open : log.segments.values()) {
        open.channel.close();
      }
      for (final Open open : log.deleted) {
        open.channel.close();
      }
    }
  }

  private void restart() throws IOException {
    say("stop and start");
    closeChannels();
    run.stop();
    if (!run.dead()) {
      run.start();
      if (!run.dead() && run.store().counters().quarantinedFiles.get() > 0) {
        throw new AssertionError("a clean stop left files that no name leads to");
      }
      for (final Log log : all) {
        log.segments.replaceAll((base, open) -> reopened(open.name, open.model));
        log.deleted.replaceAll(open -> reopened(open.name, open.model));
      }
    }
  }

  private Open reopened(final String name, final ModelSegment segment) {
    try {
      final Open open = new Open(segment, run.open(name), name);
      open.channel.position(open.channel.size());
      return open;
    } catch (final IOException e) {
      throw new AssertionError(name + " can't be opened again", e);
    }
  }

  private void powerCut() throws IOException {
    say("power cut");
    closeChannels();
    final List<ModelLogs.Found> found = run.restore();
    for (final Log log : all) {
      log.segments.clear();
      log.deleted.clear();
    }
    run.start();
    for (final Path home : run.homes) {
      if (!run.migratesByItself() && !LogDirScan.unfinishedMoves(home).isEmpty()) {
        throw new AssertionError("a copy in the making outlived the start");
      }
    }
    final List<Open> swaps = new ArrayList<>();
    for (final ModelLogs.Found each : found) {
      load(each, swaps);
    }
    for (final Open swap : swaps) {
      finishSwap(swap);
    }
  }

  /** As Kafka does with what it finds at its start. */
  private void load(final ModelLogs.Found found, final List<Open> swaps) throws IOException {
    final String name = found.name();
    final Open open = reopened(name, found.segment());
    final String directory = name.substring(0, name.lastIndexOf('/'));
    final Log log = log(directory);
    if (log == null || name.endsWith(".cleaned")) {
      delete(open);
    } else if (name.endsWith(".deleted")) {
      log.deleted.add(open);
    } else if (name.endsWith(".swap")) {
      swaps.add(open);
    } else {
      final long base = SegmentName.baseOffset(name.substring(name.lastIndexOf('/') + 1));
      log.segments.put(base, open);
      log.nextOffset = Math.max(log.nextOffset, base + 1);
      check(open, open.channel);
      cutZeros(open);
    }
  }

  private Log log(final String directory) {
    return all.stream().filter(log -> log.directory.equals(directory)).findFirst().orElse(null);
  }

  /** What was grown ahead. */
  private void cutZeros(final Open open) throws IOException {
    final byte[] now = open.model.now();
    int end = now.length;
    while (end > 0 && now[end - 1] == 0) {
      end--;
    }
    if (end < now.length) {
      synchronized (run.logs) {
        open.model.truncate(end);
      }
      open.channel.truncate(end);
      open.channel.position(end);
    }
  }

  private void finishSwap(final Open swap) throws IOException {
    final String directory = swap.name.substring(0, swap.name.lastIndexOf('/'));
    final Log log = log(directory);
    final long base = SegmentName.baseOffset(swap.name.substring(swap.name.lastIndexOf('/') + 1));
    final Open old = log.segments.remove(base);
    if (old != null) {
      delete(old);
    }
    rename(swap, name(log, base, ""));
    log.segments.put(base, swap);
  }

  /** A clean stop, at which everything must be there still. */
  void finish() throws IOException {
    run.cutAfter(Long.MAX_VALUE);
    if (run.dead()) {
      powerCut();
    }
    restart();
    for (final Log log : all) {
      for (final Open open : log.segments.values()) {
        read(open);
      }
    }
    run.check();
    run.checkSpace();
  }

  @Override
  public void close() throws IOException {
    otherThread.shutdown();
    closeChannels();
  }
}
