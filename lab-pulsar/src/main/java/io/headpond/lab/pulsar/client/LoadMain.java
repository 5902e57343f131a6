// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.pulsar.client;

import io.headpond.harness.load.Fields;
import io.headpond.harness.load.HistogramText;
import io.headpond.harness.process.DialogueChild;
import io.headpond.harness.pulsar.PulsarLoadSettings;
import java.io.IOException;
import java.util.Map;

/**
 * Takes the commands of a {@link io.headpond.harness.pulsar.PulsarLoad} from standard input, until
 * that ends.
 */
public final class LoadMain {

  private LoadMain() {}

  /**
   * @param arguments the file of a {@link PulsarLoadSettings}
   */
  public static void main(String[] arguments) throws IOException {
    try (TopicLoad load =
        new TopicLoad(DialogueChild.settings(PulsarLoadSettings.class, arguments))) {
      DialogueChild.answer(command -> answer(load, command));
    }
    // Threads of a client whose broker is gone may linger; nothing of theirs is needed any more.
    Runtime.getRuntime().halt(0);
  }

  private static Map<String, String> answer(TopicLoad load, String command) throws IOException {
    switch (command) {
      case "publish" -> load.publish();
      case "stop" -> load.stop();
      case "queue" -> load.openQueue();
      case "verify" -> load.verify();
      case "figures" -> {
        return Fields.encode(load.figures());
      }
      case "latency" -> {
        return Map.of("latency", HistogramText.encode(load.latencyInterval()));
      }
      case "report" -> {
        return Fields.encode(load.report());
      }
      default -> throw new IOException("unknown command");
    }
    return Map.of("done", command);
  }
}
