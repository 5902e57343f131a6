// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.upkeep;

import io.headpond.harness.kafka.KafkaNode;
import io.headpond.lab.comparison.CpuTime;
import io.headpond.lab.comparison.OthersShare;
import io.headpond.lab.kafka.load.RecordRing;
import io.headpond.lab.kafka.load.Rereading;
import io.headpond.lab.kafka.rig.KafkaLoad;
import io.headpond.lab.kafka.rig.KafkaRig;
import io.headpond.lab.place.PageCache;
import io.headpond.lab.scenario.TierState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.config.ConfigResource;

/** One chore on one broker, beside what is published. */
final class UpkeepRun {

  /** Setting of a broker whose cleaner looks for work at once. */
  static final Map<String, String> BROKER =
      Map.of("log.cleaner.backoff.ms", "100", "log.cleaner.threads", "1");

  private static final double RAMP_SECONDS = 1;
  private static final Duration LIMIT = Duration.ofMinutes(3);

  /** Of the topic; its last message may not fit in. */
  private static final double ALL = 0.99;

  private final UpkeepSettings settings;
  private final Chore chore;
  private final KafkaRig rig;
  private final RecordRing ring;
  private final String topic;
  private final String text;
  private Histogram quiet;

  /**
   * One that hasn't begun.
   *
   * @param number of the topic among all of the rig
   */
  UpkeepRun(UpkeepSettings settings, Chore chore, KafkaRig rig, RecordRing ring, int number) {
    this.settings = settings;
    this.chore = chore;
    this.rig = rig;
    this.ring = ring;
    this.topic = KafkaRig.TOPIC_PREFIX + "upkeep-" + number;
    this.text = rig.variant() + ", " + chore.key();
  }

  UpkeepTurn turn(int round) throws IOException, InterruptedException {
    rig.fill(topic, settings.topic(), ring, Map.of());
    settle();
    UpkeepTurn turn = chore.restarts() ? restart(round) : beside(round);
    if (chore != Chore.DELETE) {
      rig.remove(topic);
    }
    return turn;
  }

  /** Waits until what migrates has migrated, and all that was written is on its device. */
  private void settle() throws IOException, InterruptedException {
    long deadline = System.nanoTime() + LIMIT.toNanos();
    while (rig.tier().map(TierState::usedBytes).orElse(0L) > settings.settledBytes()) {
      tick(deadline, "waiting until its tier is settled");
    }
    for (Path device : List.of(settings.fast(), settings.home())) {
      PageCache.force(device);
    }
  }

  private void tick(long deadline, String what) throws IOException, InterruptedException {
    rig.watch().tick(text + ", " + what);
    if (System.nanoTime() - deadline > 0) {
      throw new IOException(text + ": still " + what + " after " + LIMIT.toMinutes() + " minutes");
    }
  }

  private UpkeepTurn beside(int round) throws IOException, InterruptedException {
    try (KafkaLoad load = rig.load(settings.publishing())) {
      measureQuiet(load);
      if (chore == Chore.COMPACT) {
        forget(); // a large topic isn't in memory, wherever it lies
      }
      Measured measured = new Measured();
      order();
      measured.done();
      await(measured.began, settings.seconds(), "publishing on");
      return measured.turn(round, load, null);
    }
  }

  private UpkeepTurn restart(int round) throws IOException, InterruptedException {
    try (KafkaLoad load = rig.load(settings.publishing())) {
      measureQuiet(load);
      load.stop();
    }
    KafkaNode node = rig.broker().node();
    if (chore == Chore.CRASH) {
      node.kill();
    } else {
      node.stop();
    }
    forget();
    rig.watch().progress(text + ", starting it");
    Measured measured = new Measured(CpuTime.besideThisProcess(Duration.ZERO));
    rig.startAgain();
    measured.done();
    long serves = System.nanoTime();
    try (Rereading reading = rig.read(topic, UpkeepSettings.PARTITIONS)) {
      while (reading.records() == 0) {
        tick(serves + LIMIT.toNanos(), "waiting for the first record");
        reading.poll();
      }
      double first = (System.nanoTime() - serves) / 1e9;
      measured.serves();
      try (KafkaLoad load = rig.load(settings.publishing())) {
        double bytesPerSecond = readOn(reading, serves, measured.began);
        await(measured.began, settings.seconds(), "publishing on");
        return measured.turn(round, load, new UpkeepTurn.FirstReads(first, bytesPerSecond));
      }
    }
  }

