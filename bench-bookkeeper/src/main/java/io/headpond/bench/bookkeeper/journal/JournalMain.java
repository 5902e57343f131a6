// SPDX-License-Identifier: Apache-2.0
package io.headpond.bench.bookkeeper.journal;

import io.headpond.bench.journal.JournalSetup;
import io.headpond.bench.process.Dialogue;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;

/**
 * Takes commands from standard input until that ends: {@code run ENTRY-BYTES MILLIS
 * BYTES-PER-SECOND}.
 */
public final class JournalMain {
  private JournalMain() {}

  /**
   * @param arguments the file of a {@link JournalSetup}
   */
  public static void main(String[] arguments) throws Exception {
    Properties properties = new Properties();
    try (InputStream in = Files.newInputStream(Path.of(arguments[0]))) {
      properties.load(in);
    }
    PrintStream answers = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    BufferedReader commands =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    JournalLoad load = new JournalLoad(JournalSetup.from(properties));
    for (String line = commands.readLine(); line != null; line = commands.readLine()) {
      answers.println(Dialogue.encode(answer(load, line.split(" "))));
    }
    // The journal's threads would keep the process; what they wrote is removed with its folder.
    Runtime.getRuntime().halt(0);
  }

  private static Map<String, String> answer(JournalLoad load, String[] command) {
    try {
      if (command.length == 4 && command[0].equals("run")) {
        return load.run(
                Integer.parseInt(command[1]),
                Duration.ofMillis(Long.parseLong(command[2])),
                Long.parseLong(command[3]))
            .encode();
      }
      throw new IOException("unknown command");
    } catch (IOException | RuntimeException e) {
      return Map.of(Dialogue.ERROR, e.toString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Map.of(Dialogue.ERROR, e.toString());
    }
  }
}
