// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.bookkeeper.client;

import io.headpond.harness.bookkeeper.LedgerLoadSettings;
import io.headpond.harness.load.Fields;
import io.headpond.harness.load.SendingOrder;
import io.headpond.harness.process.DialogueChild;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/**
 * Takes the commands of a {@link io.headpond.harness.bookkeeper.LedgerLoad} from standard input,
 * until that ends.
 */
public final class LoadMain {

  private LoadMain() {}

  /**
   * @param arguments the file of a {@link LedgerLoadSettings}
   */
  public static void main(String[] arguments) throws Exception {
    try (Load load = new Load(DialogueChild.settings(LedgerLoadSettings.class, arguments))) {
      DialogueChild.answer(command -> answer(load, command));
    }
    // Threads of a client whose bookie is gone may linger; nothing of theirs is needed any more.
    Runtime.getRuntime().halt(0);
  }

  private static Map<String, String> answer(Load load, String command)
      throws IOException, InterruptedException {
    String[] words = command.split(" ");
    return switch (words[0]) {
      case "start" -> {
        if (words.length > 1) {
          load.change(Fields.decode(SendingOrder.class, rest(command)));
        }
        load.start();
        yield Map.of("state", "started");
      }
      case "stop" -> {
        load.stop();
        yield Map.of("state", "stopped");
      }
      case "forget" -> {
        load.forget();
        yield Map.of("state", "forgotten");
      }
      case "figures" -> Fields.encode(load.figures());
      case "gap" -> Map.of("nanos", Long.toString(load.gapNanos()));
      case "ensemble" -> Map.of("bookies", String.join(",", load.ensemble()));
      case "probe" -> Map.of("answer", "" + load.allAnswer(Integer.parseInt(words[1])));
      case "verify" -> Fields.encode(load.verify());
      case "replicas" -> Fields.encode(load.verifyReplicas());
      case "save" -> {
        load.save(Path.of(rest(command)));
        yield Map.of("state", "saved");
      }
      case "thin" -> Map.of("entries", Long.toString(load.thin(Path.of(rest(command)))));
      case "load" -> {
        load.load(Path.of(rest(command)));
        yield Map.of("state", "loaded");
      }
      default -> throw new IOException("unknown command");
    };
  }

  /** All behind the first word, blanks too. */
  private static String rest(String command) {
    return command.substring(command.indexOf(' ') + 1);
  }
}
