// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import io.headpond.store.tier.TierDirectory;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * A short life of a store in which a seed says at each call of a device who goes on: an engine's
 * threads, threads that migrate, and the store's own. Power cuts are looked at between two calls;
 * one may end the life, and a force may fail in it. Afterwards a start finds what must be there.
 */
final class ScheduleRun {
  /** Of the steps, before which cuts are looked at. */
  private static final int LOOK_ONE_IN = 3;

  /** Calls by which bytes or names are lost, where something else isn't durable yet. */
  private static final Set<ModelFaults.Call> ENDINGS =
      EnumSet.of(ModelFaults.Call.DELETE, ModelFaults.Call.TRUNCATE, ModelFaults.Call.RENAME);

  private static final int CUTS_AFTER_ENDING = 4;
  private static final int APPEND_BYTES_MAX = 3_000;
  private static final int LARGE_APPEND_BYTES_MAX = 70_000;

  /** One life in so many ends by a power cut, within so many steps. */
  private static final int CUT_ONE_IN = 4;

  private static final int CUT_WITHIN_STEPS = 150;

  /** In one life of so many a force fails, one of so many. */
  private static final int FAILURE_ONE_IN = 4;

  private static final int FORCES = 24;

  private static final int NAME_FORCES = 6;

  /** What an engine's thread begins with: what comes with a new segment is what races most. */
  private static final int ROLL = 64;

  /** What an engine's thread does most after it, where the aim is one segment. */
  private static final int APPEND = 39;

  private static final int FORCE = 70;

  /** Which segment's move and forces the threads of a life take turns at. */
  private enum Aim {
    ANY,
    /** The active one moves while it is written. */
    LAST,
    /** The active one moves, and moves again, while it is forced. */
    TWICE,
    /** The one before moves while the active one is forced. */
    BEFORE_LAST
  }

  /** Work that one thread has: so many times the same. */
  private interface Work {
    void once() throws IOException;
  }

  /** What a thread does to a log. */
  private interface Deed {
    void to(ScheduledLog log) throws IOException;
  }

  private final ModelRun run;
  private final long seed;
  private final ThreadGroup group;
  private final Schedule schedule;
  private final Random power;
  private final ModelScript script;
  private final List<EngineLog> all = new ArrayList<>();
  private final List<ScheduledLog> logs = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private final ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<String> done = new ConcurrentLinkedQueue<>();

  /** The first of those threads that a new segment starts. */
  private int startedByRoll;

  /** Of the thread that a changed name starts; negative: there is none. */
  private volatile int startedByRename = -1;

  private int cutAtStep = Integer.MAX_VALUE;

  /** Which force fails; 0: none. */
  private final int failing;

  /** Is it one of a partition's directory? They are few, and several wait for each. */
  private final boolean failingNames;

  private final Aim aim;

  /**
   * Is the active segment forced only when the one before has its new name? A force that begins
   * before that, the first one, forces the other where it was.
   */
  private final boolean forcesLate;

  private long cuts;
  private long moves;

  private ScheduleRun(final ModelRun run, final long seed, final ThreadGroup group) {
    this.run = run;
    this.seed = seed;
    this.group = group;
    final Random random = new Random(seed);
    power = new Random(random.nextLong());
    script = new ModelScript(random.nextLong());
    aim = Aim.values()[random.nextInt(Aim.values().length)];
    forcesLate = aim == Aim.BEFORE_LAST && script.nextInt(4) > 0;
    schedule =
        new Schedule(
            group, new ChoiceOfTurn(new Random(random.nextLong()), rules(aim)), run.real(""));
    if (random.nextInt(CUT_ONE_IN) == 0) {
      cutAtStep = random.nextInt(CUT_WITHIN_STEPS);
    }
    failingNames = random.nextBoolean();
    failing =
        random.nextInt(FAILURE_ONE_IN) == 0
            ? 1 + random.nextInt(failingNames ? NAME_FORCES : FORCES)
            : 0;
  }

