// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import static io.headpond.store.StoreFixture.await;

import io.headpond.store.claim.SegmentProof;
import io.headpond.store.facts.TimeSource;
import io.headpond.store.layout.MirrorName;
import io.headpond.store.layout.MirrorState;
import io.headpond.store.layout.NameLook;
import io.headpond.store.tier.TierDirectory;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * One seed of an engine that appends to logs in a mirrored tier, truncates, rolls, moves and
 * deletes, with looks at what a power cut and the loss of the tier would leave.
 */
public final class MirrorRun {
  private static final int STEPS = 60;
  private static final int LOGS = 2;
  private static final int BYTES_MAX = 9_000;
  private static final int LOOK_ONE_IN = 12;

  /** Of a search for a defect, which may show itself between two operations only. */
  private static final int SEARCH_ONE_IN = 2;

  private static final int OPERATIONS_MAX = 1_500;
  private static final int TIMES_WHOLE = 5;

  /** Each append waits for its mirror. */
  static final String WAITS = "0";

  /** No append waits, and rounds follow one another at once. */
  static final String BEHIND = "4ms";

  private final Random random;
  private final Random power;
  private final ModelRun run;
  private final boolean waits;

  /** By the segments' names; guarded by the disk's monitor, as is all below. */
  private final Map<String, Said> segments = new TreeMap<>();

  /** Segments so far: a name isn't used again, which a power cut could lead elsewhere. */
  private int made;

  private long looks;

  /** Until the power cut that a restart is made after; negative: none is wanted. */
  private long operationsLeft = -1;

  private ModelImage left;

  /** What the engine had been told when the power was cut. */
  private final Map<String, Said> toldThen = new TreeMap<>();

  /** Contents by the keys that tier files and mirrors share, for the start after that. */
  private final Map<String, byte[]> contents = new HashMap<>();

  /** Does the start after that believe a mirror that has more than the tier? */
  private boolean recovers = true;

  /** The step from which on nothing can be read from the tier any more. */
  private int unreadableFrom = STEPS;

  private boolean unreadable;
  private long reads;

  private Runnable cut = () -> {};
  private int lookOneIn = LOOK_ONE_IN;
  private final List<String> steps = new ArrayList<>();
  private AssertionError failure;

  /** What the engine was told of one segment. */
  private static final class Said {
    /** What it has written, also what hasn't returned. */
    private byte[] content = new byte[0];

    /** So much of it was acknowledged. */
    private int acknowledged;

    /** An operation other than an append is under way: nothing is known. */
    private boolean changing;

    /** So much was acknowledged in the tier when that could be read for the last time. */
    private int readable;

    private Said copy() {
      final Said copy = new Said();
      copy.content = content;
      copy.acknowledged = acknowledged;
      copy.changing = changing;
      return copy;
    }
  }

  /** What the engine wrote is whole, and nothing else. */
  private final class Written implements SegmentProof {
    @Override
    public long wholeBytes(final Path segment, final long end) throws IOException {
      final String tierKey = MirrorName.ofTierFile(segment);
      final byte[] written =
          contents.getOrDefault(
              tierKey == null ? MirrorName.ofMirror(segment) : tierKey, new byte[0]);
      final byte[] there = Files.readAllBytes(segment);
      final int differs = Arrays.mismatch(there, written);
      return differs < 0 ? there.length : differs;
    }

    @Override
    public boolean recovers(final Path logDir) {
      return recovers;
    }

    @Override
    public Map<String, Long> forcedOffsets(final Path logDir) {
      return Map.of();
    }
  }

  private MirrorRun(final long seed, final String limit) throws Exception {
    waits = limit.equals(WAITS);
    random = new Random(seed);
    power = new Random(~seed);
    run =
        new ModelRun(ModelRun.Setup.of(false, "file"), seed)
            .with("headpond.tier.t0.mirror", limit)
            .with("headpond.tier.t0.mirror.lag", "continue")
            .with("headpond.tier.t0.capacity", "16MiB")
            .with("headpond.tier.t0.migrate.threshold", "-1")
            .with(new Written())
            .with(waits ? new FastTime() : TimeSource.SYSTEM);
  }

