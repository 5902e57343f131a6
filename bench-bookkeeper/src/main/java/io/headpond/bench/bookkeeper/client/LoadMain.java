// SPDX-License-Identifier: Apache-2.0
package io.headpond.bench.bookkeeper.client;

import io.headpond.bench.bookkeeper.LedgerLoadSettings;
import io.headpond.bench.load.ContentReport;
import io.headpond.bench.process.Dialogue;
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
import java.util.TreeMap;

/**
 * Takes the commands of a {@link io.headpond.bench.bookkeeper.LedgerLoad} from standard input,
 * until that ends.
 */
public final class LoadMain {

  private LoadMain() {}

  /**
   * @param arguments the file of a {@link LedgerLoadSettings}
   */
  public static void main(String[] arguments) throws Exception {
    Properties properties = new Properties();
    try (InputStream in = Files.newInputStream(Path.of(arguments[0]))) {
      properties.load(in);
    }
    PrintStream answers = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    BufferedReader commands =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    try (Load load = new Load(LedgerLoadSettings.from(properties))) {
      for (String line = commands.readLine(); line != null; line = commands.readLine()) {
        answers.println(Dialogue.encode(answer(load, line)));
      }
    }
    // Threads of a client whose bookie is gone may linger; nothing of theirs is needed any more.
    Runtime.getRuntime().halt(0);
  }

  private static Map<String, String> answer(Load load, String command) {
    String[] words = command.split(" ");
    try {
      return switch (words[0]) {
        case "start" -> {
          if (words.length == 3) {
            load.change(Integer.parseInt(words[1]), Integer.parseInt(words[2]));
          }
          load.start();
          yield Map.of("state", "started");
        }
        case "stop" -> {
          load.stop();
          yield Map.of("state", "stopped");
        }
        case "figures" -> load.figures().encode();
        case "verify" -> encode(load.verify());
        default -> throw new IOException("unknown command");
      };
    } catch (IOException | RuntimeException e) {
      return Map.of(Dialogue.ERROR, e.toString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Map.of(Dialogue.ERROR, e.toString());
    }
  }

  private static Map<String, String> encode(ContentReport report) {
    Map<String, String> values = new TreeMap<>();
    values.put("acknowledged", Long.toString(report.acknowledged()));
    values.put("verified", Long.toString(report.verified()));
    values.put("lost", Long.toString(report.lost()));
    values.put("corrupt", Long.toString(report.corrupt()));
    values.put("unacknowledged", Long.toString(report.unacknowledged()));
    values.put("examples", String.join("\n", report.examples()));
    return values;
  }
}
