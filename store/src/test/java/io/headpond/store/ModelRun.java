// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import static io.headpond.store.StoreFixture.CREATE;

import io.headpond.store.config.ConfigException;
import io.headpond.store.config.Internals;
import io.headpond.store.config.StoreConfig;
import io.headpond.store.facts.Count;
import io.headpond.store.facts.Counters;
import io.headpond.store.facts.TimeSource;
import io.headpond.store.tier.TierDirectory;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotLinkException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/**
 * A store on simulated devices, cut off from power at random instants of whatever its threads are
 * doing. Most of these cuts are only looked at; when a run is {@link #dead}, the last one becomes
 * what the next start finds.
 */
final class ModelRun implements AutoCloseable {
  /**
   * What is tried.
   *
   * @param tiers fastest first: {@code dax}, {@code file} (a disk), {@code growing} (a disk whose
   *     file system doesn't write in place: files are not grown ahead)
   * @param append is every append promised?
   * @param threshold the share that the migrator's own threads steer to; -1: they rest
   * @param directories of each tier, and log directories
   * @param pooling is enough written that files are prepared for new segments?
   * @param draining does every other start drain the first tier?
   */
  record Setup(
      List<String> tiers,
      boolean append,
      double threshold,
      int directories,
      boolean pooling,
      boolean draining) {
    static Setup of(final boolean append, final String... tiers) {
      return new Setup(List.of(tiers), append, -1, 1, false, false);
    }

    Setup threshold(final double share) {
      return new Setup(tiers, append, share, directories, pooling, draining);
    }

    Setup directories(final int number) {
      return new Setup(tiers, append, threshold, number, pooling, draining);
    }

    Setup withPooling() {
      return new Setup(tiers, append, threshold, directories, true, draining);
    }

    Setup withDraining() {
      return new Setup(tiers, append, threshold, directories, pooling, true);
    }
  }

  /** Of so many seeds one has file systems that keep no order of what isn't forced. */
  private static final int UNORDERED_ONE_IN = 3;

  /** One in so many operations of the devices is a power cut that is looked at. */
  private static final int LOOK_ONE_IN = 24;

  /** Of a tier: full now and then, often, or nearly always. */
  private static final List<String> CAPACITIES = List.of("640KiB", "320KiB", "200KiB");

  private static final long SPACE_POLL_NANOS = TimeUnit.MICROSECONDS.toNanos(20);

  private static final List<String> POOLING_CAPACITIES = List.of("96MiB", "64MiB");

  final ModelLogs logs;
  final List<Path> homes = new ArrayList<>();
  private final List<List<Path>> tiers = new ArrayList<>();
  final ModelDisk disk = new ModelDisk();
  private final Setup setup;
  private final Path root;
  private int devices;
  private int starts;
  private final ModelFileSystem fileSystem;
  private final Properties properties = new Properties();
  private final Properties internals = new Properties();

  /** Guarded by the disk's monitor: operations of the store's own threads use it too. */
  private final Random power;

  private long endAfter = Long.MAX_VALUE;

  /** Does the run end by a kill, and not by a power cut? */
  private boolean killed;

  private long looks;
  private long kills;
  private Runnable atCut = () -> {};
  private boolean blind = true;
  private boolean looksForReaders = true;
  private NewestRecord newestRecord = NewestRecord.UNKNOWN;
  private TimeSource time = TimeSource.SYSTEM;
  private ModelImage left;
  private ModelKept kept;
  private ModelLogs.Copy copy;
  private List<ModelLogs.Found> found;
  private volatile Throwable failure;
  private volatile boolean dead;
  private volatile TieredStore store;
  private long moves;
  private long evacuations;

  ModelRun(final Setup setup, final long seed) throws IOException {
    this.setup = setup;
    power = new Random(seed);
    final Path memory = Path.of("/dev/shm");
    root =
        (Files.isDirectory(memory)
                ? Files.createTempDirectory(memory, "headpond-model")
                : Files.createTempDirectory("headpond-model"))
            .toRealPath();
    final Path kernel = Files.createDirectory(root.resolve("kernel"));
    Files.createDirectory(kernel.resolve("fd"));
    fileSystem = new ModelFileSystem(disk, kernel);
    for (int i = 0; i < setup.directories(); i++) {
      homes.add(device("home" + i, "file", kernel));
    }
    for (int i = 0; i < setup.tiers().size(); i++) {
      final List<Path> directories = new ArrayList<>();
      for (int j = 0; j < setup.directories(); j++) {
        directories.add(device("tier" + i + j, setup.tiers().get(i), kernel));
      }
      tiers.add(directories);
    }
    if (seed % UNORDERED_ONE_IN == 0) {
      disk.forgetOrder();
    }
    logs = new ModelLogs(root);
    final List<String> capacities = setup.pooling() ? POOLING_CAPACITIES : CAPACITIES;
    configure(capacities.get(power.nextInt(capacities.size())));
    // Copies at home through the page cache are forced in steps, the others are not.
    with(Internals.PREFIX + "caches.copies", String.valueOf(seed % 2 != 0));
    disk.faults().speak(seed);
    disk.listen(this::event);
  }

