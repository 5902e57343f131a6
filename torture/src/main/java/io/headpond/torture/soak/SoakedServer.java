// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.soak;

import io.headpond.harness.process.JavaHome;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * The server of a soak: the process that is started, with Headpond or without it, and ended. One
 * thread, but {@link #close}.
 */
abstract class SoakedServer implements Closeable {
  private final Random random;
  private final Map<String, List<String>> choices;
  private final OperatorCommands commands;
  private final List<JavaHome> javas;
  private volatile boolean closed;

  /** A start with what was drawn for it. */
  interface Start {
    void with(JavaHome java, Map<String, String> settings) throws IOException, InterruptedException;
  }

  /**
   * @param choices values of settings, each as right as the others; they are drawn anew for each
   *     start
   * @param commands that work on the server's files
   */
  SoakedServer(Random random, Map<String, List<String>> choices, OperatorCommands commands)
      throws IOException {
    this.random = random;
    this.choices = new TreeMap<>(choices);
    this.commands = commands;
    javas = JavaHome.installed();
  }

  /** Starts it with Headpond, other settings and perhaps another Java; says which. */
  abstract String start() throws IOException, InterruptedException;

  /** Starts it unmodified, on the same files. */
  abstract void startVanilla() throws IOException, InterruptedException;

  /** SIGKILL. */
  abstract void kill() throws IOException, InterruptedException;

  /** SIGTERM. */
  abstract void stop() throws IOException, InterruptedException;

  /** True while its process lives. */
  abstract boolean running();

  /** The end of its output. */
  abstract String tail() throws IOException;

  /** Is a file being copied to another tier? */
  abstract boolean copying() throws IOException;

  /** Its process, which runs. */
  abstract long pid();

  /** The resources that it holds now. */
  final Footprint footprint() throws IOException {
    return Footprint.of(pid());
  }

  /** Draws a Java and settings, and starts it with them; says which. */
  final String startDrawn(Start start) throws IOException, InterruptedException {
    JavaHome java = javas.get(random.nextInt(javas.size()));
    Map<String, String> settings = new TreeMap<>();
    StringBuilder drawn = new StringBuilder("Java " + java.feature());
    choices.forEach(
        (key, values) -> {
          String value = values.get(random.nextInt(values.size()));
          settings.put(key, value);
          drawn.append(", ").append(key.replaceFirst("^headpond\\.(tier\\.)?", ""));
          drawn.append(' ').append(value);
        });
    checkOpen();
    start.with(java, settings);
    return drawn.toString();
  }

  /** An error if it was closed. */
  final void checkOpen() throws IOException {
    if (closed) {
      throw new IOException("interrupted");
    }
  }

  /** The commands that work on its files. */
  OperatorCommands commands() throws IOException {
    return commands;
  }

  /** Any thread: nothing runs any more, and nothing starts. */
  @Override
  public void close() {
    closed = true;
    commands.close();
  }
}