  /** Called by name, in classes of which one has a defect. */
  public static String find(final long seedsMax) throws Exception {
    return find(seedsMax, WAITS, () -> new ModelDisk.Defect() {});
  }

  /** The same where no append waits. */
  public static String findBehind(final long seedsMax) throws Exception {
    return find(seedsMax, BEHIND, () -> new ModelDisk.Defect() {});
  }

  /** The same with restarts. */
  public static String findAfterRestart(final long seedsMax) throws Exception {
    for (long seed = 1; seed <= seedsMax; seed++) {
      try {
        restart(seed);
      } catch (final AssertionError e) {
        return e.getMessage();
      }
    }
    return null;
  }

  /** What the first seed that fails says; null: none does. */
  static String find(
      final long seedsMax, final String limit, final Supplier<ModelDisk.Defect> defect)
      throws Exception {
    for (long seed = 1; seed <= seedsMax; seed++) {
      try {
        final MirrorRun played = new MirrorRun(seed, limit);
        played.lookOneIn = SEARCH_ONE_IN;
        played.playWith(defect.get(), seed);
      } catch (final AssertionError e) {
        return e.getMessage();
      }
    }
    return null;
  }

  /** Plays a seed; the number of power cuts that were looked at. */
  static long play(final long seed, final String limit) throws Exception {
    return new MirrorRun(seed, limit).playWith(new ModelDisk.Defect() {}, seed);
  }

  /** Plays a seed with a defect of the disk's. */
  static long play(final long seed, final ModelDisk.Defect defect) throws Exception {
    return new MirrorRun(seed, WAITS).playWith(defect, seed);
  }

  /** Plays a seed, telling of each power cut in the thread that it stops. */
  static long play(final long seed, final ModelDisk.Defect defect, final Runnable cut)
      throws Exception {
    final MirrorRun played = new MirrorRun(seed, WAITS);
    played.cut = cut;
    return played.playWith(defect, seed);
  }

  /**
   * Plays a segment that is sealed again and again, so that its mirror is called whole, and goes on
   * when its successor was deleted, with a look at each operation. No append waits.
   */
  static long goOn(final long seed, final ModelDisk.Defect defect) throws Exception {
    final MirrorRun played = new MirrorRun(seed, BEHIND);
    played.lookOneIn = 1;
    try (ModelRun run = played.run) {
      run.disk.plant(defect);
      played.goOn();
      return played.looks;
    } catch (final AssertionError e) {
      throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
    }
  }

  /**
   * Plays a seed in which nothing can be read from the tier any more after some step. Where appends
   * wait for the mirrors, all goes on, and all is read; where none does, nothing is appended any
   * more, and what is read is right.
   *
   * @return the reads that succeeded then
   */
  static long playUnreadable(final long seed, final String limit) throws Exception {
    final MirrorRun played = new MirrorRun(seed, limit);
    played.unreadableFrom = STEPS / 2 + played.power.nextInt(STEPS / 2);
    played.playWith(new ModelDisk.Defect() {}, seed);
    return played.reads;
  }

  /** Called by name, as the others, with a defect that such a seed finds. */
  public static String findUnreadable(final long seedsMax) throws Exception {
    for (long seed = 1; seed <= seedsMax; seed++) {
      try {
        playUnreadable(seed, WAITS);
      } catch (final AssertionError e) {
        return e.getMessage();
      }
    }
    return null;
  }

  private void goOn() throws Exception {
    run.disk.createDirectory(run.real("home0/t-0"));
    run.start();
    await("a state", () -> Files.exists(run.real("home0").resolve(MirrorState.FILE)));
    final String name = "home0/t-0/00000000000000000000.log";
    final Said said = new Said();
    try (FileChannel channel = run.open(name)) {
      segments.put(name, said);
      run.disk.listen(this::event);
      for (int i = 0; i < TIMES_WHOLE; i++) {
        append(channel, said);
        final Path whole =
            MirrorName.whole(
                run.real("home0"), MirrorName.ofTierFile(NameLook.target(run.real(name))));
        final String successor = String.format("home0/t-0/%020d.log", i + 1);
        final FileChannel next = run.open(successor);
        try {
          await("whole", () -> Files.exists(whole));
          run.store().delete(run.path(successor));
        } finally {
          next.close();
        }
        append(channel, said);
        append(channel, said);
        synchronized (run.disk) {
          if (failure != null) {
            throw failure;
          }
        }
      }
    } finally {
      run.disk.listen(() -> {});
    }
  }

