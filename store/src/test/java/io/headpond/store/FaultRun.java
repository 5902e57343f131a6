// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import io.headpond.store.ModelFaults.Fault;
import io.headpond.store.ModelFaults.Site;
import io.headpond.store.event.StoreRefusedException;
import io.headpond.store.layout.LogDirScan;
import io.headpond.store.layout.SegmentMove;
import io.headpond.store.tier.GrowingSegment;
import io.headpond.store.tier.TierDirectory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * An engine that does the same things each time, on simulated devices of which one call fails. A
 * log that was told an error takes no further part, as in Kafka, until the next start; what was
 * acknowledged before is there at every instant, after a start, and after a power cut.
 */
final class FaultRun implements AutoCloseable {
  private static final int APPEND_BYTES_MAX = 6_000;
  private static final int LARGE_APPEND_BYTES_MAX = 90_000;
  private static final int POWER_CUTS_LOOKED_AT = 4;

  private interface Step {
    void run() throws IOException;
  }

  private final ModelRun run;
  private final ModelFaults faults;
  private final ModelThrowables throwables;
  private final ModelScript script;
  private final Random power;
  private final Path root;
  private final List<EngineLog> logs = new ArrayList<>();
  private final List<EngineLog> offline = new ArrayList<>();

  private boolean told;
  private final Fault fault;
  private final ModelThrowables.Throw thrown;

  /**
   * A run that is still to be played.
   *
   * @param fault null: nothing fails
   * @param thrown null: nothing is thrown
   */
  FaultRun(
      final ModelRun.Setup setup,
      final long seed,
      final Fault fault,
      final ModelThrowables.Throw thrown,
      final ModelDisk.Defect defect)
      throws IOException {
    this.fault = fault;
    this.thrown = thrown;
    run = new ModelRun(setup, seed);
    OutsideCalls.of(run.disk);
    run.disk.plant(defect);
    run.notWhatReadersSaw();
    faults = run.disk.faults();
    throwables = run.disk.throwables();
    script = new ModelScript(seed);
    power = new Random(seed);
    root = run.real("");
    for (int i = 0; i < 3; i++) {
      final Path home = run.homes.get(i % run.homes.size());
      logs.add(new EngineLog(run, script, home.getFileName() + "/t-" + i));
    }
  }

  /** The calls that were made, by who made them. */
  Map<Site, Integer> calls() {
    return faults.counts();
  }

  /** All calls that left the product's own code, by what and who. */
  Map<String, Integer> outside() {
    return throwables.counts();
  }

  /** Did the call fail? It may not have been made: threads take turns as they like. */
  boolean struck() {
    return faults.struck() || throwables.struck();
  }

  /** Was the engine told an error? */
  boolean told() {
    return told;
  }

  /** What was done, the last of it. */
  String steps() {
    return script.last();
  }

  /** Two lives of an engine, and a third one on devices that work. */
  void play() throws IOException {
    faults.begin(fault);
    throwables.begin(thrown);
    start();
    firstLife();
    look();
    stop();
    drainOne();
    look();
    start();
    reload();
    secondLife();
    look();
    faults.end();
    throwables.end();
    if (power.nextBoolean()) {
      stop();
    } else {
      cutPower();
    }
    Thread.interrupted(); // who starts is another
    run.start();
    offline.clear();
    reload();
    lastLife();
    stop();
    look();
    if (!run.disk.stillOpen().isEmpty()) {
      throw new AssertionError("left open: " + run.disk.stillOpen());
    }
  }

  /** What {@code headpond drain} does, with the first segment that is found in a tier. */
  private void drainOne() {
    script.say("drain");
    try {
      for (final Path home : run.homes) {
        for (final Path partition :
            LogDirScan.partitions(run.path(home.getFileName().toString()))) {
          for (final LogDirScan.Entry segment : LogDirScan.segments(partition)) {
            if (segment.linked()) {
              SegmentMove.home(segment.name(), segment.target(), segment.bytes(), bytes -> {});
              Files.delete(segment.target());
              return;
            }
          }
        }
      }
    } catch (final IOException | RuntimeException | Error e) {
      tell(e);
    }
    run.disk.forgive(); // it was a process of its own
  }