  private static List<ChoiceOfTurn.Rule> rules(final Aim aim) {
    return switch (aim) {
      case LAST -> ChoiceOfTurn.EACH;
      case TWICE -> ChoiceOfTurn.LATE;
      default -> ChoiceOfTurn.MOSTLY_LATE;
    };
  }

  /**
   * Plays one.
   *
   * @throws AssertionError if something is wrong; it says who was chosen when
   */
  static void play(final ModelRun.Setup setup, final long seed, final ScheduleTally tally)
      throws InterruptedException {
    play(setup, seed, new ModelDisk.Defect() {}, tally);
  }

  /** The same with a defect. */
  static void play(
      final ModelRun.Setup setup,
      final long seed,
      final ModelDisk.Defect defect,
      final ScheduleTally tally)
      throws InterruptedException {
    final ThreadGroup group = new ThreadGroup("schedule-" + seed);
    final ConcurrentLinkedQueue<Throwable> failure = new ConcurrentLinkedQueue<>();
    final Thread controller =
        new Thread(
            group,
            () -> {
              try (ModelRun run = new ModelRun(setup, seed)) {
                run.disk.plant(defect);
                final ScheduleRun life = new ScheduleRun(run, seed, group);
                try {
                  life.play();
                } finally {
                  tally.add(life.schedule.steps(), run.looks() + life.cuts, life.moves);
                }
              } catch (final Exception | AssertionError e) {
                failure.add(e);
              }
            },
            "headpond-test-schedule");
    controller.setDaemon(true);
    controller.start();
    controller.join();
    if (!failure.isEmpty()) {
      final Throwable first = failure.remove();
      throw new AssertionError(setup + ", seed " + seed + ": " + first.getMessage(), first);
    }
  }

  private void play() throws Exception {
    try (Schedule closing = schedule) {
      run.disk.schedule(closing);
      prepare();
      schedule.awaitRest();
      makeThreads();
      if (failing > 0) {
        run.notWhatReadersSaw();
        run.disk.faults().failForce(failing, path -> !failingNames || isPartition(path));
      }
      schedule.begin();
      startFrom(0, Math.min(startedByRoll, threads.size()));
      schedule.play(threads, this::between);
      schedule.end();
      run.disk.faults().end();
      for (final Throwable failure : failures) {
        throw new AssertionError(failure.toString(), failure);
      }
      run.check();
      look(1);
      if (run.disk.faults().struck() && !run.dead()) {
        run.cut();
        run.check();
      }
      if (run.dead()) {
        startAfterCut();
      } else {
        startAfterStop();
      }
    } catch (final IOException | RuntimeException | AssertionError e) {
      throw new AssertionError(e.getMessage() + "\n" + said(), e);
    }
  }

  private boolean isPartition(final Path path) {
    final Path relative = run.real("").relativize(path);
    return relative.getNameCount() == 2 && relative.startsWith("home0");
  }

  private String said() {
    return "done:\n  "
        + String.join("\n  ", done)
        + "\nsteps by "
        + schedule.trace()
        + "\nlogs:\n  "
        + script.last();
  }

  /** Logs with a sealed segment; every thread of the store has had something to do. */
  private void prepare() throws IOException {
    run.start();
    final int count = aim != Aim.TWICE && script.nextInt(4) == 0 ? 2 : 1;
    for (int i = 0; i < count; i++) {
      final var home = run.homes.get(i % run.homes.size());
      final EngineLog log = new EngineLog(run, script, home.getFileName() + "/t-" + i);
      all.add(log);
      for (int rolls = 1; rolls >= 0; rolls--) {
        log.roll();
        log.last().append(APPEND_BYTES_MAX);
      }
      if (aim == Aim.TWICE) {
        log.last().force(); // which the next segment's forces would wait for, too
      }
      log.deleteFirst();
      log.deleteFiles();
      logs.add(new ScheduledLog(log));
    }
  }

