// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.mirror;

import io.headpond.pmem.Background;
import io.headpond.pmem.Shortage;
import io.headpond.store.config.MirrorLag;
import io.headpond.store.config.TierConfig;
import io.headpond.store.event.BackgroundCodes;
import io.headpond.store.event.Events;
import io.headpond.store.event.Incident;
import io.headpond.store.event.PlainText;
import io.headpond.store.facts.Count;
import io.headpond.store.facts.Counters;
import io.headpond.store.facts.StoreFacts;
import io.headpond.store.facts.TimeSource;
import io.headpond.store.home.HomeSpace;
import io.headpond.store.layout.DirectoryForce;
import io.headpond.store.layout.MirrorName;
import io.headpond.store.layout.MirrorState;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;

/**
 * The mirrors of one log directory, and the thread that keeps them up in rounds. A round copies
 * what was appended to each segment until it began, forces all of it, and then says that everything
 * up to its beginning is there. In the time until the next one it brings further what a start
 * found, and copies some of what that round would. Any thread.
 *
 * <p>Design note: rounds begin at all times, not when there is something to do, so that an append
 * sees by one look at a time whether the mirror is within its limit.
 */
public final class HomeMirror implements SegmentMirror.Rounds, AutoCloseable {
  private static final String THREAD_NAME = "headpond-mirror";

  /** Longest sleep of a thread that waits for a round, and the pause after a round that failed. */
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Between two pieces that are copied ahead: the engine's threads have the processor. */
  private static final long PIECE_PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

  /** Mirrors whose descriptors stay open from one round to the next. */
  private static final int OPEN_MAX = 256;

  private static final int REST_TIMES = 9;
  private static final long CLOSE_MS = TimeUnit.MINUTES.toMillis(1);

  private final HomeSpace space;
  private final Path logDir;
  private final Function<Path, TierConfig> tierOf;
  private final DirectoryForce directoryForce;
  private final Counters counters;
  private final TimeSource time;
  private volatile boolean acknowledges;
  private final MirrorRounds schedule;
  private final Thread thread;
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(MirrorCopy.CHUNK_BYTES);
  private final ByteBuffer other = ByteBuffer.allocateDirect(MirrorCopy.CHUNK_BYTES);

  /** By the tier file. */
  private final Map<Path, SegmentMirror> mirrors = new ConcurrentHashMap<>();

  private final DirtyMirrors dirty = new DirtyMirrors();

  private final UnreadMirrors unread = new UnreadMirrors();

  /** Those that a start found, or that lost what they had. */
  private final Queue<SegmentMirror> backlog = new ConcurrentLinkedQueue<>();

  private final Queue<SegmentMirror> dropped = new ConcurrentLinkedQueue<>();

  /** Those whose descriptors may be open, the least recently used first. By the mirror's thread. */
  private final Set<SegmentMirror> open = new LinkedHashSet<>();

  /** Of the last round that began, and of the last one that was whole. */
  private volatile long begun;

  private volatile long done;
  private volatile long untilNanos;
  private volatile long untilMs;

  /** True if somebody waits for a round. */
  private volatile boolean asked;

  /** True while home has no room, or fails: appends go on without. */
  private volatile boolean suspended;

  /** True once a segment goes on without a mirror; the next start makes one again. */
  private volatile boolean givenUp;

  /** True once it is known which mirrors a former process has left. */
  private volatile boolean scanned;

  private volatile boolean closed;

  private final MirrorNotice notice;

  /** The first failure of the steps that are under way; null: none. By the mirror's thread. */
  private IOException failure;

  private long lastBegunNanos;

  /** Those that can't be read were tried again then, whether or not they were appended to. */
  private long triedNanos;

  /** Until then steps of catching up wait for rounds that somebody waits for. */
  private long restUntilNanos;

  private final Object rounds = new Object();