  private long playWith(final ModelDisk.Defect defect, final long seed) throws Exception {
    try (ModelRun closed = run) {
      closed.disk.plant(defect);
      play();
      return looks;
    } catch (final AssertionError e) {
      throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
    }
  }

  /**
   * Plays a seed, whose power is cut at some operation, and starts again on what that left: for
   * each second seed as after a clean stop, with the tier as it is.
   *
   * @throws AssertionError if something that was acknowledged isn't there, although the tier has
   *     lost what wasn't forced, or a mirror that was caught up isn't what the tier has
   */
  static void restart(final long seed) throws Exception {
    final MirrorRun played = new MirrorRun(seed, WAITS);
    try (ModelRun run = played.run) {
      played.operationsLeft = 1 + played.power.nextInt(OPERATIONS_MAX);
      played.play();
      synchronized (run.disk) {
        if (played.left == null) {
          played.cutForGood();
        }
      }
      run.stop();
      run.disk.restore(played.left);
      played.recovers = seed % 2 == 0;
      final List<String> inTier = played.recovers ? played.inTier() : List.of();
      run.start();
      for (final String segment : inTier) {
        played.assertThere(segment, played.toldThen.get(segment));
      }
      played.assertMirrored();
    } catch (final AssertionError e) {
      throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
    }
  }

  private void cutForGood() {
    left = run.disk.cut(power);
    segments.forEach((name, said) -> toldThen.put(name, said.copy()));
  }

  /** The segments that the power cut has left in the tier, and of which something is promised. */
  private List<String> inTier() throws IOException {
    final List<String> found = new ArrayList<>();
    for (final Map.Entry<String, Said> each : toldThen.entrySet()) {
      final Path name = run.real(each.getKey());
      final Path tierFile = NameLook.exists(name) ? NameLook.target(name) : null;
      if (tierFile != null) {
        contents.put(MirrorName.ofTierFile(tierFile), each.getValue().content);
      }
      if (tierFile != null && !each.getValue().changing) {
        found.add(each.getKey());
      }
    }
    return found;
  }

  private void assertThere(final String segment, final Said said) throws IOException {
    final byte[] there = Files.readAllBytes(run.real(segment));
    final int end = said.acknowledged;
    if (there.length < end || Arrays.mismatch(there, 0, end, said.content, 0, end) >= 0) {
      throw new AssertionError(
          segment
              + ": "
              + end
              + " B were acknowledged, which aren't in its "
              + there.length
              + " B");
    }
  }

  private void assertMirrored() throws Exception {
    final Map<String, FileChannel> open = new TreeMap<>();
    try {
      for (int i = 0; i < LOGS; i++) {
        for (final Path name : NameLook.list(run.real("home0/t-" + i))) {
          final String segment = "home0/t-" + i + "/" + name.getFileName();
          open.put(segment, run.open(segment));
        }
      }
      await("caught up", () -> run.store().facts().mirrors().get(0).catchingUpBytes() == 0);
      for (final String segment : open.keySet()) {
        assertMirrored(run.real(segment));
      }
    } finally {
      for (final FileChannel channel : open.values()) {
        channel.close();
      }
    }
  }

  private void assertMirrored(final Path name) throws IOException {
    final Path tierFile = NameLook.target(name);
    if (tierFile == null || Files.size(tierFile) == 0) {
      return;
    }
    final String key = MirrorName.ofTierFile(tierFile);
    final Path whole = MirrorName.whole(run.real("home0"), key);
    final Path mirror = Files.exists(whole) ? whole : MirrorName.lagging(run.real("home0"), key);
    if (!Files.exists(mirror)) {
      throw new AssertionError(name + ": no mirror after the start");
    }
    final long differs = Files.mismatch(mirror, tierFile);
    if (differs >= 0) {
      throw new AssertionError(
          String.format(
              "%s: differs at %d from its tier file (%d B and %d B)",
              mirror, differs, Files.size(mirror), Files.size(tierFile)));
    }
  }

