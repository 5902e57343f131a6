// SPDX-License-Identifier: Apache-2.0
package io.headpond.bench.powercut;

import io.headpond.bench.kafka.KafkaNode;
import io.headpond.bench.kafka.Topics;
import io.headpond.bench.process.EngineRelease;
import io.headpond.bench.process.OwnJar;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;

/**
 * A guest that runs an unmodified Kafka broker, its log directory at home, whose clients are on the
 * host. Its clock is the host's, and its processor is slow, so its time limits are wide. One
 * thread.
 */
final class KafkaGuest {
  static final String TOPIC = "events";
  static final int PARTITIONS = 3;

  private static final List<String> PLUG_IN = List.of("nio", "observe", "store", "pmem");
  private static final String SEGMENT_BYTES = "1048576";

  /** A short start counts here, not speed; libpmem doesn't need C2. */
  private static final String JVM_OPTIONS =
      "-Xms96m -Xmx256m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:+ErrorFileToStderr"
          + " -Djava.io.tmpdir=/tmp -Dlog4j2.configurationFile=/app/log4j2.properties ";

  private static final String LOGGING =
      """
      appender.console.type=Console
      appender.console.name=console
      appender.console.layout.type=PatternLayout
      appender.console.layout.pattern=%d{ABSOLUTE} %p %c{1} %m%n
      rootLogger.level=WARN
      rootLogger.appenderRef.console.ref=console
      logger.headpond.name=io.headpond
      logger.headpond.level=INFO
      """;

  private final Guest guest;
  private final KafkaNode node;
  private final Path folder;
  private final Path kafka;
  private final Path plugIn;
  private final String agent;

  /**
   * @param folder for disks, consoles and reports
   */
  KafkaGuest(Path image, Path folder, EngineRelease release, HostPrograms host) throws IOException {
    this.folder = folder;
    node = new KafkaNode(release, 1, folder.resolve("broker"), List.of(logsAtFirst()));
    guest = new Guest(image, folder, Machine.server(node.brokerPort()), host);
    kafka = gather("kafka", release.jars());
    plugIn = gather("plug-in", ownJars());
    agent =
        " -javaagent:/app/plug-in/" + OwnJar.find("nio").getFileName() + "=/app/server.properties";
    Files.writeString(folder.resolve("log4j2.properties"), LOGGING);
    configure();
  }

  private static List<Path> ownJars() throws IOException {
    List<Path> jars = new ArrayList<>();
    for (String module : PLUG_IN) {
      jars.add(OwnJar.find(module));
    }
    return jars;
  }

  private Path logsAtFirst() {
    return folder.resolve("home-at-first").resolve("logs");
  }

  private Path gather(String name, List<Path> jars) throws IOException {
    Path target = Files.createDirectories(folder.resolve(name));
    for (Path jar : jars) {
      Files.copy(jar, target.resolve(jar.getFileName()), StandardCopyOption.REPLACE_EXISTING);
    }
    return target;
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

  /** Empty disks with a formatted log directory; nothing of Headpond is in it. */
  void makeDisks() throws IOException, InterruptedException {
    node.format();
    guest.makeDisks(logsAtFirst().getParent());
  }

  /**
   * Starts it.
   *
   * @param java feature release
   * @param headpond the plug-in's part of the configuration; empty: vanilla Kafka
   */
  Boot boot(int number, int java, Map<String, String> headpond)
      throws IOException, InterruptedException {
    String listeners = "PLAINTEXT://0.0.0.0:%d,CONTROLLER://127.0.0.1:%d";
    node.set("listeners", String.format(listeners, node.brokerPort(), node.controllerPort()));
    node.set("log.dirs", "/home/logs");
    headpond.forEach(node::set);
    node.writeConfiguration();
    String job =
        "mkdir -p /pmem/tier\n"
            + "echo FILES $(find /home/logs/events-* -name '*.log' -type l 2>/dev/null | wc -l)"
            + " $(find /home/logs/events-* -name '*.log' -type f 2>/dev/null | wc -l) >/dev/report\n"
            + ("/" + Setup.jre(java) + "/bin/java " + JVM_OPTIONS)
            + (java >= 22 ? Setup.NATIVE_ACCESS : "")
            + (headpond.isEmpty() ? "" : agent)
            + " -cp '/app/kafka/*' kafka.Kafka /app/server.properties\n";
    Path logging = folder.resolve("log4j2.properties");
    return guest.boot(number, job, List.of(kafka, plugIn, node.configuration(), logging), "cpu");
  }

  /**
   * Waits until the broker serves the topic, which the first time is created.
   *
   * @param progress is run now and then
   */
  void awaitReady(Boot boot, boolean first, Runnable progress)
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

  /** For the clients on the host. */
  Map<String, Object> clientProperties() {
    return node.clientProperties();
  }
}