  private void makeThreads() {
    for (final ScheduledLog log : logs) {
      final int times = aim == Aim.ANY ? 1 : 3;
      make("engine", times + script.nextInt(3), () -> attempt(log, this::own));
    }
    startedByRoll = script.nextInt(4) > 0 ? threads.size() : Integer.MAX_VALUE;
    final boolean twice = aim == Aim.TWICE;
    startedByRename = forcesLate ? threads.size() : -1;
    make("flush", (twice ? 3 : 1) + script.nextInt(3), () -> attempt(any(), this::flush));
    make("delete", 1, () -> attempt(any(), ScheduledLog::deleteFiles));
    for (int i = twice ? 1 : script.nextInt(3) / 2; i >= 0; i--) {
      make("migrate", 1 + script.nextInt(2), () -> attempt(any(), this::migrate));
    }
  }

  /** Starts those that haven't been started yet. */
  private synchronized void startFrom(final int from, final int to) {
    for (int i = from; i < to; i++) {
      if (i != startedByRename && threads.get(i).getState() == Thread.State.NEW) {
        threads.get(i).start();
      }
    }
  }

  private ScheduledLog any() {
    return logs.get(script.nextInt(logs.size()));
  }

  private void make(final String name, final int times, final Work work) {
    threads.add(
        new Thread(
            group,
            () -> {
              try {
                for (int i = 0; i < times && failures.isEmpty(); i++) {
                  schedule.beginSomething();
                  work.once();
                }
              } catch (final Exception | Error e) {
                failures.add(e);
              }
            },
            name + threads.size()));
  }

  private void say(final String what, final Object... with) {
    done.add(
        schedule.steps()
            + " "
            + Thread.currentThread().getName()
            + ": "
            + String.format(what, with));
  }

  /** What is told when a force has failed ends what the engine does to the log, as in Kafka. */
  private void attempt(final ScheduledLog log, final Deed deed) throws IOException {
    if (log.offline()) {
      return;
    }
    try {
      deed.to(log);
    } catch (final IOException e) {
      if (!run.disk.faults().struck()) {
        throw e;
      }
      say("told %s", e.getMessage());
      log.toldAnError();
    }
  }

  /** What only one of an engine's threads does to a log at a time. */
  private void own(final ScheduledLog scheduled) throws IOException {
    final EngineLog log = scheduled.log;
    if (log.segments.isEmpty()) {
      log.roll();
    }
    final int choice = scheduled.begun() ? choice() : ROLL;
    say("own %s: %d", log.directory, choice);
    if (choice < 40) {
      log.last().append(choice < 4 ? LARGE_APPEND_BYTES_MAX : APPEND_BYTES_MAX);
    } else if (choice <= ROLL) {
      log.roll();
      if (!scheduled.deleting() && script.nextInt(4) == 0) {
        log.deleteFirst(); // which may be being forced for the new one
      }
      scheduled.show();
      startFrom(startedByRoll, threads.size());
      log.last().append(APPEND_BYTES_MAX);
      if (script.nextInt(4) > 0 && aim != Aim.BEFORE_LAST) { // which would be forced with it
        log.last().force();
      }
    } else if (choice < 75) {
      log.last().force();
    } else if (choice < 85) {
      log.last().truncate();
    } else if (!scheduled.deleting()) {
      if (choice < 92) {
        log.deleteFirst();
      } else if (choice < 94) {
        log.compact(APPEND_BYTES_MAX);
      } else if (choice < 97) {
        log.delete();
      } else {
        reopen(log);
      }
    }
    scheduled.show();
    say("done");
  }

  private int choice() {
    final boolean any = aim == Aim.ANY || script.nextInt(4) == 0;
    final boolean append = forcesLate || aim != Aim.TWICE && script.nextBoolean();
    return any ? script.nextInt(100) : append ? APPEND : FORCE;
  }

  /** As at an orderly stop: who opens a log again forces by himself what wasn't before. */
  private static void reopen(final EngineLog log) throws IOException {
    for (final EngineSegment open : log.segments.values()) {
      open.force();
    }
    log.close();
    log.reopen();
  }