  private void play() throws Exception {
    for (int i = 0; i < LOGS; i++) {
      run.disk.createDirectory(run.real("home0/t-" + i));
    }
    run.start();
    await("a state", () -> Files.exists(run.real("home0").resolve(MirrorState.FILE)));
    run.disk.listen(this::event);
    final Map<String, FileChannel> open = new HashMap<>();
    try {
      for (int i = 0; i < STEPS; i++) {
        if (i == unreadableFrom) {
          failReads();
        }
        if (waits || i < unreadableFrom) {
          step(open);
        }
        if (i >= unreadableFrom) {
          readAll(open);
        }
        synchronized (run.disk) {
          if (failure != null) {
            throw failure;
          }
        }
      }
    } finally {
      for (final FileChannel channel : open.values()) {
        channel.close();
      }
      run.disk.listen(() -> {});
    }
  }

  private void failReads() {
    synchronized (run.disk) {
      unreadable = true; // what is new lies at home, where the engine's own forces count
      segments.forEach(
          (name, said) ->
              said.readable = Files.isSymbolicLink(run.real(name)) ? said.acknowledged : 0);
    }
    run.disk.faults().failReads(path -> path.startsWith(run.real("tier00/segments")));
  }

  private void readAll(final Map<String, FileChannel> open) {
    for (final Map.Entry<String, Said> each : segments.entrySet()) {
      final byte[] content = each.getValue().content;
      final byte[] read;
      try {
        read = read(open.get(each.getKey()), content.length);
        reads++;
      } catch (final IOException e) {
        if (waits) {
          throw new AssertionError(each.getKey() + ": can't be read: " + e.getMessage(), e);
        }
        continue;
      }
      if (!Arrays.equals(read, content)) {
        throw new AssertionError(
            each.getKey() + ": differs at " + Arrays.mismatch(read, content) + " when it is read");
      }
    }
  }

  private byte[] read(final FileChannel channel, final int length) throws IOException {
    final ByteArrayOutputStream sent = new ByteArrayOutputStream();
    if (random.nextBoolean()) {
      channel.transferTo(0, length + 1, Channels.newChannel(sent));
      return sent.toByteArray();
    }
    final ByteBuffer buffer = ByteBuffer.allocate(length + 1);
    while (channel.read(buffer, buffer.position()) > 0) {}
    return Arrays.copyOf(buffer.array(), buffer.position());
  }

  private void step(final Map<String, FileChannel> open) throws Exception {
    final String log = "home0/t-" + random.nextInt(LOGS) + "/";
    final String last = last(log);
    final int what = random.nextInt(20);
    synchronized (run.disk) {
      steps.add(what + " " + last + (last == null ? "" : " " + said(last).content.length));
    }
    if (last == null || what < 2) {
      final String name = log + String.format("%020d.log", made++);
      open.put(name, run.open(name));
      synchronized (run.disk) {
        segments.put(name, new Said());
      }
      if (what == 0) { // home, and up again while it is empty
        move(name);
        move(name);
      }
    } else if (what < 4) {
      truncate(open.get(last), said(last));
    } else if (what < 5) {
      move(last);
    } else if (what < 6) {
      delete(open, last);
    } else {
      append(open.get(last), said(last));
    }
  }

  private String last(final String log) {
    return segments.keySet().stream()
        .filter(name -> name.startsWith(log))
        .reduce((a, b) -> b)
        .orElse(null);
  }

  private Said said(final String name) {
    return segments.get(name);
  }

  private void append(final FileChannel channel, final Said said) throws Exception {
    final byte[] more = new byte[1 + random.nextInt(BYTES_MAX)];
    random.nextBytes(more);
    final int before = said.content.length;
    synchronized (run.disk) {
      said.content = Arrays.copyOf(said.content, before + more.length);
      System.arraycopy(more, 0, said.content, before, more.length);
    }
    channel.write(ByteBuffer.wrap(more), before);
    synchronized (run.disk) {
      said.acknowledged = said.content.length;
    }
  }

  private void truncate(final FileChannel channel, final Said said) throws Exception {
    final int size = random.nextInt(said.content.length + 1);
    changing(said, true);
    channel.truncate(size);
    synchronized (run.disk) {
      said.content = Arrays.copyOf(said.content, size);
      said.acknowledged = Math.min(said.acknowledged, size);
      said.readable = Math.min(said.readable, size);
      said.changing = false;
    }
    append(channel, said);
  }