  /** Each folder is a disk: in truth it is memory, where nothing would be promised. */
  private Path device(final String name, final String kind, final Path kernel) throws IOException {
    final boolean memory = kind.equals("dax");
    final Path folder = Files.createDirectory(root.resolve(name));
    disk.add(folder, memory);
    final String number = "0:" + ++devices;
    final Path block = Files.createDirectories(kernel.resolve("sys/dev/block").resolve(number));
    if (memory) {
      Files.writeString(block.resolve("persistence_domain"), "memory_controller");
    }
    final Path queue = Files.createDirectories(block.resolve("queue"));
    Files.writeString(queue.resolve("write_cache"), "write back");
    final String type = kind.equals("growing") ? "btrfs" : "ext4";
    Files.writeString(
        kernel.resolve("mountinfo"),
        devices + " 1 " + number + " / " + folder + " rw - " + type + " none rw\n",
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
    return folder;
  }

  private void configure(final String capacity) {
    final List<String> names = new ArrayList<>();
    for (int i = 0; i < tiers.size(); i++) {
      final String prefix = "headpond.tier.t" + i + ".";
      names.add("t" + i);
      properties.setProperty(prefix + "paths", joined(tiers.get(i)));
      properties.setProperty(prefix + "capacity", capacity);
      properties.setProperty(prefix + "migrate.threshold", String.valueOf(setup.threshold()));
    }
    properties.setProperty("headpond.tiers", String.join(",", names));
    properties.setProperty("headpond.log.dirs", joined(homes));
    properties.setProperty("headpond.home.reserve", "0%");
    properties.setProperty("headpond.home.ballast", "0");
    with(Internals.PREFIX + "up.after", "0s"); // both ways, in a short run
    properties.setProperty("headpond.durability", setup.append() ? "append" : "engine");
  }

  /** Is called at each cut or kill, on the thread that it stops. */
  void atCuts(final Runnable told) {
    atCut = told;
  }

  /** Sets a key, or an internal value, before the start. */
  ModelRun with(final String key, final String value) {
    (key.startsWith(Internals.PREFIX) ? internals : properties).setProperty(key, value);
    return this;
  }

  /** Says how old data are, from the start on. */
  ModelRun with(final NewestRecord record) {
    newestRecord = record;
    return this;
  }

  /** Says what time it is, from the start on. */
  ModelRun with(final TimeSource newTime) {
    time = newTime;
    return this;
  }

  private static String joined(final List<Path> paths) {
    return paths.stream().map(Path::toString).collect(Collectors.joining(","));
  }

  /**
   * A name that the engine uses.
   *
   * @param name as {@code home0/t-0/00000000000000000000.log}
   */
  Path path(final String name) {
    return fileSystem.wrap(real(name));
  }

  /** The same, on the real file system. */
  Path real(final String name) {
    return root.resolve(name);
  }

  boolean pools() {
    return setup.pooling();
  }

  TieredStore store() {
    return store;
  }

  boolean promisesAppends() {
    return setup.append();
  }

  boolean migratesByItself() {
    return setup.threshold() >= 0;
  }

  /** The power goes after so many more operations of the devices. */
  void cutAfter(final long operations) {
    endAfter(operations, false);
  }

  /** The process is killed, and the devices go on: what wasn't forced is there, and may be lost. */
  void killAfter(final long operations) {
    endAfter(operations, true);
  }

  private void endAfter(final long operations, final boolean kill) {
    synchronized (disk) {
      if (!dead) { // or the end that was would be taken for this one
        endAfter = operations;
        killed = kill;
      }
    }
  }

  /**
   * Is the power gone, or the process? What is under way goes on, but changes nothing that the next
   * start finds.
   */
  boolean dead() {
    return dead;
  }

  /** Is it the process alone? */
  boolean killed() {
    return killed;
  }

  long looks() {
    return looks;
  }

  /** Under the disk's monitor, on any thread. */
  private void event() {
    if (blind || dead || failure != null) {
      return;
    }
    final boolean last = --endAfter < 0;
    if (!last && power.nextInt(LOOK_ONE_IN) != 0) {
      return;
    }
    try {
      synchronized (logs) { // nothing is promised between the cut and the look
        if (last && killed) {
          kept = disk.keep();
          copy = logs.copy(logs.verifyVisible(kept.image()));
          found = copy.found();
          kills++;
        } else {
          final Map<String, Long> seen = seen();
          left = disk.cut(power);
          found = logs.verify(left, seen);
          looks++;
        }
        atCut.run();
        dead = last;
      }
    } catch (final RuntimeException | AssertionError e) {
      failure = e;
    }
  }

  /**
   * A failed append may be seen, and then be lost: it isn't acknowledged, and a start finds it as
   * it would in a plain file.
   */
  void notWhatReadersSaw() {
    looksForReaders = false;
  }

  /** The lengths that readers are told now, of segments whose every append is durable before. */
  private Map<String, Long> seen() {
    final Map<String, Long> seen = new HashMap<>();
    if (store != null && setup.append() && looksForReaders) {
      for (final String name : logs.names()) {
        store.logicalSize(path(name)).ifPresent(bytes -> seen.put(name, bytes));
      }
    }
    return seen;
  }

  /** Cuts the power now, if it isn't gone yet. */
  void cut() {
    cutAfter(0);
    disk.event();
  }

  void start() throws IOException {
    if (setup.draining()) {
      properties.setProperty("headpond.tier.t0.draining", String.valueOf(starts++ % 2 == 1));
    }
    try {
      store =
          new TieredStore(
              StoreConfig.parse(
                  properties, "model.properties", fileSystem, Internals.of(internals::getProperty)),
              newestRecord,
              time);
    } catch (final ConfigException e) {
      throw new AssertionError(e);
    }
    blind = false;
    store.claim();
  }

  /** A clean stop: nothing is left that no name leads to. */
  void stop() throws IOException {
    final Counters counters = store.counters();
    try {
      store.close();
    } finally {
      store = null;
    }
    moves += counters.sum(Count.DOWN_SEGMENTS) + counters.sum(Count.UP_SEGMENTS);
    evacuations += counters.sum(Count.EVACUATED_SEGMENTS);
  }

  /** Segments that the store's own threads have moved. */
  long moves() {
    return moves;
  }

  long evacuations() {
    return evacuations;
  }

  /** Prepared files that segments were made of. */
  long pooled() {
    return disk.pooled();
  }

  /** Ends that were no power cuts. */
  long kills() {
    return kills;
  }

  /** After {@link #dead}: the store's rest ends, and the devices hold what its end left. */
  List<ModelLogs.Found> restore() throws IOException {
    if (store != null) {
      stop();
    }
    if (killed) {
      disk.restore(kept);
    } else {
      disk.restore(left);
    }
    synchronized (logs) {
      if (killed) {
        logs.stay(copy);
      } else {
        logs.become(found);
      }
    }
    kept = null;
    copy = null;
    left = null;
    synchronized (disk) {
      endAfter = Long.MAX_VALUE;
      blind = true;
      dead = false;
    }
    return found;
  }

  void check() {
    if (failure != null) {
      throw new AssertionError("after a power cut: " + failure.getMessage(), failure);
    }
  }

  /** The accounts of the tiers are the sizes of the files there, once the threads have rested. */
  void checkSpace() {
    for (final List<TierDirectory> tier : store.tiers()) {
      for (final TierDirectory directory : tier) {
        final long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (counted(directory.ref.path()) != bytes(directory)) {
          if (System.nanoTime() > deadline) {
            throw new AssertionError(
                directory
                    + ": counts "
                    + counted(directory.ref.path())
                    + " B, holds "
                    + bytes(directory));
          }
          LockSupport.parkNanos(SPACE_POLL_NANOS);
        }
      }
    }
  }

  /** One that failed, and the one that has its place, count together. */
  private long counted(final Path path) {
    return store.tiers().stream()
        .flatMap(List::stream)
        .filter(directory -> directory.ref.path().equals(path))
        .mapToLong(ModelRun::counted)
        .sum();
  }

  private static long counted(final TierDirectory directory) {
    return directory.space.usedBytes() + directory.space.quarantinedBytes();
  }

  private long bytes(final TierDirectory directory) {
    return disk.bytes(ModelPath.real(directory.ref.path()), ".headpond");
  }

  /** What the log directory says now to somebody who doesn't know of tiers. */
  void checkVanilla(final String name, final byte[] expected) throws IOException {
    final byte[] read = readVanilla(real(name));
    if (read.length < expected.length
        || !Arrays.equals(Arrays.copyOf(read, expected.length), expected)) {
      throw new AssertionError(name + " reads differently through the log directory");
    }
    for (int at = expected.length; at < read.length; at++) {
      if (read[at] != 0) {
        throw new AssertionError(name + ": byte " + at + " after its end isn't zero");
      }
    }
  }

  private byte[] readVanilla(final Path name) throws IOException {
    return askVanilla(name, () -> Files.readAllBytes(name));
  }

  /** What the file system says of a segment's length to somebody who doesn't know of tiers. */
  long sizeVanilla(final String name) throws IOException {
    final Path path = path(name);
    return askVanilla(real(name), () -> Files.size(path));
  }

  private interface Question<T> {
    T ask() throws IOException;
  }

  /**
   * A file that is moved between the look at its link and the end of a question is asked again:
   * what the link led to may be gone by then.
   */
  private static <T> T askVanilla(final Path name, final Question<T> question) throws IOException {
    while (true) {
      final Path before = target(name);
      try {
        final T answer = question.ask();
        if (before.equals(target(name))) {
          return answer;
        }
      } catch (final NoSuchFileException e) {
        if (before.equals(target(name))) {
          throw e;
        }
      }
    }
  }

  private static Path target(final Path name) throws IOException {
    try {
      return Files.readSymbolicLink(name);
    } catch (final NotLinkException e) {
      return name;
    }
  }

  FileChannel open(final String name) throws IOException {
    return store.open(path(name), CREATE);
  }

  @Override
  public void close() throws IOException {
    try {
      if (store != null) {
        stop();
      }
    } finally {
      disk.close();
      StoreFixture.remove(root);
    }
  }
}
