// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import io.headpond.store.layout.SegmentMove;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A cooperative scheduler: the threads of one group stop at each call of a simulated device, and
 * when all of them have stopped or wait for each other, a seed chooses the one that goes on.
 *
 * <p>One thread, which is not in the group's turns, runs {@link #play}. Between two choices nothing
 * moves, so that it may look at the devices and at the model meanwhile. A thread that waits for
 * time to pass is taken for one that waits; where it goes on by itself, a seed doesn't repeat the
 * order.
 */
final class Schedule implements ModelDisk.Turns, AutoCloseable {
  private static final long LOOK_AGAIN_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

  /** A thread that runs for so long without a call waits in a loop of its own. */
  private static final long RUNNING_NANOS_MAX = TimeUnit.MILLISECONDS.toNanos(500);

  /** Longer than any wait of the store that ends by itself. */
  private static final long HANGING_NANOS = TimeUnit.SECONDS.toNanos(60);

  /**
   * As often in a row nobody runs before the first turn: of some threads the kernel isn't asked.
   */
  private static final int LOOKS_AT_REST = 20;

  private static final int THREADS_MAX = 64;

  /** Something happens between two calls. */
  interface Between {
    void run() throws Exception;
  }

  /** A thread that is about to make a call. */
  private static final class Waiting {
    private final Thread thread;
    private final ModelFaults.Call call;
    private final Path path;
    private final boolean made;
    private volatile boolean chosen;
    private volatile boolean gone;

    Waiting(final Thread thread, final ModelFaults.Call call, final Path path, final boolean made) {
      this.made = made;
      this.thread = thread;
      this.call = call;
      this.path = path;
    }

    String order() {
      return thread.getName() + " " + call + " " + path;
    }
  }

  private final ThreadGroup group;
  private final ChoiceOfTurn choice;
  private final Map<Thread, Waiting> waiting = new ConcurrentHashMap<>();
  private final Map<Thread, ThreadStat> stats = new ConcurrentHashMap<>();
  private final Map<Thread, String> players = new HashMap<>();
  private final List<String> trace = new ArrayList<>();
  private final Path root;
  private volatile Thread controller;
  private volatile boolean active;
  private Waiting last;

  /**
   * A schedule that has yet to be played.
   *
   * @param group whose threads take turns, but for the one that plays
   * @param root is left out of what is shown of paths
   */
  Schedule(final ThreadGroup group, final ChoiceOfTurn choice, final Path root) {
    this.group = group;
    this.root = root;
    this.choice = choice;
  }

  @Override
  public void await(final ModelFaults.Call call, final Path path, final boolean made) {
    final Thread me = Thread.currentThread();
    if (me.getThreadGroup() != group || me == controller) {
      return;
    }
    if (!active) {
      stats.computeIfAbsent(me, thread -> ThreadStat.ofCaller());
    } else if (choice.stops(call)) {
      stop(call, path, made);
    }
  }

  /** The calling thread stops until it is chosen. */
  private void stop(final ModelFaults.Call call, final Path path, final boolean made) {
    final Thread me = Thread.currentThread();
    stats.computeIfAbsent(me, thread -> ThreadStat.ofCaller());
    final Waiting mine = new Waiting(me, call, path, made);
    waiting.put(me, mine);
    LockSupport.unpark(controller);
    boolean interrupted = false;
    while (!mine.chosen && active) {
      LockSupport.park(this);
      interrupted |= Thread.interrupted();
    }
    mine.gone = true;
    if (interrupted) {
      me.interrupt();
    }
  }

  /** Waits until none of the threads runs. By the thread that will play. */
  void awaitRest() {
    controller = Thread.currentThread();
    for (int i = 0; i < LOOKS_AT_REST; i++) {
      awaitQuiet();
      LockSupport.parkNanos(this, LOOK_AGAIN_NANOS);
    }
  }

  /** The calling thread begins something, when it is chosen to. */
  void beginSomething() {
    if (active) {
      stop(ModelFaults.Call.ATTRIBUTES, root, false);
    }
  }

  /** Threads that are started from now on take turns, and so do those that are there. */
  void begin() {
    controller = Thread.currentThread();
    active = true;
  }