  /**
   * The mirrors of a log directory.
   *
   * @param tierOf the mirrored tier that a tier file lies in; null: it lies in none
   * @param limitNanos the shortest time that one of its tiers' mirrors may be behind
   * @param acknowledges do all appends to mirrored tiers wait for the mirrors?
   */
  public HomeMirror(
      final HomeSpace space,
      final Function<Path, TierConfig> tierOf,
      final long limitNanos,
      final boolean acknowledges,
      final DirectoryForce directoryForce,
      final Counters counters,
      final Background background,
      final TimeSource time) {
    this.space = space;
    this.tierOf = tierOf;
    this.directoryForce = directoryForce;
    this.counters = counters;
    this.time = time;
    logDir = space.path();
    notice = new MirrorNotice(this, logDir);
    this.acknowledges = acknowledges;
    schedule = new MirrorRounds(limitNanos);
    untilNanos = time.nanos();
    untilMs = time.millis();
    lastBegunNanos = time.nanos() - PATIENCE_NANOS;
    restUntilNanos = lastBegunNanos;
    triedNanos = lastBegunNanos;
    thread = background.loop(THREAD_NAME, this::turn);
  }

  /** Asks home; after it, appends may come. */
  public void start() {
    notice.begin();
    thread.start();
  }

  /** Other tiers are mirrored from now on. Returns when what is said for them is on disk. */
  public void limit(final long limitNanos, final boolean waited) {
    schedule.limit(limitNanos);
    acknowledges = waited;
    final long needed = begun + 1; // one that said the former may be under way
    await(() -> done >= needed);
  }

  @Override
  public void forceNames() throws IOException {
    directoryForce.force(logDir);
  }

  @Override
  public long stepBytes() {
    return space.copySteps().forces().bytes();
  }

  @Override
  public void copied(final long bytes) {
    counters.add(Count.MIRRORED_BYTES, bytes);
  }

  @Override
  public void dirty(final SegmentMirror mirror) {
    dirty.add(mirror);
  }

  /**
   * The mirror of a tier file.
   *
   * @param tier that it lies in
   * @param bytes of its segment
   * @param isNew was the file made just now, empty?
   */
  public SegmentMirror of(
      final Path file, final TierConfig tier, final long bytes, final boolean isNew) {
    final SegmentMirror known = mirrors.get(file);
    if (known != null) {
      return known;
    }
    final SegmentMirror made =
        new SegmentMirror(
            this,
            new MirrorFile(this, logDir, MirrorName.ofTierFile(file), file),
            tier.mirror().orElseThrow().toNanos(),
            tier.mirrorLag() == MirrorLag.WAIT,
            bytes,
            isNew);
    final SegmentMirror before = mirrors.putIfAbsent(file, made);
    if (before == null && isNew) {
      dirty(made);
    } else if (before == null) {
      backlog.add(made);
    }
    return before == null ? made : before;
  }

  /** The mirror of a tier file; null: none was asked for or found yet. */
  public SegmentMirror known(final Path file) {
    return mirrors.get(file);
  }

  /** A tier file is gone, and so is the name that led to it, durably. */
  public void drop(final Path file) {
    final SegmentMirror known = mirrors.get(file);
    // One that a former process has left, and this one never opened, has a file too.
    final MirrorFile left = new MirrorFile(this, logDir, MirrorName.ofTierFile(file), file);
    dropped.add(known == null ? new SegmentMirror(this, left, 0, false, 0, true) : known);
  }

  @Override
  public void drop(final SegmentMirror mirror) {
    dropped.add(mirror);
  }

  @Override
  public void giveUp(final SegmentMirror mirror) {
    givenUp = true;
    dropped.add(mirror);
  }

  /** A start found a segment; true if it is to be mirrored. */
  private boolean found(final Path tierFile, final long bytes) {
    final TierConfig tier = tierOf.apply(tierFile);
    if (tier != null && MirrorName.ofTierFile(tierFile) != null) {
      of(tierFile, tier, bytes, false);
    }
    return tier != null;
  }

  private boolean has(final String key) {
    return mirrors.keySet().stream().anyMatch(file -> key.equals(MirrorName.ofTierFile(file)));
  }

  @Override
  public void failed(final Path tierFile, final IOException e) {
    Events.LOG.debug("{}: {}", tierFile, e.toString());
  }

  @Override
  public void awaitForced(final SegmentMirror mirror, final long bytes) throws UnmirroredException {
    askFor(mirror, bytes);
    final long needed = begun + 1; // one that began after the append
    await(() -> mirror.forced() >= bytes || done >= needed || mirror.gone());
    refuse(mirror, unread.against(mirror, bytes));
  }