  private void start() throws IOException {
    try {
      run.start();
    } catch (final IOException | RuntimeException | Error e) {
      tell(e);
      run.stop();
      faults.heal();
      throwables.heal();
      run.disk.forgive();
      run.start();
    }
    offline.clear();
  }

  private void firstLife() throws IOException {
    final EngineLog a = logs.get(0);
    final EngineLog b = logs.get(1);
    final EngineLog c = logs.get(2);
    for (final EngineLog log : logs) {
      attempt(log, log::roll);
      append(log, APPEND_BYTES_MAX);
    }
    for (int i = 0; i < 3; i++) {
      append(a, LARGE_APPEND_BYTES_MAX);
      append(b, APPEND_BYTES_MAX);
      attempt(a, a::roll);
      append(a, APPEND_BYTES_MAX);
      migrate(a, i == 1 ? null : lowest());
    }
    force(a);
    attempt(b, () -> b.last().truncate());
    append(b, LARGE_APPEND_BYTES_MAX);
    attempt(a, () -> a.compact(LARGE_APPEND_BYTES_MAX));
    attempt(a, a::deleteFiles);
    for (int i = 0; i < 9; i++) { // until no tier has room
      append(c, LARGE_APPEND_BYTES_MAX);
      append(b, APPEND_BYTES_MAX);
    }
    force(c);
    attempt(b, b::roll);
    attempt(b, b::deleteFirst);
    attempt(b, b::deleteFiles);
    attempt(c, c::delete);
    attempt(c, c::roll);
    append(c, APPEND_BYTES_MAX);
    idle();
  }

  private void secondLife() throws IOException {
    for (final EngineLog log : logs) {
      if (log.segments.isEmpty()) {
        attempt(log, log::roll);
      }
      append(log, APPEND_BYTES_MAX);
      migrate(log, fastest());
      attempt(log, () -> log.last().truncate());
      append(log, APPEND_BYTES_MAX);
      force(log);
    }
    attempt(logs.get(0), logs.get(0)::delete);
  }

  /** Everything works, and whatever was told before. */
  private void lastLife() throws IOException {
    for (final EngineLog log : logs) {
      log.roll();
      log.last().append(APPEND_BYTES_MAX);
      log.force(log.last());
      for (final EngineSegment open : log.segments.values()) {
        open.read();
      }
    }
  }

  private TierDirectory fastest() {
    return run.store().tiers().get(0).get(0);
  }

  private TierDirectory lowest() {
    return run.store().tiers().get(run.store().tiers().size() - 1).get(0);
  }

  private void append(final EngineLog log, final int bytesMax) {
    attempt(log, () -> log.last().append(bytesMax));
  }

  private void force(final EngineLog log) {
    attempt(log, () -> log.force(log.last()));
  }

  /** Migration's failures are its own: the engine goes on. */
  private void migrate(final EngineLog log, final TierDirectory to) throws IOException {
    if (offline.contains(log) || log.segments.isEmpty()) {
      return;
    }
    final EngineSegment open = log.segments.firstEntry().getValue();
    script.say("migrate %s to %s", open.name, to == null ? "home" : to);
    try {
      run.store().migration(copied -> {}).move(run.path(open.name), to, open == log.last());
    } catch (final IOException | RuntimeException | Error e) {
      tell(e);
    }
    attempt(log, open::read);
  }

  private void idle() {
    script.say("give back what idle segments hold");
    for (final List<TierDirectory> tier : run.store().tiers()) {
      tier.forEach(directory -> directory.active().forEach(this::idle));
    }
  }

  /** As the store's clock does: what throws is its own to survive. */
  private void idle(final GrowingSegment segment) {
    try {
      segment.sealIfIdle(0);
    } catch (final RuntimeException | VirtualMachineError e) {
      script.say("  the clock survives %s", e);
    }
  }

  private void attempt(final EngineLog log, final Step step) {
    if (offline.contains(log)) {
      return;
    }
    try {
      step.run();
    } catch (final IOException | RuntimeException | Error e) {
      tell(e);
      offline.add(log);
      insist(log);
    }
    run.check();
  }

