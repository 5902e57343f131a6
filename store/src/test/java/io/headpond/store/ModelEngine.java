// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import io.headpond.store.layout.LogDirScan;
import io.headpond.store.layout.SegmentName;
import io.headpond.store.tier.SegmentCandidate;
import io.headpond.store.tier.TierDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
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
  private static final int POOLING_APPEND_BYTES_MAX = 400_000;

  private static final int POOLING_APPENDS = 3;

  private static final int DIRECTORIES = 3;

  private final ModelRun run;
  private final ModelScript script;
  private final List<EngineLog> all = new ArrayList<>();
  private final int largeBytesMax;
  private long moves;

  /** Does what comes in the middle of a migration: an append may wait for that. */
  private final ExecutorService otherThread = Executors.newSingleThreadExecutor();

  ModelEngine(final ModelRun run, final long seed) throws IOException {
    this.run = run;
    script = new ModelScript(seed);
    largeBytesMax = run.pools() ? POOLING_APPEND_BYTES_MAX : LARGE_APPEND_BYTES_MAX;
    for (int i = 0; i < (run.pools() ? 1 : DIRECTORIES); i++) {
      final Path home = run.homes.get(i % run.homes.size());
      all.add(new EngineLog(run, script, home.getFileName() + "/t-" + i));
    }
    run.start();
  }

  /** Segments that were moved because this engine said so. */
  long moves() {
    return moves;
  }

  /** What was done, the last of it. */
  String steps() {
    return script.last();
  }

  /** One step, and a start after it if the power went. */
  void step() throws IOException {
    final EngineLog log = all.get(script.nextInt(all.size()));
    if (log.segments.isEmpty()) {
      log.roll();
    } else {
      step(log, script.nextInt(100));
    }
    if (run.dead()) {
      startAgain();
    }
    run.check();
    run.checkSpace();
  }

  private void step(final EngineLog log, final int choice) throws IOException {
    if (choice < 34) {
      append(log);
    } else if (choice < 43) {
      log.last().append(largeBytesMax);
    } else if (run.pools() && choice < 63) {
      log.turnOver();
    } else if (choice < 53) {
      log.roll();
    } else if (choice < 70) {
      migrateOrWait(log);
    } else if (choice < 72) {
      promote(log);
    } else if (choice < 76) {
      log.deleteFirst();
    } else if (choice < 79) {
      log.compact(largeBytesMax);
    } else if (choice < 81) {
      log.truncate();
    } else if (choice < 90) {
      little(log, log.any(), choice);
    } else if (choice < 92) {
      seal();
    } else if (choice < 93) {
      log.delete();
    } else if (choice < 94) {
      restart();
    } else if (choice < 96) {
      killSoon();
    } else if (choice < 98) {
      cutSoon();
    } else {
      run.cut();
    }
  }

  private void append(final EngineLog log) throws IOException {
    for (int i = 0; run.pools() && i < POOLING_APPENDS; i++) {
      log.last().append(largeBytesMax);
    }
    log.last().append(APPEND_BYTES_MAX);
  }

  /** What may also come in the middle of a migration. */
  private void little(final EngineLog log, final EngineSegment open, final int choice)
      throws IOException {
    switch (choice % 5) {
      case 0 -> log.last().truncate();
      case 1 -> force(log, open);
      case 2 -> log.last().overwrite();
      case 3 -> log.deleteFiles();
      default -> open.read();
    }
  }

  private void seal() {
    script.say("give back what idle segments hold");
    for (final List<TierDirectory> tier : run.store().tiers()) {
      tier.forEach(directory -> directory.active().forEach(segment -> segment.sealIfIdle(0)));
    }
  }

  private void migrateOrWait(final EngineLog log) throws IOException {
    if (run.migratesByItself()) {
      log.any().read();
      run.store().migrator().wake();
      return;
    }
    final List<TierDirectory> targets = new ArrayList<>();
    run.store().tiers().forEach(targets::addAll);
    targets.add(null);
    migrate(log, log.any(), targets.get(script.nextInt(targets.size())));
  }

  /** What is appended to moves up. */
  private void promote(final EngineLog log) throws IOException {
    if (!run.migratesByItself()) { // or it may be moved on at once
      migrate(log, log.last(), run.store().tiers().get(0).get(0));
    }
    log.last().append(APPEND_BYTES_MAX);
  }

  private void migrate(final EngineLog log, final EngineSegment open, final TierDirectory to)
      throws IOException {
    final int[] disturbances = {script.nextInt(3)};
    final int before = script.steps();
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
    script.say("migrated %s to %s: %s", open.name, to == null ? "home" : to, outcome);
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
    } else if (outcome == SegmentMigration.Outcome.CHANGED && before + 1 == script.steps()) {
      throw new AssertionError(open.name + ": nobody changed it");
    }
    if (log.segments.containsValue(open)) {
      open.read();
    }
  }

  /** Until it is done, or waits itself for the move of a segment. */
  private static void await(final Future<?> disturbance, final EngineSegment moving) {
    while (true) {
      try {
        disturbance.get(1, TimeUnit.MILLISECONDS);
        return;
      } catch (final TimeoutException e) {
        if (moving != null && moving.segment().awaited()) {
          return;
        }
      } catch (final InterruptedException | ExecutionException e) {
        throw new AssertionError("what happened during a move failed: " + e.getMessage(), e);
      }
    }
  }

  /** Something happens while a segment is copied. */
  private Void disturb(final EngineLog log, final EngineSegment open) throws IOException {
    script.say("while %s is copied:", open.name);
    switch (script.nextInt(8)) {
      case 0 -> log.deleteFirst();
      case 1 -> log.roll();
      case 2 -> log.delete();
      case 3, 4 -> log.last().append(largeBytesMax);
      case 5 -> truncate(log, open);
      default -> little(log, open, script.nextInt(5));
    }
    if (log.segments.isEmpty()) {
      log.roll();
    }
    return null;
  }

  private static void force(final EngineLog log, final EngineSegment open) throws IOException {
    if (log.segments.containsValue(open)) {
      log.force(open);
    } else {
      open.force();
    }
  }

  private static void truncate(final EngineLog log, final EngineSegment open) throws IOException {
    if (log.segments.containsValue(open)) {
      log.truncate(open);
    }
  }

  /** Somewhere in the middle of one of the next steps. */
  private void cutSoon() {
    final int operations = script.nextInt(60);
    script.say("the power goes in %d operations", operations);
    run.cutAfter(operations);
  }

  private void killSoon() {
    final int operations = script.nextInt(60);
    script.say("the process is killed in %d operations", operations);
    run.killAfter(operations);
  }

  private void closeChannels() throws IOException {
    for (final EngineLog log : all) {
      log.close();
    }
  }

  private void restart() throws IOException {
    script.say("stop and start");
    closeChannels();
    if (!run.dead() && !run.migratesByItself()) {
      checkCatalogue();
    }
    run.stop();
    if (!run.dead()) {
      run.start();
      if (!run.dead() && run.store().counters().quarantinedFiles.get() > 0) {
        throw new AssertionError("a clean stop left files that no name leads to");
      }
      for (final EngineLog log : all) {
        log.reopen();
      }
    }
  }

  /** Migration knows where each segment lies, and how long it is. */
  private void checkCatalogue() throws IOException {
    final Set<String> there = new TreeSet<>();
    for (final Path home : run.homes) {
      LogDirScan.scan(
          home,
          entry -> {
            if (SegmentName.isPlain(entry.name().getFileName().toString())) {
              there.add(
                  known(
                      entry.name(),
                      entry.linked() ? entry.target().getParent().getParent().getParent() : null,
                      entry.bytes()));
            }
          });
    }
    final Set<String> known = new TreeSet<>();
    for (final SegmentCandidate each : run.store().catalogue().all()) {
      final TierDirectory directory = each.directory();
      known.add(known(each.name(), directory == null ? null : directory.ref.path(), each.bytes()));
    }
    if (!known.equals(there)) {
      throw new AssertionError("migration knows " + known + ", and what is there is " + there);
    }
  }

  private static String known(final Path name, final Path tier, final long bytes) {
    return name + ": " + bytes + " B " + (tier == null ? "at home" : "in " + tier);
  }

  private void startAgain() throws IOException {
    script.say(run.killed() ? "killed" : "power cut");
    closeChannels();
    final List<ModelLogs.Found> found = run.restore();
    all.forEach(EngineLog::forget);
    run.start();
    for (final Path home : run.homes) {
      if (!run.migratesByItself() && !LogDirScan.unfinishedMoves(home).isEmpty()) {
        throw new AssertionError("a copy in the making outlived the start");
      }
    }
    new EngineStart(run, script, all).load(found);
    all.stream().flatMap(log -> log.segments.values().stream()).forEach(this::checkKnown);
  }

  /** What migration doesn't know never moves. */
  private void checkKnown(final EngineSegment open) {
    final Path name = run.path(open.name);
    if (run.store().catalogue().all().stream().noneMatch(known -> known.name().equals(name))) {
      throw new AssertionError(open.name + " isn't known to migration");
    }
  }

  /** A clean stop, at which everything must be there still. */
  void finish() throws IOException {
    run.cutAfter(Long.MAX_VALUE);
    if (run.dead()) {
      startAgain();
    }
    restart();
    for (final EngineLog log : all) {
      for (final EngineSegment open : log.segments.values()) {
        open.read();
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