  /**
   * Lets one after the other go on, until these threads have ended and no other wants to.
   *
   * @param between comes before each choice
   * @throws AssertionError if threads wait for each other for ever
   */
  void play(final List<Thread> until, final Between between) throws Exception {
    long hanging = 0;
    while (true) {
      awaitQuiet();
      if (waiting.isEmpty()) {
        if (until.stream().noneMatch(Thread::isAlive)) {
          return;
        }
        hanging = hanging == 0 ? System.nanoTime() : hanging;
        if (System.nanoTime() - hanging > HANGING_NANOS) {
          throw new AssertionError("nobody goes on:\n" + stacks());
        }
        LockSupport.parkNanos(LOOK_AGAIN_NANOS);
        continue;
      }
      hanging = 0;
      between.run();
      letGo(chosen());
    }
  }

  private Waiting chosen() {
    final List<Waiting> all = new ArrayList<>(waiting.values());
    all.sort(Comparator.comparing(Waiting::order));
    for (final Waiting each : all) {
      if (!players.containsKey(each.thread)) {
        players.put(each.thread, each.thread.getName() + "#" + players.size());
      }
    }
    all.sort(Comparator.comparing(each -> players.get(each.thread)));
    final List<ChoiceOfTurn.Candidate> candidates = new ArrayList<>();
    for (final Waiting each : all) {
      candidates.add(
          new ChoiceOfTurn.Candidate(players.get(each.thread), each.call, each.made, isName(each)));
    }
    return all.get(choice.next(candidates));
  }

  /** Is it a change of a name in a log directory, or the force of one? */
  private boolean isName(final Waiting each) {
    final Path path = root.relativize(each.path);
    return path.toString().startsWith("home")
        && (each.call != ModelFaults.Call.FORCE
            || path.getNameCount() <= 2 && !SegmentMove.isTemporary(path.getFileName().toString()));
  }

  private void letGo(final Waiting next) {
    trace.add(
        players.get(next.thread)
            + " "
            + next.call
            + (next.made ? " returns " : " ")
            + root.relativize(next.path));
    last = next;
    waiting.remove(next.thread);
    next.chosen = true;
    LockSupport.unpark(next.thread);
  }

  /** Every thread has stopped at a call, or waits. */
  private void awaitQuiet() {
    final long started = System.nanoTime();
    while (!(quiet(false) && quiet(true))) {
      if (System.nanoTime() - started > RUNNING_NANOS_MAX) {
        return;
      }
      LockSupport.parkNanos(this, LOOK_AGAIN_NANOS);
    }
  }

  /**
   * Looks at all threads once.
   *
   * @param closely also whether the kernel lets one run that the JVM still takes for waiting?
   */
  private boolean quiet(final boolean closely) {
    if (last != null && !last.gone) {
      return false;
    }
    final Thread[] threads = new Thread[THREADS_MAX];
    final int count = group.enumerate(threads);
    for (int i = 0; i < count; i++) {
      final Thread thread = threads[i];
      if (thread != controller && !waiting.containsKey(thread) && !waits(thread, closely)) {
        return false;
      }
    }
    return true;
  }

  private boolean waits(final Thread thread, final boolean closely) {
    return switch (thread.getState()) {
      case TERMINATED -> true;
      case BLOCKED, WAITING, TIMED_WAITING -> {
        final ThreadStat stat = closely ? stats.get(thread) : null;
        yield stat == null || stat.sleeps();
      }
      default -> false;
    };
  }

  private String stacks() {
    final Thread[] threads = new Thread[THREADS_MAX];
    final int count = group.enumerate(threads);
    final StringBuilder all = new StringBuilder();
    for (int i = 0; i < count; i++) {
      all.append(threads[i].getName()).append(' ').append(threads[i].getState()).append('\n');
      for (final StackTraceElement frame : threads[i].getStackTrace()) {
        all.append("    ").append(frame).append('\n');
      }
    }
    return all.toString();
  }

  /** The call that was made last; null if there was none. */
  ModelFaults.Call last() {
    return last == null ? null : last.call;
  }

  /** Has the last call given a name in a log directory another meaning? */
  boolean renamed() {
    return last != null && last.call == ModelFaults.Call.RENAME && last.made && isName(last);
  }

  /** How often somebody was chosen. */
  int steps() {
    return trace.size();
  }

  /** Who was chosen, and for which call, and by what rule. */
  String trace() {
    return choice + "\n  " + String.join("\n  ", trace);
  }

  /** Everybody goes on at once. */
  void end() {
    active = false;
    waiting.keySet().forEach(LockSupport::unpark);
    waiting.clear();
    last = null;
  }

  @Override
  public void close() {
    end();
    stats.values().forEach(ThreadStat::close);
  }
}
