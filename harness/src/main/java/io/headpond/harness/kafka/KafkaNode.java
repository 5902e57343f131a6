// SPDX-License-Identifier: Apache-2.0
package io.headpond.harness.kafka;

import io.headpond.harness.process.ChildProcess;
import io.headpond.harness.process.EngineRelease;
import io.headpond.harness.process.JavaHome;
import io.headpond.harness.process.LoggingSetup;
import io.headpond.harness.process.Patience;
import io.headpond.harness.process.Ports;
import io.headpond.harness.process.PropertiesFile;
import io.headpond.harness.process.ToolRun;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeClusterOptions;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.Uuid;

/**
 * One Kafka server in KRaft mode, run as a child process that can be started, stopped, killed and
 * started again over the same directories, with the plug-in or without it. Its ports stay the same
 * over its lives. Not safe for use by several threads.
 */
public final class KafkaNode implements AutoCloseable {

  private static final Duration START_LIMIT = Patience.ofSeconds(300);
  private static final Duration STOP_LIMIT = Patience.ofSeconds(120);
  private static final Duration ANSWER_LIMIT = Patience.ofSeconds(2);
  private static final int TAIL_LINES = 60;

  private final Path folder;
  private final Path configuration;
  private final List<Path> logDirs;
  private final TreeMap<String, String> properties = new TreeMap<>();
  private final Map<String, String> clientProperties = new HashMap<>();
  private final List<String> jvmArguments = new ArrayList<>();
  private final int id;
  private final int brokerPort;
  private final int controllerPort;
  private EngineRelease distribution;
  private JavaHome java = JavaHome.current();
  private int heapMiB = 384;
  private boolean wholeHeap;
  private String clusterId = Uuid.randomUuid().toString();
  private PlugIn plugIn;
  private ChildProcess process;

  /**
   * A combined broker and controller, alone in its cluster until told otherwise.
   *
   * @param folder holds its configuration and its output
   * @param logDirs its {@code log.dirs}
   */
  public KafkaNode(EngineRelease distribution, int id, Path folder, List<Path> logDirs)
      throws IOException {
    this.distribution = distribution;
    this.id = id;
    this.folder = Files.createDirectories(folder.toAbsolutePath());
    this.configuration = this.folder.resolve("server.properties");
    this.logDirs = logDirs.stream().map(Path::toAbsolutePath).toList();
    int[] ports = Ports.free(2);
    this.brokerPort = ports[0];
    this.controllerPort = ports[1];
    defaults();
  }

