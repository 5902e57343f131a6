// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.bookkeeper.speed;

import io.headpond.harness.bookkeeper.ZooKeeperNode;
import io.headpond.harness.process.EngineRelease;
import io.headpond.harness.process.FolderRemoval;
import io.headpond.lab.bookkeeper.variant.JournalVariant;
import io.headpond.lab.comparison.BenchListener;
import io.headpond.pmem.Device;
import io.headpond.pmem.Durability;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Measures all variants under all loads, in turns. */
public final class BookKeeperBench implements Closeable {

  private static final String PREFIX = "headpond-bench-";

  private final BookKeeperBenchSettings settings;
  private final EngineRelease release;
  private final BenchListener<TurnFigures> listener;
  private final Path fast;
  private final Path home;
  private final boolean fastVolatile;
  private final List<JournalContender> contenders = Collections.synchronizedList(new ArrayList<>());
  private final ZooKeeperNode zooKeeper;
  private volatile boolean closed;

  /** Makes folders of its own in those that the settings name, which {@link #close} removes. */
  public BookKeeperBench(
      BookKeeperBenchSettings settings, EngineRelease release, BenchListener<TurnFigures> listener)
      throws IOException {
    this.settings = settings;
    this.release = release;
    this.listener = listener;
    this.fast = Files.createTempDirectory(settings.fast().toRealPath(), PREFIX);
    this.home = Files.createTempDirectory(settings.home().toRealPath(), PREFIX);
    this.fastVolatile = Device.detect(fast).durability() == Durability.VOLATILE;
    this.zooKeeper = new ZooKeeperNode(release, settings.java(), home.resolve("zookeeper"));
  }

  /** Version of the bookies and clients. */
  public String version() {
    return release.version();
  }

  /** Whether a power cut would take the fast device's journals. */
  public boolean fastIsVolatile() {
    return fastVolatile;
  }

  /** Where a variant's journal lies. */
  public String describe(JournalVariant variant) throws IOException {
    return variant.describe(fast.getParent(), home.getParent());
  }

  /** Runs it. */
  public void run() throws IOException, InterruptedException {
    listener.progress("starting");
    zooKeeper.start();
    LoadPoint largest =
        settings.points().stream().max(Comparator.comparingInt(LoadPoint::window)).orElseThrow();
    for (int start = 0; start < settings.starts(); start++) {
      start(start);
      for (JournalContender contender : contenders) {
        listener.progress("warming up");
        contender.warmUp(largest, settings.warmUpSeconds());
      }
      for (LoadPoint point : settings.points()) {
        for (int round = 1; round <= settings.rounds(); round++) {
          round(point, start * settings.rounds() + round);
        }
      }
      end();
    }
  }

  /** Each start has processes, folders and clusters of its own, and another variant begins. */
  private void start(int start) throws IOException, InterruptedException {
    List<JournalVariant> variants = new ArrayList<>(settings.variants());
    Collections.rotate(variants, start);
    for (JournalVariant variant : variants) {
      listener.progress("starting " + variant);
      String name = variant.key() + "-" + (start + 1);
      Path own = Files.createDirectories(home.resolve(name));
      Path journal = (variant.fast() ? fast : home).resolve("journal-" + name);
      contenders.add(
          new JournalContender(
              variant, release, settings.java(), zooKeeper, "/" + name, own, journal));
    }
  }

  /** Its journals would fill the fast device, start by start. */
  private void end() throws IOException {
    for (JournalContender contender : List.copyOf(contenders)) {
      contender.close();
      contender.removeFolders();
    }
    contenders.clear();
  }

  /** The order turns: a background flush of one must not always hit the same other one. */
  private void round(LoadPoint point, int round) throws IOException, InterruptedException {
    for (int i = 0; i < contenders.size(); i++) {
      JournalContender contender = contenders.get((i + round) % contenders.size());
      listener.progress(
          String.format(
              Locale.ROOT,
              "entries of %,d bytes, window %d, round %d of %d",
              point.entryBytes(),
              point.window(),
              round,
              settings.rounds() * settings.starts()));
      listener.finished(contender.turn(point, round, settings.seconds()));
    }
  }

  /** Kills what lives and removes its folders; also beside {@link #run}, by another thread. */
  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    for (JournalContender contender : List.copyOf(contenders)) {
      contender.close();
    }
    zooKeeper.close();
    FolderRemoval.remove(fast, true);
    FolderRemoval.remove(home, true);
  }
}
