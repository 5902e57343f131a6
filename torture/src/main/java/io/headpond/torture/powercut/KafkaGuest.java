// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut;

import io.headpond.harness.kafka.KafkaNode;
import io.headpond.harness.kafka.Topics;
import io.headpond.harness.kafka.Verification;
import io.headpond.harness.kafka.VerificationReport;
import io.headpond.harness.kafka.Workload;
import io.headpond.harness.kafka.WorkloadSettings;
import io.headpond.harness.load.ContentReport;
import io.headpond.harness.process.ChildProcess;
import io.headpond.harness.process.EngineRelease;
import io.headpond.harness.process.FolderRemoval;
import io.headpond.harness.process.OwnJar;
import io.headpond.harness.process.PropertiesFile;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.Admin;

/**
 * A guest that runs an unmodified Kafka broker, its log directory at home. Its clock is the host's,
 * and its processor is slow, so its time limits are wide.
 */
public final class KafkaGuest implements ServedEngine {
  private static final String TOPIC = "events";
  private static final int PARTITIONS = 3;

  /** Of an instant. */
  private static final String ACKNOWLEDGED = "acknowledged";

  private static final int RECORD_BYTES = 2048;
  private static final String SEGMENT_BYTES = "1048576";

  /** A broker on copies, which the host runs, is up within it. */
  private static final Duration SERVING_LIMIT = Duration.ofMinutes(3);

  /** Rounds with {@code headpond.durability=engine}, before anything lies at home. */
  private static final int ENGINE_ROUNDS = 2;

  private static final String SMALL_TIER = "small tier";

  /** Logs a roll. */
  static final String LOG = "org.apache.kafka.storage.internals.log.LocalLog";

  /** The names of a new segment are forced behind it, and a spare file is made. */
  private static final int ROLL_MILLIS = 100;

  static final EngineMoment ROLL = new EngineMoment("roll", "Rolled new log segment", ROLL_MILLIS);

  private static final Variant VANILLA = new Variant("vanilla Kafka", Map.of(), false);

  private final FastDevice fast;
  private final Guest guest;
  private final KafkaNode node;
  private final Workload workload;
  private final Path folder;
  private final Path kafka;
  private final Path plugIn;
  private final ClassArchive archive;
  private final Path image;
  private final HostPrograms host;
  private final String agent;
  private List<EngineMoment> moments = List.of(ROLL);

  /**
   * @param devices below it
   * @param folder for disks, consoles and reports
   * @param seed records follow from it
   */
  public KafkaGuest(
      Devices devices, Path image, Path folder, EngineRelease release, long seed, HostPrograms host)
      throws IOException {
    this.folder = folder;
    archive = new ClassArchive(image, "kafka");
    this.image = image;
    this.host = host;
    fast = devices.fast();
    node = new KafkaNode(release, 1, folder.resolve("broker"), List.of(logsAtFirst()));
    Machine machine = devices.of(Machine.server(node.brokerPort()), seed);
    guest = new Guest(image, folder, machine, host);
    kafka = Programs.gather(folder.resolve("kafka"), release.jars());
    plugIn =
        Programs.gather(folder.resolve("plug-in"), Programs.own("nio", "observe", "store", "pmem"));
    agent =
        " -javaagent:/app/plug-in/" + OwnJar.find("nio").getFileName() + "=/app/server.properties";
    workload =
        new Workload(
            WorkloadSettings.of(TOPIC, PARTITIONS, seed).recordBytes(RECORD_BYTES, true),
            node.clientProperties());
    configure();
  }

  private Path logsAtFirst() {
    return folder.resolve("home-at-first").resolve("logs");
  }

  private void configure() {
    node.set("log.segment.bytes", SEGMENT_BYTES)
        .set("num.network.threads", "1")
        .set("num.io.threads", "2")
        .set("background.threads", "2")
        .set("log.cleaner.dedupe.buffer.size", "4194304")
        .set("broker.session.timeout.ms", "12000")
        .set("broker.heartbeat.interval.ms", "1000")
        .set("initial.broker.registration.timeout.ms", "600000");
  }

  @Override
  public Variant withHeadpond(Random random, int boot) {
    boolean small = random.nextBoolean() && boot > ENGINE_ROUNDS;
    Map<String, String> settings = new TreeMap<>();
    settings.put("headpond.tiers", "fast");
    settings.put("headpond.tier.fast.paths", fast.directory("tier"));
    settings.put("headpond.tier.fast.capacity", small ? "4MiB" : "96MiB");
    boolean storesAreDurable = fast == FastDevice.NVDIMM && boot <= ENGINE_ROUNDS;
    settings.put("headpond.durability", storesAreDurable ? "engine" : "append");
    return new Variant(small ? SMALL_TIER : "large tier", settings, true);
  }

  @Override
  public Variant vanilla() {
    return VANILLA;
  }

  /** As it comes, it forces nothing. */
  @Override
  public Variant unforced() {
    return VANILLA;
  }

  @Override
  public void makeDisks() throws IOException, InterruptedException {
    node.format();
    guest.makeDisks(logsAtFirst().getParent());
  }

