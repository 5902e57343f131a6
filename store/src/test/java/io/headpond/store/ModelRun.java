// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import static io.headpond.store.StoreFixture.CREATE;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A store on simulated devices, cut off from power at random instants of whatever its threads are
 * doing. Most of these cuts are only looked at; when a run is {@link #dead}, the last one becomes
 * what the next start finds.
 */
final class ModelRun implements AutoCloseable {
  /**
   * What is tried.
   *
   * @param tiers their types, fastest first
   * @param append is every append promised?
   * @param threshold the share that the migrator's own threads steer to; -1: they rest
   */
  record Setup(List<String> tiers, boolean append, double threshold) {}

  /** One in so many operations of the devices is a power cut that is looked at. */
  private static final int LOOK_ONE_IN = 24;

  /** Of a tier: full now and then, often, or nearly always. */
  private static final List<String> CAPACITIES = List.of("640KiB", "320KiB", "200KiB");

  final ModelLogs logs;
  final Path home;
  final List<Path> tiers = new ArrayList<>();
  final ModelDisk disk = new ModelDisk();
  private final Setup setup;
  private final Path root;
  private final ModelFileSystem fileSystem;
  private final Properties properties = new Properties();

  /** Guarded by the disk's monitor: operations of the store's own threads use it too. */
  private final Random power;

  private long cutAfter = Long.MAX_VALUE;
  private long looks;
  private boolean blind = true;
  private ModelImage left;
  private List<ModelLogs.Found> found;
  private volatile Throwable failure;
  private volatile boolean dead;
  private TieredStore store;
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
    home = device("home", false);
    for (int i = 0; i < setup.tiers().size(); i++) {
      tiers.add(device("tier" + i, setup.tiers().get(i).equals("pmem")));
    }
    fileSystem = new ModelFileSystem(disk, mountInfo());
    logs = new ModelLogs(home);
    configure(CAPACITIES.get(power.nextInt(CAPACITIES.size())));
    disk.listen(this::event);
  }

  private Path device(final String name, final boolean durableAtReturn) throws IOException {
    final Path folder = Files.createDirectory(root.resolve(name));
    disk.add(folder, durableAtReturn);
    return folder;
  }

  /** Each folder is a disk: in truth it is memory, where nothing would be promised. */
  private Path mountInfo() throws IOException {
    final StringBuilder text = new StringBuilder();
    int number = 900;
    try (Stream<Path> folders = Files.list(root)) {
      for (final Path folder : folders.toList()) {
        text.append(number).append(" 1 0:").append(number++).append(" / ").append(folder);
        text.append(" rw - ext4 none rw\n");
      }
    }
    return Files.writeString(root.resolve("mountinfo"), text);
  }

  private void configure(final String capacity) {
    final List<String> names = new ArrayList<>();
    for (int i = 0; i < tiers.size(); i++) {
      final String prefix = "headpond.tier.t" + i + ".";
      names.add("t" + i);
      properties.setProperty(prefix + "type", setup.tiers().get(i));
      properties.setProperty(prefix + "paths", tiers.get(i).toString());
      properties.setProperty(prefix + "capacity", capacity);
      properties.setProperty(prefix + "migrate.threshold", String.valueOf(setup.threshold()));
    }
    properties.setProperty("headpond.tiers", String.join(",", names));
    properties.setProperty("headpond.log.dirs", home.toString());
    properties.setProperty("headpond.home.reserve", "0%");
    properties.setProperty("headpond.durability", setup.append() ? "append" : "engine");
  }

  Path path(final String name) {
    return fileSystem.wrap(home.resolve(name));
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
    synchronized (disk) {
      cutAfter = operations;
    }
  }

  /**
   * Is the power gone? What is under way goes on, but changes nothing that the next start finds.
   */
  boolean dead() {
    return dead;
  }

  long looks() {
    return looks;
  }

  /** Under the disk's monitor, on any thread. */
  private void event() {
    if (blind || dead || failure != null) {
      return;
    }
    final boolean last = --cutAfter < 0;
    if (!last && power.nextInt(LOOK_ONE_IN) != 0) {
      return;
    }
    try {
      synchronized (logs) { // nothing is promised between the cut and the look
        final ModelImage image = disk.cut(power);
        final List<ModelLogs.Found> survivors = logs.verify(image);
        looks++;
        if (last) {
          left = image;
          found = survivors;
          dead = true;
        }
      }
    } catch (final RuntimeException | AssertionError e) {
      failure = e;
    }
  }

  /** Cuts the power now, if it isn't gone yet. */
  void cut() {
    cutAfter(0);
    disk.event();
  }

  void start() throws IOException {
    try {
      store = new TieredStore(StoreConfig.parse(properties, "model.properties", fileSystem));
    } catch (final ConfigException e) {
      throw new AssertionError(e);
    }
    blind = false;
    store.claim();
  }

  /** A clean stop: nothing is left that no name leads to. */
  void stop() throws IOException {
    final Counters counters = store.counters();
    store.close();
    store = null;
    moves += counters.migratedDownSegments.sum() + counters.migratedUpSegments.sum();
    evacuations += counters.evacuatedSegments.sum();
  }

  /** Segments that the store's own threads have moved. */
  long moves() {
    return moves;
  }

  long evacuations() {
    return evacuations;
  }

  /** After {@link #dead}: the store's rest ends, and the devices hold what the power cut left. */
  List<ModelLogs.Found> restore() throws IOException {
    if (store != null) {
      stop();
    }
    disk.restore(left);
    synchronized (logs) {
      logs.become(found);
    }
    synchronized (disk) {
      cutAfter = Long.MAX_VALUE;
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
  void checkSpace() throws IOException {
    for (final List<TierDirectory> tier : store.tiers()) {
      for (final TierDirectory directory : tier) {
        final long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (directory.usedBytes() != bytes(directory)) {
          if (System.nanoTime() > deadline) {
            throw new AssertionError(
                directory + ": counts " + directory.usedBytes() + " B, holds " + bytes(directory));
          }
          Thread.onSpinWait();
        }
      }
    }
  }

  private static long bytes(final TierDirectory directory) throws IOException {
    while (true) {
      try (Stream<Path> files = Files.walk(ModelPath.real(directory.ref.path()))) {
        return files
            .filter(path -> !path.getFileName().toString().startsWith(".headpond"))
            .filter(path -> Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS))
            .mapToLong(path -> path.toFile().length())
            .sum();
      } catch (final java.io.UncheckedIOException deletedMeanwhile) {
        continue;
      }
    }
  }

  /** What the log directory says now to somebody who doesn't know of tiers. */
  void checkVanilla(final String name, final byte[] expected) throws IOException {
    final byte[] read = Files.readAllBytes(home.resolve(name));
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
