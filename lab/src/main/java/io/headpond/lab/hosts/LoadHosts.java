// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.hosts;

import io.headpond.harness.process.Dialogue;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The hosts that make a load together. Until they have begun their first load, a host that fails is
 * an error; from then on it is named, and the others go on. One thread but for {@link #close},
 * which another one may call at any time to end everything.
 */
public final class LoadHosts implements Closeable {

  /** The first start in a source tree builds. */
  private static final Duration HELLO_LIMIT = Duration.ofMinutes(3);

  private final HostsSettings settings;
  private final List<LoadHost> hosts = new CopyOnWriteArrayList<>();
  private Consumer<String> onFailure = failure -> {};
  private boolean begun;
  private volatile boolean closed;

  /** Takes the settings; no host is reached yet. */
  public LoadHosts(HostsSettings settings) {
    this.settings = settings;
  }

  /** The settings that name them. */
  public HostsSettings settings() {
    return settings;
  }

  /** Their number, those that failed included. */
  public int size() {
    return settings.names().size();
  }

  /** Sets the listener to hosts that fail while load is made. */
  public void onFailure(Consumer<String> told) {
    onFailure = told;
  }

  /**
   * Reaches all of them and measures their clocks; one that can't be reached, or has another
   * Headpond, is an error with its cause and a remedy.
   *
   * @param folder for what they print on standard error
   */
  public void connect(Path folder) throws IOException, InterruptedException {
    for (String name : settings.names()) {
      List<String> command = settings.command(name, settings.program());
      Path errors = folder.resolve(hosts.size() + ".err");
      hosts.add(new LoadHost(name, Dialogue.start("its load generator", command, errors)));
      if (closed) {
        close();
        throw new InterruptedException("the benchmark was closed");
      }
    }
    for (LoadHost host : hosts) {
      sendHello(host);
    }
    for (LoadHost host : hosts) {
      awaitHello(host);
    }
    measureClocks();
  }

  private void sendHello(LoadHost host) throws IOException {
    try {
      host.send("hello");
    } catch (IOException e) {
      throw unreached(host, e);
    }
  }

  private void awaitHello(LoadHost host) throws IOException, InterruptedException {
    Map<String, String> answer;
    try {
      answer = host.answer(HELLO_LIMIT);
    } catch (IOException e) {
      throw unreached(host, e);
    }
    String version = answer.get("version");
    if (!settings.version().equals(version)) {
      throw new IOException(
          String.format(
              "host %s has Headpond %s, and here is %s; unpack the same one there",
              host.name(), version, settings.version()));
    }
  }

  private IOException unreached(LoadHost host, IOException e) {
    return new IOException(
        String.format(
            "host %s makes no load: %s; let '%s' succeed without a password, and let %s run there"
                + " (--remote-home)",
            host.name(), cause(e), settings.trial(host.name()), settings.program()),
        e);
  }

  /** The cause of a failure in one line, with the last output of the host. */
  private static String cause(IOException e) {
    List<String> lines = e.getMessage().lines().filter(line -> !line.isBlank()).toList();
    String first = lines.get(0);
    String last = lines.get(lines.size() - 1);
    return lines.size() == 1 ? first : first + ": " + last;
  }

  /** The hosts that still take part. */
  public List<LoadHost> left() {
    return hosts.stream().filter(LoadHost::alive).toList();
  }

  /** Measures all clocks anew, which drift apart. */
  public void measureClocks() throws IOException, InterruptedException {
    for (LoadHost host : left()) {
      try {
        host.measureClock();
      } catch (IOException e) {
        failed(host, cause(e));
      }
    }
    requireOne();
  }

  /**
   * Asks all that are left at once, and takes their answers. A host that doesn't answer, or answers
   * that it {@link LoadHost#FAILED}, takes no part any more; it is an error if none is left.
   */
  public void ask(
      Function<LoadHost, String> command, BiConsumer<LoadHost, Map<String, String>> taken)
      throws IOException, InterruptedException {
    List<LoadHost> asked = left();
    for (LoadHost host : asked) {
      try {
        host.send(command.apply(host));
      } catch (IOException e) {
        failed(host, cause(e));
      }
    }
    for (LoadHost host : asked) {
      if (host.alive()) {
        take(host, taken);
      }
    }
    requireOne();
  }

  private void take(LoadHost host, BiConsumer<LoadHost, Map<String, String>> taken)
      throws IOException, InterruptedException {
    Map<String, String> answer;
    try {
      answer = host.answer();
    } catch (IOException e) {
      failed(host, cause(e));
      return;
    }
    if (answer.containsKey(LoadHost.FAILED)) {
      failed(host, answer.get(LoadHost.FAILED));
    } else {
      taken.accept(host, answer);
    }
  }

  /** Marks the begin of the load: a host that fails from now on is left out. */
  public void begun() {
    begun = true;
  }

  private void failed(LoadHost host, String cause) throws IOException {
    if (closed || !begun) {
      throw new IOException("host " + host.name() + ": " + cause);
    }
    host.failed(cause);
    onFailure.accept("host " + host.name() + " failed: " + cause);
  }

  private void requireOne() throws IOException {
    if (left().isEmpty()) {
      throw new IOException("no host is left that makes load: " + String.join("; ", failures()));
    }
  }

  /** Name and cause of each host that failed; empty: all took part to the end. */
  public List<String> failures() {
    return hosts.stream()
        .filter(host -> !host.alive())
        .map(host -> "host " + host.name() + " failed: " + host.failure())
        .toList();
  }

  /** The figures of each of them so far. */
  public List<HostReport> reports() {
    return hosts.stream().map(LoadHost::report).toList();
  }

  /** Ends their processes. */
  @Override
  public void close() {
    closed = true;
    hosts.forEach(LoadHost::close);
  }
}