  /** What Kafka wouldn't do: tries again. What is promised then must be true. */
  private void insist(final EngineLog log) {
    if (log == null || log.segments.isEmpty()) {
      return;
    }
    if (!log.segments.values().stream().allMatch(open -> open.channel.isOpen())) {
      return; // an interrupt closed one of them
    }
    final EngineSegment last = log.last();
    try {
      final ByteBuffer read = ByteBuffer.allocate((int) last.channel.size());
      while (read.hasRemaining() && last.channel.read(read, read.position()) >= 0) {}
      final byte[] found = Arrays.copyOf(read.array(), read.position());
      synchronized (run.logs) {
        last.model.found(found);
      }
      checkNames(last, found);
      log.force(last);
    } catch (final IOException | RuntimeException | Error e) {
      tell(e);
    }
  }

  /** What a channel says of a segment is what its name says, and so is the store's own view. */
  private void checkNames(final EngineSegment open, final byte[] found) throws IOException {
    if (!open.segment().isDeleted()) {
      final Path name = ModelPath.real(open.segment().name());
      run.checkVanilla(root.relativize(name).toString(), found);
    }
  }

  private void tell(final Throwable e) {
    script.say("  told %s", e);
    told = true;
    if (Thread.interrupted() && e instanceof ClosedChannelException) {
      return; // as a channel's contract has it; the engine goes on
    }
    if (!throwables.struck()) {
      FaultWords.check(e, root);
    } else if (e instanceof IOException || e instanceof StoreRefusedException) {
      FaultWords.checkFile(e, root);
    } else if (!throwables.explains(e)) {
      throw new AssertionError("the engine was told " + e, e);
    }
  }

  /** As somebody does who reads the log directory, now and after power cuts at this instant. */
  private void look() {
    script.say("look");
    synchronized (run.disk) {
      synchronized (run.logs) {
        run.logs.verifyVisible(run.disk.visible());
        for (int i = 0; i < POWER_CUTS_LOOKED_AT; i++) {
          try {
            run.logs.verify(run.disk.cut(power), Map.of());
          } catch (final AssertionError e) {
            throw new AssertionError("after a power cut: " + e.getMessage(), e);
          }
        }
      }
    }
  }

  private void stop() throws IOException {
    script.say("stop");
    for (final EngineLog log : logs) {
      close(log);
      log.forget();
    }
    try {
      run.stop();
    } catch (final IOException | RuntimeException | Error e) {
      tell(e);
    }
    run.disk.forgive();
  }

  private void close(final EngineLog log) {
    final List<EngineSegment> open = new ArrayList<>(log.segments.values());
    open.addAll(log.deleted);
    open.addAll(log.left);
    for (final EngineSegment each : open) {
      close(each.channel);
    }
  }

  private void close(final FileChannel channel) {
    try {
      channel.close();
    } catch (final IOException | RuntimeException | Error e) {
      tell(e);
    }
  }

  private void cutPower() throws IOException {
    script.say("power cut");
    run.cut();
    run.check();
    logs.forEach(this::close);
    run.restore();
    logs.forEach(EngineLog::forget);
  }

  private void reload() throws IOException {
    final List<ModelLogs.Found> found;
    synchronized (run.disk) {
      synchronized (run.logs) {
        found = run.logs.verifyVisible(run.disk.visible());
        found.forEach(each -> each.segment().found(each.content()));
      }
    }
    final EngineStart start = new EngineStart(run, script, logs);
    for (final ModelLogs.Found each : found) {
      final EngineLog log = start.log(each.name());
      attempt(log, () -> start.load(each));
      offline.remove(null);
    }
    try {
      start.finishSwaps();
    } catch (final IOException | RuntimeException | Error e) {
      tell(e);
    }
    for (final EngineLog log : logs) {
      attempt(log, log::recover);
      if (!offline.contains(log)) {
        Files.createDirectories(run.path(log.directory));
      }
    }
  }

  @Override
  public void close() throws IOException {
    faults.end();
    throwables.end();
    run.close();
  }
}
