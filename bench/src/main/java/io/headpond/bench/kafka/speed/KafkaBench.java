// SPDX-License-Identifier: Apache-2.0
package io.headpond.bench.kafka.speed;

import io.headpond.bench.kafka.KafkaDistribution;
import io.headpond.bench.kafka.KafkaNode;
import io.headpond.pmem.Device;
import io.headpond.pmem.Durability;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The whole benchmark: for each load some rounds, in each round every variant once, Headpond first;
 * each with a fresh broker and empty directories.
 *
 * <p>{@link #run} belongs to one thread; {@link #close} may be called by another to end it: it
 * kills the broker and removes the directories.
 */
public final class KafkaBench implements AutoCloseable {

  /** Is told how it goes on, by the thread that runs it. */
  public interface Listener {
    /** What is being done now; often. */
    void progress(String text);

    /** One run has ended. */
    void finished(RunFigures run);
  }

  private final KafkaBenchSettings settings;
  private final Listener listener;
  private final KafkaDistribution kafka;
  private final Device fast;
  private final Device home;
  private final BenchFolders folders;
  private final AtomicBoolean closed = new AtomicBoolean();
  private volatile KafkaNode node;

  /** Makes its directories, in folders of their own; nothing runs yet. */
  public KafkaBench(KafkaBenchSettings settings, Listener listener) throws IOException {
    this.settings = settings;
    this.listener = listener;
    this.kafka = KafkaDistribution.find(KafkaDistribution.CURRENT);
    this.fast = Device.detect(settings.fast());
    this.home = Device.detect(settings.home());
    if (settings.rivals().contains(Variant.VANILLA_TMPFS)
        && !fast.fileSystemType().equals("tmpfs")) {
      throw new IOException(
          settings.fast()
              + " is "
              + fast.fileSystemType()
              + ", and vanilla-tmpfs needs tmpfs there; leave it out of what is compared");
    }
    if (home.fileSystemType().equals("tmpfs")) {
      throw new IOException(
          settings.home() + " is tmpfs, and home must be on disk; name a folder on disk");
    }
    for (Load load : settings.loads()) {
      SpaceBudget.of(settings, load);
    }
    this.folders = BenchFolders.create(settings.fast(), settings.home());
  }

  /** Full version of the Kafka that is measured. */
  public String kafkaVersion() {
    return kafka.version();
  }

  /** Where the variant's log is written and what that device keeps, in words. */
  public String describe(Variant variant) {
    return switch (variant) {
      case HEADPOND -> "tier on " + text(fast) + "; home with its indexes on " + text(home);
      case HEADPOND_MAPPED ->
          "mapped tier on " + text(fast) + "; home with its indexes on " + text(home);
      case VANILLA_TMPFS -> "log directory on " + text(fast);
      case VANILLA_FORCED ->
          "log directory on " + text(home) + ", each append forced (flush.messages=1)";
      case VANILLA_DISK ->
          "log directory on " + text(home) + ", nothing forced before it is acknowledged";
    };
  }

  /** Whether a power cut takes what Headpond's tier holds. */
  public boolean fastIsVolatile() {
    return fast.durability() == Durability.VOLATILE;
  }

  private static String text(Device device) {
    String name = device.directory() + " (" + device.fileSystemType();
    return device.durability() == Durability.DURABLE
        ? name + ")"
        : name + ", " + device.durability() + ")";
  }

  /** Runs everything; the figures in the order of the turns. */
  public List<RunFigures> run() throws IOException, InterruptedException {
    List<RunFigures> all = new ArrayList<>();
    List<Variant> turns = new ArrayList<>(List.of(Variant.HEADPOND));
    turns.addAll(settings.rivals());
    for (Load load : settings.loads()) {
      RecordRing ring = new RecordRing(load.recordBytes());
      for (int round = 1; round <= settings.rounds(); round++) {
        for (Variant variant : turns) {
          String name =
              String.format(
                  Locale.ROOT,
                  "%d/%d %s, %d B, round %d",
                  all.size() + 1,
                  settings.runs(),
                  variant,
                  load.recordBytes(),
                  round);
          RunFigures figures = one(variant, load, ring, round, name);
          all.add(figures);
          listener.finished(figures);
        }
      }
    }
    return all;
  }

  private RunFigures one(Variant variant, Load load, RecordRing ring, int round, String name)
      throws IOException, InterruptedException {
    VariantRun run =
        new VariantRun(settings, kafka, folders, variant, load, ring, name, listener::progress);
    node = run.node();
    if (closed.get()) {
      throw new InterruptedException("the benchmark was closed");
    }
    try {
      return run.run(round);
    } finally {
      killBroker();
      folders.empty();
    }
  }

  private void killBroker() throws InterruptedException {
    KafkaNode last = node;
    if (last != null && last.running()) {
      last.kill();
    }
  }

  /** Kills the broker if one lives, and removes all directories. */
  @Override
  public void close() throws IOException {
    closed.set(true);
    try {
      killBroker();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    folders.remove();
  }
}
