// SPDX-License-Identifier: Apache-2.0
package io.headpond.harness.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A child process that answers commands: one line in, one line of keys and values out. It ends when
 * its standard input does, and so never outlives this JVM. Not safe for use by several threads.
 */
public final class Dialogue implements AutoCloseable {

  /** Begins a line that is an answer; whatever else the process prints is kept in its output. */
  private static final String MARK = "@ ";

  /** An answer's key that says what went wrong; no component of a record can have its name. */
  static final String ERROR = "!error";

  private static final Duration END_LIMIT = Duration.ofSeconds(3);

  private final String name;
  private final ChildProcess process;
  private final Writer commands;
  private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
  private String sent = "";

  private Dialogue(String name, ChildProcess process) {
    this.name = name;
    this.process = process;
    this.commands = process.commands();
    Thread reader = new Thread(this::read, "answers-of-" + name);
    reader.setDaemon(true);
    reader.start();
  }

  /**
   * Starts {@code mainClass}, which answers by {@link DialogueChild#answer}, in {@code jvm}'s
   * folder.
   *
   * @param name what errors call it
   * @param settings go into a file, its only argument
   */
  public static Dialogue start(String name, JavaServer jvm, String mainClass, Map<?, ?> settings)
      throws IOException {
    Path file = jvm.folder().resolve("settings.properties");
    PropertiesFile.write(file, settings);
    List<String> command = jvm.command(mainClass, file.toString());
    return new Dialogue(
        name, ChildProcess.startWithPipes(name, command, Map.of(), jvm.folder(), jvm.output()));
  }

  /**
   * Starts any command that answers by {@link DialogueChild#answer}.
   *
   * @param name what errors call it
   * @param errors gets its standard error
   */
  public static Dialogue start(String name, List<String> command, Path errors) throws IOException {
    Path folder = errors.toAbsolutePath().getParent();
    return new Dialogue(name, ChildProcess.startWithPipes(name, command, Map.of(), folder, errors));
  }

  private void read() {
    try (BufferedReader in = process.answers()) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        if (line.startsWith(MARK)) {
          answers.add(line.substring(MARK.length()));
        }
      }
    } catch (IOException e) {
      // As if it had ended: its end, and what it printed, are the next answer's error.
    }
    answers.add("");
  }

  /** Sends a command and waits for its answer; one that tells of an error is an IOException. */
  public Map<String, String> ask(String command, Duration limit)
      throws IOException, InterruptedException {
    send(command);
    return answer(limit);
  }

  /** Sends a command; {@link #answer} takes its answer before the next one is sent. */
  public void send(String command) throws IOException {
    sent = command;
    try {
      commands.write(command + "\n");
      commands.flush();
    } catch (IOException e) {
      throw new IOException(name + " has ended\n" + process.tail(40), e);
    }
  }

  /** Waits for the answer to what was sent; one that tells of an error is an IOException. */
  public Map<String, String> answer(Duration limit) throws IOException, InterruptedException {
    String command = sent.split(" ", 2)[0];
    String answer = answers.poll(limit.toMillis(), TimeUnit.MILLISECONDS);
    if (answer == null) {
      throw new IOException(
          name
              + " didn't answer '"
              + command
              + "' within "
              + limit.toSeconds()
              + " s\n"
              + process.tail(40));
    }
    if (answer.isEmpty()) {
      answers.add(answer);
      throw new IOException(name + " ended at '" + command + "'\n" + process.tail(40));
    }
    Map<String, String> values = decode(answer);
    if (values.containsKey(ERROR)) {
      throw new IOException(
          name + ", at '" + command + "': " + values.get(ERROR) + "\n" + process.tail(10));
    }
    return values;
  }

  /** An answer's line, as the child process prints it. */
  static String encode(Map<String, String> values) {
    StringBuilder line = new StringBuilder(MARK);
    new TreeMap<>(values)
        .forEach(
            (key, value) ->
                line.append(key)
                    .append('=')
                    .append(URLEncoder.encode(value, StandardCharsets.UTF_8))
                    .append(' '));
    return line.toString();
  }

  private static Map<String, String> decode(String answer) {
    Map<String, String> values = new TreeMap<>();
    for (String pair : answer.trim().split(" ")) {
      int equals = pair.indexOf('=');
      values.put(
          pair.substring(0, equals),
          URLDecoder.decode(pair.substring(equals + 1), StandardCharsets.UTF_8));
    }
    return values;
  }

  /** Processor time it has used, user and system. */
  public Duration cpuTime() {
    return process.cpuTime();
  }

  /** Ends its input, and kills it if it doesn't end then. */
  @Override
  public void close() {
    try {
      commands.close();
      if (!process.endsWithin(END_LIMIT.toMillis())) {
        process.kill();
      }
    } catch (IOException e) {
      process.close();
    } catch (InterruptedException e) {
      process.close();
      Thread.currentThread().interrupt();
    }
  }
}