  /**
   * What was closed or deleted before has nothing to force. A close that comes later breaks none.
   */
  private void flush(final ScheduledLog log) throws IOException {
    final List<EngineSegment> shown = log.shown();
    if (shown.isEmpty()) {
      return;
    }
    final EngineSegment open = shown.get(chosen(shown.size(), 0));
    say("force %s", open.name);
    final boolean present = open.channel.isOpen();
    try {
      open.force();
      say("forced");
    } catch (final ClosedChannelException e) {
      if (present) {
        throw e;
      }
      say("closed before");
    }
  }

  /** An index, mostly so many before the last. */
  private int chosen(final int size, final int before) {
    return script.nextInt(4) > 0 ? Math.max(0, size - 1 - before) : script.nextInt(size);
  }

  private void migrate(final ScheduledLog log) throws IOException {
    final List<EngineSegment> shown = log.shown();
    if (shown.isEmpty()) {
      return;
    }
    final int chosen = chosen(shown.size(), aim == Aim.BEFORE_LAST ? 1 : 0);
    final boolean last = chosen == shown.size() - 1;
    final EngineSegment open = shown.get(chosen);
    final List<TierDirectory> targets = new ArrayList<>();
    run.store().tiers().forEach(targets::addAll);
    targets.add(null);
    targets.remove(open.segment().file().directory);
    final TierDirectory to = targets.get(script.nextInt(targets.size()));
    say("migrate %s to %s", open.name, to == null ? "home" : to);
    final SegmentMigration.Outcome outcome =
        run.store().migration(copied -> {}).move(run.path(open.name), to, last);
    say("migrated %s: %s", open.name, outcome);
    moves += outcome == SegmentMigration.Outcome.MOVED ? 1 : 0;
  }

  /** Nobody moves: the power may go. */
  private void between() {
    if (run.dead()) {
      return;
    }
    if (startedByRename >= 0 && schedule.renamed()) {
      final int started = startedByRename;
      startedByRename = -1;
      startFrom(started, started + 1);
    }
    if (schedule.steps() >= cutAtStep) {
      run.cut();
      say("power cut");
    } else if (ENDINGS.contains(schedule.last())) {
      look(CUTS_AFTER_ENDING);
    } else if (!ChoiceOfTurn.looks(schedule.last()) && power.nextInt(LOOK_ONE_IN) == 0) {
      look(1);
    }
  }

  private void look(final int times) {
    synchronized (run.disk) {
      synchronized (run.logs) {
        for (int i = 0; i < times && !run.dead(); i++) {
          cuts++;
          try {
            run.logs.verify(run.disk.cut(power), Map.of());
          } catch (final AssertionError e) {
            throw new AssertionError("after a power cut: " + e.getMessage(), e);
          }
        }
      }
    }
  }

  private void startAfterStop() throws IOException {
    for (final ScheduledLog log : logs) {
      log.deleteFiles();
    }
    synchronized (run.disk) {
      synchronized (run.logs) {
        run.logs.verifyVisible(run.disk.visible());
      }
    }
    for (final EngineLog log : all) {
      log.close();
    }
    run.stop();
    run.start();
    if (run.store().counters().quarantinedFiles.get() > 0) {
      throw new AssertionError("a clean stop left files that no name leads to");
    }
    for (final EngineLog log : all) {
      log.reopen();
    }
    readAndStop();
  }

  private void startAfterCut() throws IOException {
    for (final ScheduledLog log : logs) {
      log.close();
    }
    final List<ModelLogs.Found> found = run.restore();
    all.forEach(EngineLog::forget);
    run.start();
    new EngineStart(run, script, all).load(found);
    readAndStop();
  }

  private void readAndStop() throws IOException {
    for (final EngineLog log : all) {
      for (final EngineSegment open : log.segments.values()) {
        open.read();
      }
      log.close();
    }
    run.checkSpace();
    run.stop();
    run.check();
    if (!run.disk.stillOpen().isEmpty()) {
      throw new AssertionError("left open: " + run.disk.stillOpen());
    }
  }
}
