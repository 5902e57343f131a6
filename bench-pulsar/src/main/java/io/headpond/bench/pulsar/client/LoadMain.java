// SPDX-License-Identifier: Apache-2.0
package io.headpond.bench.pulsar.client;

import io.headpond.bench.process.Dialogue;
import io.headpond.bench.pulsar.PulsarFigures;
import io.headpond.bench.pulsar.PulsarLoadSettings;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;

/**
 * Takes the commands of a {@link io.headpond.bench.pulsar.PulsarLoad} from standard input, until
 * that ends.
 */
public final class LoadMain {

  private LoadMain() {}

  /**
   * @param arguments the file of a {@link PulsarLoadSettings}
   */
  public static void main(String[] arguments) throws IOException {
    Properties properties = new Properties();
    try (InputStream in = Files.newInputStream(Path.of(arguments[0]))) {
      properties.load(in);
    }
    PrintStream answers = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    BufferedReader commands =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    try (TopicLoad load = new TopicLoad(PulsarLoadSettings.from(properties))) {
      for (String line = commands.readLine(); line != null; line = commands.readLine()) {
        answers.println(Dialogue.encode(answer(load, line)));
      }
    }
    // Threads of a client whose broker is gone may linger; nothing of theirs is needed any more.
    Runtime.getRuntime().halt(0);
  }

  private static Map<String, String> answer(TopicLoad load, String command) {
    try {
      switch (command) {
        case "publish" -> load.publish();
        case "stop" -> load.stop();
        case "queue" -> load.openQueue();
        case "verify" -> load.verify();
        case "figures" -> {
          return load.figures().encode();
        }
        case "latency" -> {
          return PulsarFigures.encode(load.latencyInterval());
        }
        case "report" -> {
          return load.report().encode();
        }
        default -> throw new IOException("unknown command");
      }
      return Map.of("done", command);
    } catch (IOException | RuntimeException e) {
      return Map.of(Dialogue.ERROR, e.toString());
    }
  }
}