  @Override
  public void awaitWithin(final SegmentMirror mirror, final long limitNanos, final long nowNanos)
      throws UnmirroredException {
    if (!scanned || nowNanos - untilNanos(mirror) <= limitNanos) {
      return;
    }
    askFor(mirror, mirror.told());
    final long needed = begun + 1;
    await(
        () ->
            time.nanos() - untilNanos(mirror) <= limitNanos
                || mirror.gone()
                || done >= needed && unread.against(mirror, mirror.told()) != null);
    if (time.nanos() - untilNanos(mirror) > limitNanos) {
      refuse(mirror, unread.against(mirror, mirror.told()));
    }
  }

  /** The next round tries what keeps an append from being safe again. */
  private void askFor(final SegmentMirror mirror, final long bytes) {
    final UnreadMirrors.Unread lacking = unread.against(mirror, bytes);
    if (lacking != null) {
      dirty(lacking.mirror());
    }
  }

  /** The time until which everything acknowledged is there that a segment's log needs. */
  private long untilNanos(final SegmentMirror mirror) {
    final long until = untilNanos;
    final UnreadMirrors.Unread lacking = unread.against(mirror, mirror.told());
    return lacking == null || until - lacking.untilNanos() < 0 ? until : lacking.untilNanos();
  }

  /** Home is well, but what is to be written there isn't known; null: it is. */
  private void refuse(final SegmentMirror mirror, final UnreadMirrors.Unread lacking)
      throws UnmirroredException {
    if (lacking != null && !suspended && !mirror.gone()) {
      throw new UnmirroredException(mirror, lacking.mirror(), lacking.failure());
    }
  }

  private interface Reached {
    boolean now();
  }

