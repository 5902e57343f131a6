// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper;

import io.headpond.bookkeeper.ScriptedBookie.Checkpoint;
import io.headpond.bookkeeper.ScriptedBookie.Mark;
import io.headpond.store.SimulatedDisks;
import io.headpond.store.SimulatedDisks.Cut;
import io.headpond.store.SimulatedDisks.Fault;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A bookie that does the same things each time, on simulated devices of which one call fails: adds,
 * rolls within a batch, checkpoints of which the older ends last, an end, a power cut, a restart.
 * What was acknowledged is there at every instant.
 */
final class JournalFaultRun implements AutoCloseable {
  /**
   * What is tried.
   *
   * @param place where the journals are
   * @param reuse are journals used again?
   */
  record Setup(JournalPlace place, boolean reuse) {}

  private static final int STEPS = 16;
  private static final int LOOK_ONE_IN = 20;
  private static final int CUTS = 6;
  private static final long SPARE_NANOS = TimeUnit.MILLISECONDS.toNanos(150);

  private final SimulatedDisks disks = new SimulatedDisks();
  private final Setup setup;
  private final Random script;
  private final Random power;
  private ScriptedBookie bookie;
  private AssertionError lost;
  private boolean told;
  private boolean refusing;
  private int reused;

  /** A run that is still to be played; the seed says what the bookie does. */
  JournalFaultRun(Setup setup, long seed) throws IOException {
    this.setup = setup;
    script = new Random(seed);
    power = new Random(seed);
    disks.count(ScriptedBookie.class);
    bookie = ScriptedBookie.begin(disks, setup.place(), setup.reuse());
  }

  /** What can fail, and what is planted. */
  SimulatedDisks disks() {
    return disks;
  }

  /** Was the journal told an error? */
  boolean told() {
    return told;
  }

  /** Did the directory refuse everything in the end? */
  boolean refusing() {
    return refusing;
  }

  /** Files that were used again. */
  int reused() {
    return reused;
  }

  void play(Fault fault) throws IOException {
    disks.look(this::look);
    disks.begin(fault);
    try {
      steps();
      bookie.assertRefusing();
      tried(bookie::closeProvider);
      tried(bookie::endJournal);
      refusing = bookie.refusing();
    } finally {
      disks.end();
      disks.look(() -> {});
    }
    if (lost != null) {
      throw lost;
    }
    // A kill leaves what everybody sees.
    new JournalJudge(
            disks.visible(bookie.journals),
            disks.visible(bookie.ledgers),
            bookie.acknowledged,
            false)
        .mustHave(bookie.flushed);
    for (int i = 0; i < CUTS; i++) {
      judge(disks.cut(power));
    }
    restart(disks.cut(power));
  }

  private JournalJudge judge(Cut cut) {
    JournalJudge judge =
        new JournalJudge(
            cut.files(bookie.journals),
            cut.files(bookie.ledgers),
            bookie.acknowledged,
            setup.place() != JournalPlace.MEMORY);
    judge.mustHave(bookie.flushed);
    return judge;
  }

  /** At each operation of a device the power may go; on any thread. */
  private void look() {
    if (lost == null && power.nextInt(LOOK_ONE_IN) == 0) {
      try {
        judge(disks.cut(power));
      } catch (AssertionError e) {
        lost = e;
      }
    }
  }

  private void steps() throws IOException {
    Checkpoint delayed = null;
    for (int step = 0; step < STEPS && !ended(); step++) {
      int groups = step % 3 == 2 ? 10 : 1 + script.nextInt(4); // ten roll within the batch
      for (int i = 0; i < groups && !ended(); i++) {
        int entries = 1 + script.nextInt(4);
        tried(() -> bookie.group(entries));
      }
      tried(bookie::forceAll);
      if (step % 4 == 1) {
        delayed = bookie.newCheckpoint();
      }
      if (step % 2 == 0) {
        Checkpoint newest = bookie.newCheckpoint();
        bookkeepers(() -> bookie.complete(newest));
      }
      if (step % 4 == 2 && step > 4) {
        awaitSpare();
      }
      if (step % 4 == 2 && delayed != null) {
        Checkpoint older = delayed;
        bookkeepers(() -> bookie.complete(older));
      }
    }
    afterAnEnd();
  }

  /** The other thread may go on for a while when one has ended. */
  private void afterAnEnd() throws IOException {
    for (int i = 0; i < 3 && ended(); i++) {
      if (!bookie.journalEnded && script.nextBoolean()) {
        tried(() -> bookie.group(2));
      }
      if (!bookie.forceEnded) {
        tried(bookie::forceAll);
      }
    }
  }

  private boolean ended() {
    return bookie.journalEnded || bookie.forceEnded;
  }

  private interface Step {
    void run() throws IOException;
  }

  private void tried(Step step) {
    try {
      step.run();
    } catch (AssertionError e) {
      throw e;
    } catch (IOException | RuntimeException | Error e) {
      told = true;
    }
  }

  /** BookKeeper logs what fails of a checkpoint. */
  private static void bookkeepers(Step step) {
    try {
      step.run();
    } catch (AssertionError e) {
      throw e;
    } catch (IOException | RuntimeException | Error e) {
      return;
    }
  }

  /** With reuse, a spare is given the time to become one. */
  private void awaitSpare() {
    long end = System.nanoTime() + SPARE_NANOS;
    while (setup.reuse() && System.nanoTime() < end) {
      try {
        bookie.directory().written(0, 0);
        if (bookie.directory().spareReady()) {
          reused++;
          return;
        }
      } catch (DirectoryIteratorException e) {
        throw new AssertionError("an unreadable directory ends the journal's thread", e);
      } catch (RuntimeException | Error e) {
        return;
      }
      LockSupport.parkNanos(1_000_000);
    }
  }

  /** The devices hold what a cut left; the bookie replays, flushes, and goes on. */
  private void restart(Cut cut) throws IOException {
    JournalJudge judge = judge(cut);
    bookie.kill();
    cut.restore();
    long next = bookie.next() + 100;
    bookie.flushed.addAll(judge.replayed());
    Mark end = judge.end();
    bookie =
        new ScriptedBookie(
            bookie.journals,
            bookie.ledgers,
            setup.reuse(),
            end,
            next,
            bookie.acknowledged,
            bookie.flushed);
    for (int i = 0; i < 12; i++) {
      bookie.group(2);
    }
    bookie.forceAll();
    bookie.complete(new Checkpoint(bookie.newCheckpoint().mark(), List.of()));
    bookie.flushed.addAll(new HashSet<>(bookie.acknowledged));
    bookie.group(3);
    bookie.forceAll();
    for (int i = 0; i < CUTS; i++) {
      judge(disks.cut(power));
    }
  }

  @Override
  public void close() throws IOException {
    bookie.kill();
    disks.close();
  }
}