  @Override
  public Boot boot(int number, int java, Variant variant) throws IOException, InterruptedException {
    variant.settings().forEach(node::set);
    moments =
        variant.name().equals(SMALL_TIER) ? List.of(ROLL, EngineMoment.MIGRATION) : List.of(ROLL);
    configureGuest();
    String job =
        (variant.headpond() ? "mkdir -p " + fast.directory("tier") + "\n" : "")
            + (moments.contains(EngineMoment.MIGRATION)
                ? EngineMoment.reportMoves("/home/logs")
                : "")
            + "echo FILES $(find /home/logs/events-* -name '*.log' -type l 2>/dev/null | wc -l)"
            + " $(find /home/logs/events-* -name '*.log' -type f 2>/dev/null | wc -l) >/dev/report\n"
            + EngineJvm.command(java)
            + archive.using(java)
            + (variant.headpond() ? agent : "")
            + (" -cp " + Programs.classPath(kafka) + " kafka.Kafka /app/server.properties\n");
    List<Path> files = new ArrayList<>(archive.files(java));
    files.addAll(List.of(kafka, plugIn, node.configuration(), EngineJvm.logging(folder, LOG)));
    return guest.boot(number, job, files);
  }

  private void configureGuest() throws IOException {
    String listeners = "PLAINTEXT://0.0.0.0:%d,CONTROLLER://127.0.0.1:%d";
    node.set("listeners", String.format(listeners, node.brokerPort(), node.controllerPort()));
    node.set("log.dirs", "/home/logs");
    node.writeConfiguration();
  }

  @Override
  public void awaitReady(Boot boot, boolean first, Runnable progress)
      throws IOException, InterruptedException {
    try (Admin admin = node.admin()) {
      while (!node.serves(admin)) {
        boot.check();
        progress.run();
      }
      if (first) {
        Topics.create(node, TOPIC, PARTITIONS, 1, Map.of());
      } else {
        Topics.awaitUsable(node, admin, TOPIC, PARTITIONS, 1);
      }
    }
  }

  @Override
  public String describe(Boot boot) throws IOException {
    String files = "at its start %s segments in the tier, %s at home";
    return String.format(files, boot.reported("FILES", 2).toArray());
  }

  @Override
  public void startLoad() {
    workload.start();
  }

  @Override
  public List<String> awaitMoment(Boot boot, Map<String, Integer> hits, Random random)
      throws IOException, InterruptedException {
    return EngineMoment.await(moments, boot, hits, random);
  }

  @Override
  public void endLoad() throws InterruptedException {
    workload.close();
    workload.await();
  }

  @Override
  public long acknowledged() {
    return workload.acknowledgedRecords();
  }

  @Override
  public ContentReport verify() throws IOException {
    return verify(workload);
  }

  private ContentReport verify(Workload written) throws IOException {
    VerificationReport found =
        Verification.of(written, Verification.Expect.EVERYTHING).run(node.clientProperties());
    return new ContentReport(
        found.acknowledged(),
        found.verified(),
        found.lost(),
        found.corrupt() + found.duplicates(),
        found.unacknowledged(),
        found.examples());
  }

  @Override
  public Path disks() {
    return folder;
  }

  @Override
  public void saveAtInstant(Path instant) throws IOException {
    workload.save(instant.resolve(ACKNOWLEDGED));
  }

  @Override
  public void archiveClasses(int java) throws IOException, InterruptedException {
    if (archive.exists(java)) {
      return;
    }
    configureGuest();
    EngineJvm.logging(folder, LOG);
    Path disks = folder.resolve("archive");
    FolderRemoval.remove(disks, true);
    try (CopiedDisks empty = CopiedDisks.empty(disks, folder, image, java, host)) {
      Programs.copy(logsAtFirst(), disks.resolve("home").resolve("logs"));
      try (ChildProcess broker = start(empty, List.of(archive.making(java)))) {
        awaitServing(broker, empty);
        broker.terminate(CopiedDisks.STOP_LIMIT);
      }
      archive.made(java);
    }
  }

  @Override
  public ContentReport verify(CopiedDisks copies) throws IOException, InterruptedException {
    Workload then = new Workload(workload.settings(), node.clientProperties());
    then.load(copies.folder().resolve(ACKNOWLEDGED));
    try (ChildProcess broker = start(copies, List.of());
        Admin admin = node.admin()) {
      awaitServing(broker, copies);
      Topics.awaitUsable(node, admin, TOPIC, PARTITIONS, 1);
      return verify(then);
    }
  }

  private ChildProcess start(CopiedDisks copies, List<String> options) throws IOException {
    Properties settings = PropertiesFile.read(node.configuration());
    // The controller refuses the broker until the session of its former life has ended.
    settings.setProperty("broker.session.timeout.ms", "2000");
    settings.setProperty("broker.heartbeat.interval.ms", "250");
    Path configuration = copies.folder().resolve("server.properties");
    PropertiesFile.write(configuration, settings);
    List<String> arguments = new ArrayList<>(options);
    arguments.addAll(List.of("-cp", Programs.classPath(kafka)));
    arguments.addAll(List.of("kafka.Kafka", configuration.toString()));
    return copies.start("the broker on copies", arguments);
  }

  private void awaitServing(ChildProcess broker, CopiedDisks copies)
      throws IOException, InterruptedException {
    long until = System.nanoTime() + SERVING_LIMIT.toNanos();
    try (Admin admin = node.admin()) {
      while (!node.serves(admin)) {
        if (!broker.alive()) {
          throw new IOException("the broker on copies ended: " + copies.output());
        }
        if (System.nanoTime() > until) {
          throw new IOException("the broker on copies doesn't serve: " + copies.output());
        }
      }
    }
  }

  @Override
  public void close() {
    workload.close();
  }
}