  private void await(final Reached reached) {
    boolean interrupted = false;
    synchronized (rounds) {
      while (scanned && !suspended && !closed && !reached.now()) {
        asked = true;
        LockSupport.unpark(thread);
        try {
          rounds.wait(TimeUnit.NANOSECONDS.toMillis(PATIENCE_NANOS));
        } catch (final InterruptedException e) {
          interrupted = true;
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean turn() throws IOException {
    while (!asked && !closed && !due()) {
      time.pause(this, schedule.lookNanos());
      final long untilNanosMax = time.nanos() + schedule.lookNanos();
      steps(() -> copyAhead(untilNanosMax));
    }
    asked = false;
    final boolean last = closed;
    if (!scanned) {
      new MirrorScan(logDir, this::found, this::has).run();
      scanned = true;
    }
    steps(this::round);
    return !last;
  }

  /** Goes through steps at the mirrors. If one of them fails, appends go on without. */
  private void steps(final Runnable all) {
    failure = null;
    all.run();
    if (failure != null) {
      suspend(PlainText.reason(failure), failure);
    }
  }

  private boolean due() {
    final long sinceNanos = time.nanos() - lastBegunNanos;
    return suspended ? sinceNanos >= PATIENCE_NANOS : schedule.due(sinceNanos, dirty.behindBytes());
  }

  /**
   * Copies bit by bit what the next round would copy at once: that would take a processor away from
   * the engine's threads for milliseconds. The round has what is left of it, and the force.
   */
  private void copyAhead(final long untilNanosMax) {
    if (!scanned
        || suspended
        || !schedule.copiesAhead()
        || space.low()
        || dirty.size() > OPEN_MAX) {
      return;
    }
    SegmentMirror mirror = dirty.first();
    while (mirror != null && failure == null && !asked && time.nanos() - untilNanosMax < 0) {
      if (!unread.has(mirror) && copyPiece(mirror)) {
        LockSupport.parkNanos(this, PIECE_PAUSE_NANOS);
      } else {
        mirror = mirror.next;
      }
    }
  }

  /** True if it may have more. */
  private boolean copyPiece(final SegmentMirror mirror) {
    final boolean[] more = new boolean[1];
    attempt(mirror, () -> more[0] = mirror.copyAhead(buffer));
    return more[0];
  }

  private void round() {
    final long startNanos = time.nanos();
    final long startMs = time.millis();
    lastBegunNanos = startNanos;
    final long number = begun + 1;
    begun = number; // before it is looked who was appended to
    removeDropped();
    if (space.low()) {
      suspend("it has no more free than headpond.home.reserve", null);
      return;
    }
    final long behindBytes = dirty.behindBytes();
    final List<SegmentMirror> behind = dirty.take();
    boolean written = false;
    try {
      tryUnread(behind, startNanos);
      writeHome(behind);
      written = failure == null;
    } finally {
      if (!written) { // also after an error of the JVM: the next round must know of them
        behind.forEach(this::dirty);
        rest(behind);
      }
    }
    if (!written) {
      return;
    }
    behind.forEach(SegmentMirror::published);
    unread.ended(number, behind);
    publish(number, startNanos, startMs);
    schedule.ended(behindBytes, time.nanos() - startNanos);
    rest(behind);
    catchUp(startNanos + schedule.earliestNanos());
  }

  /** Lets the descriptors of all but some go; so also while rounds fail, and segments come. */
  private void rest(final List<SegmentMirror> behind) {
    for (final SegmentMirror mirror : behind) {
      open.remove(mirror);
      open.add(mirror);
      attempt(mirror, () -> mirror.rest(true));
    }
    final Iterator<SegmentMirror> oldest = open.iterator();
    while (open.size() > OPEN_MAX) {
      final SegmentMirror mirror = oldest.next();
      oldest.remove();
      attempt(mirror, () -> mirror.rest(false));
    }
  }

  /** Copies and forces what there is of some mirrors, and their names. */
  private void writeHome(final List<SegmentMirror> behind) {
    behind.forEach(this::copy);
    boolean named = false;
    for (final SegmentMirror mirror : behind) {
      mirror.mark();
      force(mirror);
      attempt(mirror, mirror::awaitName);
      named |= mirror.isNameUnforced();
    }
    if (failure == null && named) {
      attempt(null, this::forceNames);
    }
  }

  private boolean copy(final SegmentMirror mirror) {
    return attempt(mirror, () -> mirror.copy(buffer));
  }

  /**
   * Tries those again that couldn't be read, whether or not they were appended to; not the others
   * if one still can't: each may take a device's time to give up.
   */
  private void tryUnread(final List<SegmentMirror> behind, final long nowNanos) {
    if (unread.isEmpty() || nowNanos - triedNanos < PATIENCE_NANOS) {
      return;
    }
    triedNanos = nowNanos;
    for (final SegmentMirror mirror : unread.oldestFirst()) {
      if (!behind.contains(mirror)) {
        if (!copy(mirror)) {
          return;
        }
        behind.add(mirror);
      }
    }
  }

  private void force(final SegmentMirror mirror) {
    attempt(mirror, mirror::force);
  }

  private interface Step {
    void run() throws IOException;
  }

  /** A step at one mirror; null: at all of them. True if it was made. */
  private boolean attempt(final SegmentMirror mirror, final Step step) {
    try {
      step.run();
      return true;
    } catch (final IOException e) {
      final FileSystemException ofSource = mirror == null ? null : mirror.sourceFailure(e);
      if (ofSource == null || mirror.live() && Shortage.ofDescriptors(e, logDir)) {
        failure = failure == null ? e : failure;
      } else if (!isNeeded(mirror, ofSource)) {
        drop(mirror);
      } else {
        readFailed(mirror, ofSource);
      }
      return false;
    }
  }

  /**
   * False for a mirror that was dropped or made for a move that failed: it rightly has no source.
   */
  private boolean isNeeded(final SegmentMirror mirror, final FileSystemException e) {
    return !mirror.gone()
        && !dropped.contains(mirror)
        && (!(e instanceof NoSuchFileException) || MirrorScan.isSegments(logDir, mirror.source()));
  }

  /** Its tier file can't be read: that isn't home's, and concerns nobody but its log. */
  private void readFailed(final SegmentMirror mirror, final FileSystemException e) {
    failed(mirror.source(), e);
    if (mirror.live()) {
      if (unread.isEmpty()) {
        BackgroundCodes.MIRROR_UNREAD.log(mirror.source(), PlainText.reason(e), e);
      }
      unread.add(mirror, e, begun, untilNanos);
    }
    try {
      mirror.rest(false); // it may be there again, as another file
    } catch (final IOException atHome) {
      failure = failure == null ? atHome : failure;
    }
  }

  private void removeDropped() {
    for (SegmentMirror mirror = dropped.poll(); mirror != null; mirror = dropped.poll()) {
      if (givenUp) {
        sayIncomplete(); // before it goes: it may be one that was given up just now
      }
      mirrors.remove(mirror.source());
      open.remove(mirror);
      unread.remove(mirror);
      try {
        mirror.drop();
      } catch (final IOException e) {
        failed(mirror.source(), e); // the next start finds it
      }
    }
  }

  private void publish(final long number, final long startNanos, final long startMs) {
    final boolean allRead = unread.isEmpty();
    final boolean kept = allRead && !givenUp;
    untilMs = allRead ? startMs : untilMs;
    // What was appended during this round, while nobody waited, is the next one's.
    notice.say(
        new MirrorState(backlog.isEmpty() && kept, acknowledges && !suspended && kept, untilMs));
    synchronized (rounds) {
      done = number;
      untilNanos = startNanos;
      if (suspended) {
        suspended = false;
        Events.LOG.info("{}: the mirrors of its tiers go on", logDir);
      }
      rounds.notifyAll();
    }
  }

  private void sayIncomplete() {
    notice.say(new MirrorState(false, false, untilMs));
  }

  /** Appends go on without; the next round tries it again. */
  private void suspend(final String why, final IOException cause) {
    if (!suspended) { // said before an append is acknowledged without
      sayIncomplete();
      BackgroundCodes.MIRROR_SUSPENDED.log(logDir, why, cause);
      counters.incidents.note(Incident.MIRROR_SUSPENDED, logDir + ": " + why);
    }
    synchronized (rounds) {
      suspended = true;
      rounds.notifyAll();
    }
  }

  /** Until the next round is due; while somebody waits for that, in a tenth of the time. */
  private void catchUp(final long untilNanosMax) {
    while (!backlog.isEmpty() && !closed && time.nanos() - untilNanosMax < 0) {
      final long begunNanos = time.nanos();
      if (asked && begunNanos - restUntilNanos < 0) {
        return;
      }
      final SegmentMirror mirror = backlog.peek();
      final boolean[] is = new boolean[1];
      final boolean made = attempt(mirror, () -> is[0] = mirror.catchUp(buffer, other));
      if (!made && !dropped.contains(mirror)) {
        backlog.add(backlog.remove()); // the others first
        attempt(mirror, () -> mirror.rest(false));
        return;
      }
      if (is[0] || mirror.gone() || dropped.contains(mirror)) {
        backlog.remove();
        attempt(mirror, () -> mirror.rest(false));
      }
      final long nowNanos = time.nanos();
      restUntilNanos = nowNanos + REST_TIMES * (nowNanos - begunNanos);
    }
  }

  /** True if nothing is left to be mirrored, or can't be. Any thread. */
  public boolean settled() {
    if (suspended || !scanned || dirty.first() == null && done == begun && dropped.isEmpty()) {
      return true;
    }
    asked = true;
    LockSupport.unpark(thread);
    return false;
  }

  /** Bytes that the mirrors hold durably. Any thread. */
  public long bytes() {
    return mirrors.values().stream().mapToLong(SegmentMirror::forced).sum();
  }

  /** As it is now. Any thread. */
  public StoreFacts.Mirror facts() {
    long behind = 0;
    long catchingUp = 0;
    for (final SegmentMirror mirror : mirrors.values()) {
      if (mirror.live()) {
        behind += mirror.behindBytes();
      } else {
        catchingUp += mirror.behindBytes();
      }
    }
    return new StoreFacts.Mirror(
        space.id(),
        logDir,
        TimeUnit.NANOSECONDS.toMillis(Math.max(0, time.nanos() - unread.untilNanos(untilNanos))),
        behind,
        catchingUp,
        suspended);
  }

  /** Ends with a last round. */
  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
    try {
      thread.join(CLOSE_MS);
    } catch (final InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    synchronized (rounds) {
      rounds.notifyAll();
    }
    for (final SegmentMirror mirror : mirrors.values()) {
      try {
        mirror.rest(false);
      } catch (final IOException e) {
        failed(mirror.source(), e);
      }
    }
  }
}
