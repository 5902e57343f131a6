// SPDX-License-Identifier: Apache-2.0
package io.headpond.harness.process;

import io.headpond.harness.load.Fields;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Collectors;

/** The end of a {@link Dialogue} that is in the child process. */
public final class DialogueChild {

  /** The answers to commands; an exception becomes an answer that tells of an error. */
  public interface Answers {
    Map<String, String> answer(String command) throws IOException, InterruptedException;
  }

  private DialogueChild() {}

  /** The settings that the process was started with. */
  public static Properties settings(String[] arguments) throws IOException {
    return PropertiesFile.read(Path.of(arguments[0]));
  }

  /** The same as a record, whose {@link Fields} they are. */
  public static <R extends Record> R settings(Class<R> type, String[] arguments)
      throws IOException {
    Properties all = settings(arguments);
    return Fields.decode(
        type,
        all.stringPropertyNames().stream()
            .collect(Collectors.toMap(name -> name, all::getProperty)));
  }

  /** Answers the commands from standard input until that ends. */
  public static void answer(Answers answers) throws IOException {
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    BufferedReader commands =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = commands.readLine(); line != null; line = commands.readLine()) {
      out.println(Dialogue.encode(answerOrError(answers, line)));
    }
  }

  private static Map<String, String> answerOrError(Answers answers, String command) {
    try {
      return answers.answer(command);
    } catch (IOException | RuntimeException e) {
      return Map.of(Dialogue.ERROR, e.toString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Map.of(Dialogue.ERROR, e.toString());
    }
  }
}