  private void defaults() {
    set("node.id", Integer.toString(id));
    set("process.roles", "broker,controller");
    set("controller.quorum.voters", voter());
    set("controller.listener.names", "CONTROLLER");
    set(
        "listeners",
        "PLAINTEXT://127.0.0.1:" + brokerPort + ",CONTROLLER://127.0.0.1:" + controllerPort);
    set("advertised.listeners", "PLAINTEXT://127.0.0.1:" + brokerPort);
    set("inter.broker.listener.name", "PLAINTEXT");
    set("log.dirs", String.join(",", logDirs.stream().map(Path::toString).toList()));
    set("offsets.topic.replication.factor", "1");
    set("offsets.topic.num.partitions", "4");
    set("transaction.state.log.replication.factor", "1");
    set("transaction.state.log.min.isr", "1");
    set("transaction.state.log.num.partitions", "4");
    set("share.coordinator.state.topic.replication.factor", "1");
    set("share.coordinator.state.topic.min.isr", "1");
    set("group.initial.rebalance.delay.ms", "0");
    // After a kill the controller refuses the broker until the session of its former life has
    // ended.
    set("broker.session.timeout.ms", millis(5));
    set("initial.broker.registration.timeout.ms", millis(60));
    set("broker.heartbeat.interval.ms", "500");
    set("auto.create.topics.enable", "false");
    clientProperties.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, "127.0.0.1:" + brokerPort);
  }

  private static String millis(long seconds) {
    return Long.toString(Patience.ofSeconds(seconds).toMillis());
  }

  /** Sets a key of {@code server.properties}, Kafka's or Headpond's; counts from the next start. */
  public KafkaNode set(String key, String value) {
    properties.put(key, value);
    return this;
  }

  /** Takes a key out of {@code server.properties}; counts from the next start. */
  public KafkaNode unset(String key) {
    properties.remove(key);
    return this;
  }

  /** Sets a key that every client of this node needs, as those of TLS. */
  public KafkaNode setForClients(String key, String value) {
    clientProperties.put(key, value);
    return this;
  }

  /** The release of Kafka that it is from the next start on. */
  public KafkaNode release(EngineRelease release) {
    this.distribution = release;
    return this;
  }

  /** The Java that runs it from the next start on. */
  public KafkaNode java(JavaHome home) {
    this.java = home;
    return this;
  }

  /** Largest heap, MiB. */
  public KafkaNode heapMiB(int mebibytes) {
    this.heapMiB = mebibytes;
    return this;
  }

  /** The heap has its largest size from the start. */
  public KafkaNode wholeHeap() {
    this.wholeHeap = true;
    return this;
  }

  /** One more argument of its JVM. */
  public KafkaNode jvmArgument(String argument) {
    jvmArguments.add(argument);
    return this;
  }

  /** From the next start on it runs with Headpond. */
  public KafkaNode with(PlugIn headpond) {
    this.plugIn = headpond;
    return this;
  }

  /** From the next start on it is unmodified Kafka. */
  public KafkaNode vanilla() {
    this.plugIn = null;
    return this;
  }

  /**
   * Makes it a member of a cluster whose voters are given as {@code id@host:port}, comma-separated.
   */
  public KafkaNode joins(String sharedClusterId, String voters, boolean controller) {
    this.clusterId = sharedClusterId;
    set("controller.quorum.voters", voters);
    if (!controller) {
      set("process.roles", "broker");
      set("listeners", "PLAINTEXT://127.0.0.1:" + brokerPort);
    }
    return this;
  }

  /**
   * From the next start on it listens on all of this machine's addresses, for clients on other
   * machines too.
   *
   * @param host how all clients, those on this machine too, reach it
   */
  public KafkaNode advertise(String host) {
    set(
        "listeners",
        "PLAINTEXT://0.0.0.0:" + brokerPort + ",CONTROLLER://127.0.0.1:" + controllerPort);
    set("advertised.listeners", "PLAINTEXT://" + host + ":" + brokerPort);
    return this;
  }

  /** As {@code controller.quorum.voters} names this node. */
  public String voter() {
    return id + "@127.0.0.1:" + controllerPort;
  }

  /** Its {@code node.id}. */
  public int id() {
    return id;
  }

  /** The port of its broker listener. */
  public int brokerPort() {
    return brokerPort;
  }

  /** The port of its controller listener. */
  public int controllerPort() {
    return controllerPort;
  }

  /** Its {@code log.dirs}. */
  public List<Path> logDirs() {
    return logDirs;
  }

  /** The {@code server.properties} that it was last started with. */
  public Path configuration() {
    return configuration;
  }

  /** The configuration of a client of this node. */
  public Map<String, Object> clientProperties() {
    return new HashMap<>(clientProperties);
  }

  /** A client for topics and records of this node; the caller closes it. */
  public Admin admin() {
    Map<String, Object> config = clientProperties();
    config.put(CommonClientConfigs.RECONNECT_BACKOFF_MAX_MS_CONFIG, 200);
    return Admin.create(config);
  }

  /** Formats the log directories that aren't yet, as {@code kafka-storage.sh format} does. */
  public KafkaNode format() throws IOException, InterruptedException {
    for (Path logDir : logDirs) {
      Files.createDirectories(logDir);
    }
    ToolRun run =
        tool(
            "kafka.tools.StorageTool",
            "format",
            "-t",
            clusterId,
            "-c",
            configuration.toString(),
            "--ignore-formatted");
    if (run.exitCode() != 0) {
      throw new IOException(
          "formatting of " + logDirs + " failed with " + run.exitCode() + ":\n" + run.output());
    }
    return this;
  }

  /** Starts it and waits until it serves clients. */
  public KafkaNode start() throws IOException, InterruptedException {
    launch();
    awaitReady();
    return this;
  }

  /** Starts it without waiting. */
  public KafkaNode launch() throws IOException {
    if (running()) {
      throw new IllegalStateException("node " + id + " runs already");
    }
    writeConfiguration();
    List<String> command =
        command(
            "kafka.Kafka",
            "-Xms" + (wholeHeap ? heapMiB : Math.min(heapMiB, 256)) + "m",
            "-Xmx" + heapMiB + "m");
    command.add(configuration.toString());
    process = ChildProcess.start("Kafka node " + id, command, Map.of(), folder, output());
    return this;
  }

  /**
   * Waits until it serves clients; an error with the end of its output if it ends or takes too
   * long.
   */
  public void awaitReady() throws IOException, InterruptedException {
    long deadline = System.nanoTime() + START_LIMIT.toNanos();
    try (Admin admin = admin()) {
      while (!serves(admin)) {
        if (process.endsWithin(50)) {
          throw new IOException(
              distribution.version()
                  + " node "
                  + id
                  + " ended at its start with "
                  + process.awaitExit(STOP_LIMIT)
                  + "\n"
                  + tail());
        }
        if (System.nanoTime() > deadline) {
          kill();
          throw new IOException(
              "node " + id + " wasn't ready after " + START_LIMIT.toSeconds() + " s\n" + tail());
        }
      }
    }
  }

  /** True if it answers as a member of its cluster; waits 2 s at most, times {@link Patience}. */
  public boolean serves(Admin admin) throws InterruptedException {
    int limit = (int) ANSWER_LIMIT.toMillis();
    try {
      var nodes = admin.describeCluster(new DescribeClusterOptions().timeoutMs(limit)).nodes();
      return nodes.get(limit, TimeUnit.MILLISECONDS).stream()
          .mapToInt(Node::id)
          .anyMatch(n -> n == id);
    } catch (ExecutionException | TimeoutException e) {
      return false;
    }
  }

  /** Waits for the end of a process that is expected to refuse its start; returns its exit code. */
  public int awaitExit(Duration limit) throws IOException, InterruptedException {
    return process.awaitExit(limit);
  }

  /** SIGTERM: a clean, controlled shutdown. */
  public void stop() throws IOException, InterruptedException {
    process.terminate(STOP_LIMIT);
  }

  /** SIGKILL: what a crash of the process leaves behind. */
  public void kill() throws InterruptedException {
    process.kill();
  }

  /** True while its process lives. */
  public boolean running() {
    return process != null && process.alive();
  }

  /** Process id of its current or last life. */
  public long pid() {
    return process.pid();
  }

  /** Processor time its current life has used, user and system. */
  public Duration cpuTime() {
    return process.cpuTime();
  }

  /** Bytes that its current life has written to files on block devices. */
  public long writtenBytes() throws IOException {
    return process.writtenBytes();
  }

  /** The end of what it has printed and logged. */
  public String tail() throws IOException {
    return "--- output of node "
        + id
        + " ("
        + output()
        + ")\n"
        + ChildProcess.tail(output(), TAIL_LINES)
        + "\n--- log of node "
        + id
        + " ("
        + log()
        + ")\n"
        + ChildProcess.tail(log(), TAIL_LINES);
  }

  /** The file of what the process printed, over all its lives. */
  public Path output() {
    return folder.resolve("node.out");
  }

  /** Kafka's log over all its lives; a bounded file. */
  public Path log() {
    return folder.resolve("server.log");
  }

  /**
   * Runs one of Kafka's command-line tools with the node's Java, and with the plug-in if the node
   * has it, as {@code KAFKA_OPTS} would do.
   */
  public ToolRun tool(String mainClass, String... arguments)
      throws IOException, InterruptedException {
    writeConfiguration();
    List<String> command = command(mainClass, "-Xmx256m");
    command.addAll(List.of(arguments));
    return ToolRun.of(mainClass, command, folder, STOP_LIMIT);
  }

  private List<String> command(String mainClass, String... memory) {
    List<String> command = new ArrayList<>(List.of(java.java().toString()));
    command.addAll(List.of(memory));
    command.addAll(
        List.of(
            "-XX:+ExitOnOutOfMemoryError",
            "-XX:ErrorFile=" + folder.resolve("hs_err_%p.log"),
            "-Djava.awt.headless=true",
            // A library that a killed broker had unpacked would stay in /tmp for ever.
            "-Djava.io.tmpdir=" + temporary(),
            "-Dlog4j2.configurationFile=" + folder.resolve("log4j2.properties"),
            "-Dlog4j.configuration=file:" + folder.resolve("log4j.properties")));
    String classPath = distribution.classPath();
    if (plugIn != null) {
      command.addAll(plugIn.jvmArguments(configuration));
      classPath =
          plugIn.start() == PlugIn.Start.CLASS_PATH ? plugIn.jar() + ":" + classPath : classPath;
    }
    command.addAll(jvmArguments); // another agent comes after Headpond's
    command.addAll(List.of("-cp", classPath, mainClass));
    return command;
  }

  /** Writes {@link #configuration} as the next start would find it. */
  public void writeConfiguration() throws IOException {
    PropertiesFile.write(configuration, properties);
    Files.createDirectories(temporary());
    Files.writeString(
        folder.resolve("log4j2.properties"), LoggingSetup.log4j2(log()), StandardCharsets.UTF_8);
    Files.writeString(
        folder.resolve("log4j.properties"), LoggingSetup.reload4j(log()), StandardCharsets.UTF_8);
  }

  private Path temporary() {
    return folder.resolve("tmp");
  }

  /** Kills the process if it lives. */
  @Override
  public void close() {
    if (process != null) {
      process.close();
    }
  }
}