  /** Reads all of the topic, or for the measured time; answers bytes a second. */
  private double readOn(Rereading reading, long serves, long began) throws IOException {
    while (reading.bytes() < ALL * settings.topicBytes() && seconds(began) < settings.seconds()) {
      rig.check();
      reading.poll();
    }
    return reading.bytes() / seconds(serves);
  }

  private void measureQuiet(KafkaLoad load) throws IOException, InterruptedException {
    await(System.nanoTime(), RAMP_SECONDS, "ramp");
    load.interval();
    await(System.nanoTime(), settings.seconds(), "before it");
    quiet = load.interval().publish();
  }

  private void await(long began, double until, String what)
      throws IOException, InterruptedException {
    while (seconds(began) < until) {
      rig.watch().tick(text + ", " + what);
    }
  }

  private static double seconds(long began) {
    return (System.nanoTime() - began) / 1e9;
  }

  /** Gives the order, and waits until it is done. */
  private void order() throws IOException, InterruptedException {
    if (chore == Chore.DELETE) {
      rig.remove(topic);
      return;
    }
    try (Admin admin = rig.broker().node().admin()) {
      ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
      admin
          .incrementalAlterConfigs(
              Map.of(
                  resource,
                  List.of(
                      set("min.cleanable.dirty.ratio", "0.001"), set("cleanup.policy", "compact"))))
          .all()
          .get();
    } catch (ExecutionException e) {
      throw new IOException("the topic can't be compacted: " + e.getMessage(), e);
    }
    long deadline = System.nanoTime() + LIMIT.toNanos();
    while (compacted() < UpkeepSettings.PARTITIONS) {
      tick(deadline, "waiting until it is compacted");
    }
  }

  private static AlterConfigOp set(String key, String value) {
    return new AlterConfigOp(new ConfigEntry(key, value), AlterConfigOp.OpType.SET);
  }

  /** Partitions whose sealed segments are all clean, as Kafka's own checkpoint says. */
  private int compacted() throws IOException {
    Path checkpoint = rig.broker().node().logDirs().get(0).resolve("cleaner-offset-checkpoint");
    if (!Files.exists(checkpoint)) {
      return 0;
    }
    try (Stream<String> lines = Files.lines(checkpoint)) {
      return (int) lines.filter(line -> line.startsWith(topic + " ")).count();
    }
  }

  /** Drops the broker's files from memory, in log directory and tier. */
  private void forget() throws IOException, InterruptedException {
    rig.watch().progress(text + ", dropping its files from memory");
    for (Path folder : List.of(rig.broker().node().logDirs().get(0), rig.broker().tier())) {
      List<Path> files;
      try (Stream<Path> all = Files.walk(folder)) {
        files =
            all.filter(path -> Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS))
                .filter(path -> chore.restarts() || path.toString().contains(topic))
                .toList();
      }
      for (Path file : files) {
        PageCache.forget(file);
      }
    }
  }

  /** Figures since the order. */
  private final class Measured {

    private final DeviceIo io = DeviceIo.of(settings.home());
    private final OthersShare others = new OthersShare(rig::cpu);
    private CpuTime cpu;
    private long began;
    private double doneSeconds;

    Measured() throws IOException {
      this(rig.cpu());
    }

    Measured(CpuTime before) throws IOException {
      cpu = before;
      others.begin();
      began = System.nanoTime();
    }

    void done() {
      doneSeconds = seconds(began);
    }

    /** Only from now on it can be published. */
    void serves() throws IOException {
      cpu = rig.cpu();
      others.begin();
      began = System.nanoTime();
    }

    UpkeepTurn turn(int round, KafkaLoad load, UpkeepTurn.FirstReads reads)
        throws IOException, InterruptedException {
      double measuredSeconds = seconds(began);
      CpuTime used = rig.cpu().since(cpu);
      double othersShare = others.end();
      DeviceIo done = DeviceIo.of(settings.home()).since(io);
      Histogram beside = load.interval().publish();
      load.stop();
      beside.add(load.interval().publish());
      return new UpkeepTurn(
          settings.text(chore),
          chore,
          round,
          rig.variant(),
          doneSeconds,
          quiet,
          beside,
          measuredSeconds,
          done,
          reads,
          used,
          othersShare);
    }
  }
}
