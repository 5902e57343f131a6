// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut.guest;

import io.headpond.store.TieredStore;
import io.headpond.store.config.DurabilityMode;
import io.headpond.store.config.StoreConfig;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * In the guest: claims the tiers, recovers the log directory as Kafka would, and then appends to
 * several partitions until the power is cut, rolling, deleting, compacting and truncating segments
 * and deleting partitions on the way. Every record is acknowledged to the host when its write has
 * returned.
 *
 * <p>Arguments: seed, log directory, configuration file, tier directory, the report's port, records
 * to append (0: no end), seed of this boot.
 */
public final class PowerCutWriter {
  static final int PARTITIONS = 3;

  private static final long POLL_MILLIS = 10;

  /** By then a JVM that can write cache lines back does so, instead of forcing the file. */
  private static final long MATURE_AFTER_MILLIS = 11_000;

  private final long seed;
  private final Path home;
  private final TieredStore store;
  private final boolean durableAnywhere;
  private final Report report;
  private final AtomicInteger nextPartition = new AtomicInteger();
  private final List<PartitionWriter> writers = new ArrayList<>();

  private PowerCutWriter(
      long seed, Path home, TieredStore store, boolean durableAnywhere, Report report) {
    this.seed = seed;
    this.home = home;
    this.store = store;
    this.durableAnywhere = durableAnywhere;
    this.report = report;
  }

  public static void main(String[] args) throws Exception {
    Path home = Path.of(args[1]);
    StoreConfig config = StoreConfig.load(Path.of(args[2]));
    try (Report report = new Report(args[4]);
        TieredStore store = new TieredStore(config)) {
      report.device(Path.of(args[3]));
      PowerCutWriter writer =
          new PowerCutWriter(
              Long.parseLong(args[0]),
              home,
              store,
              config.durability() == DurabilityMode.APPEND,
              report);
      report.during(Moment.RECOVERY, () -> writer.start(Long.parseLong(args[6])));
      writer.run(Long.parseLong(args[5]));
      report.say("FINISHED");
    }
  }

  private void start(long bootSeed) throws IOException {
    store.claim();
    report.say("BACK-END", store.facts().tiers().get(0).backEnd());
    for (int partition : livingPartitions()) {
      writers.add(new PartitionWriter(this, partition, bootSeed));
    }
    while (writers.size() < PARTITIONS) {
      writers.add(new PartitionWriter(this, newPartition(), bootSeed));
    }
    for (PartitionWriter writer : writers) {
      writer.recover();
    }
  }

  private void run(long recordsMax) throws InterruptedException {
    Thread migrations = new Thread(this::reportMigrations, "migrations");
    migrations.setDaemon(true);
    migrations.start();
    List<Thread> threads = new ArrayList<>();
    for (PartitionWriter writer : writers) {
      Thread thread = new Thread(() -> runOrDie(writer, recordsMax), "partition");
      thread.start();
      threads.add(thread);
    }
    threads.get(0).join(MATURE_AFTER_MILLIS);
    report.say("MATURE");
    for (Thread thread : threads) {
      thread.join();
    }
  }

  /** The store moves segments by itself; this looks whether it does. */
  private void reportMigrations() {
    try {
      while (true) {
        if (migrating()) {
          report.during(Moment.MIGRATION, this::awaitMigrated);
        }
        Thread.sleep(POLL_MILLIS);
      }
    } catch (IOException | InterruptedException e) {
      report.say("FAILED", e.toString());
    }
  }

  private boolean migrating() {
    return store.facts().moves().running() > 0;
  }

  private void awaitMigrated() {
    while (migrating()) {
      LockSupport.parkNanos(POLL_MILLIS * 1_000_000);
    }
  }

  private void runOrDie(PartitionWriter writer, long recordsMax) {
    try {
      writer.append(recordsMax);
    } catch (IOException | RuntimeException | Error e) {
      e.printStackTrace();
      report.say("FAILED", e.toString().replace('\n', ' '));
      Runtime.getRuntime().halt(3);
    }
  }

  /** Also finishes the deletions that the cut interrupted. */
  private List<Integer> livingPartitions() throws IOException {
    List<Integer> living = new ArrayList<>();
    try (DirectoryStream<Path> directories = Files.newDirectoryStream(home, "t-*")) {
      for (Path directory : directories) {
        String[] parts = directory.getFileName().toString().substring(2).split("\\.");
        int partition = Integer.parseInt(parts[0]);
        nextPartition.accumulateAndGet(partition + 1, Math::max);
        if (parts.length > 1) {
          deletePartition(directory);
        } else {
          living.add(partition);
        }
      }
    }
    return living;
  }

  /** Numbers are never used twice, so that a deleted partition can't be taken for a new one. */
  int newPartition() {
    return nextPartition.getAndIncrement();
  }

  /** The directory has its name for deletion already. */
  void deletePartition(Path directory) throws IOException {
    try (DirectoryStream<Path> names = Files.newDirectoryStream(directory)) {
      for (Path name : names) {
        store.delete(name);
      }
    }
    store.delete(directory);
  }

  long seed() {
    return seed;
  }

  Path home() {
    return home;
  }

  TieredStore store() {
    return store;
  }

  /** Is an append durable at home too, or only in the tier? */
  boolean durableAnywhere() {
    return durableAnywhere;
  }

  Report report() {
    return report;
  }
}