  private void changing(final Said said, final boolean now) {
    synchronized (run.disk) {
      said.changing = now;
    }
  }

  private void move(final String name) throws Exception {
    final TierDirectory to =
        Files.isSymbolicLink(run.real(name)) ? null : run.store().tiers().get(0).get(0);
    changing(said(name), true);
    run.store().migration(bytes -> {}).move(run.path(name), to, true);
    // One that came up is mirrored in the background.
    await("caught up", () -> run.store().facts().mirrors().get(0).catchingUpBytes() == 0);
    await("in it", () -> run.store().facts().mirrors().get(0).behindBytes() == 0);
    changing(said(name), false);
  }

  private void delete(final Map<String, FileChannel> open, final String name) throws Exception {
    changing(said(name), true);
    run.store().delete(run.path(name));
    open.remove(name).close();
    synchronized (run.disk) {
      segments.remove(name);
    }
  }

  /** Under the disk's monitor, on any thread. */
  private void event() {
    if (--operationsLeft == 0) {
      cutForGood();
    }
    if (failure == null && power.nextInt(lookOneIn) == 0) {
      try {
        looks++;
        cut.run();
        look(run.disk.cut(power));
      } catch (final AssertionError e) {
        failure = e;
      }
    }
  }

  private void look(final ModelImage image) {
    final Map<Path, ModelImage.Entry> home = new HashMap<>();
    image.below(run.real("home0")).forEach(entry -> home.put(entry.path(), entry));
    segments.forEach(
        (name, said) -> {
          if (!said.changing && said.acknowledged > 0) {
            look(name, said, home);
          }
        });
  }

  private void look(final String name, final Said said, final Map<Path, ModelImage.Entry> home) {
    final ModelImage.Entry entry = home.get(run.real(name));
    if (entry == null) {
      if (waits && (unreadable ? said.readable : said.acknowledged) > 0) {
        throw new AssertionError(name + ": isn't there, with bytes acknowledged");
      }
      return;
    }
    if (entry.link() == null) { // it lies at home, and isn't the mirror's to keep
      if (waits
          && Arrays.mismatch(
                  entry.content(),
                  0,
                  Math.min(entry.content().length, said.readable),
                  said.content,
                  0,
                  said.readable)
              >= 0) {
        throw new AssertionError(name + ": has lost what was read from its mirror");
      }
      return;
    }
    final String key = MirrorName.ofTierFile(entry.link());
    final Path logDir = run.real("home0");
    final ModelImage.Entry whole = home.get(MirrorName.whole(logDir, key));
    final ModelImage.Entry mirror =
        whole == null ? home.get(MirrorName.lagging(logDir, key)) : whole;
    if (mirror != null && mirror.content().length > said.content.length) {
      throw new AssertionError(mirror.path() + ": holds what was cut off; differs in length");
    }
    if (!waits && whole == null) {
      return; // it may be as far behind as it likes
    }
    if (mirror == null) {
      if (said.acknowledged > 0) {
        throw new AssertionError(name + ": no mirror of bytes that were acknowledged");
      }
      return;
    }
    final byte[] left = mirror.content();
    if (left.length < said.acknowledged) {
      throw new AssertionError(
          mirror.path()
              + (whole == null ? ": has " : ": is called whole with ")
              + left.length
              + " B of "
              + said.acknowledged
              + " B that were acknowledged");
    }
    if (Arrays.mismatch(left, 0, said.acknowledged, said.content, 0, said.acknowledged) >= 0) {
      throw new AssertionError(mirror.path() + ": differs from what was acknowledged");
    }
    if (whole != null && !Arrays.equals(left, Arrays.copyOf(said.content, left.length))) {
      throw new AssertionError(
          String.format(
              "%s: isn't whole: it has %d B and differs at %d from %d B, %d B of them acknowledged;"
                  + " steps: %s",
              mirror.path(),
              left.length,
              Arrays.mismatch(left, said.content),
              said.content.length,
              said.acknowledged,
              steps));
    }
  }
}
