// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.pulsar.client;

import io.headpond.harness.load.Fields;
import io.headpond.harness.load.SendingOrder;
import io.headpond.harness.process.DialogueChild;
import io.headpond.harness.pulsar.PulsarProducers;
import java.io.IOException;
import java.util.Map;

/**
 * Takes the commands of {@link io.headpond.harness.pulsar.PulsarProducers} from standard input,
 * until that ends.
 */
public final class ProducersMain {

  private ProducersMain() {}

  /**
   * @param arguments a file with the setting {@link PulsarProducers#SERVICE_URL}
   */
  public static void main(String[] arguments) throws IOException {
    String serviceUrl = DialogueChild.settings(arguments).getProperty(PulsarProducers.SERVICE_URL);
    try (TopicProducers producers = new TopicProducers(serviceUrl)) {
      DialogueChild.answer(command -> answer(producers, command));
    }
    // Threads of a client whose broker is gone may linger; nothing of theirs is needed any more.
    Runtime.getRuntime().halt(0);
  }

  private static Map<String, String> answer(TopicProducers producers, String command)
      throws IOException, InterruptedException {
    String[] words = command.split(" ", 3);
    switch (words[0]) {
      case "start" -> producers.start(words[1], Fields.decode(SendingOrder.class, words[2]));
      case "stop" -> producers.stop();
      case "figures" -> {
        return Fields.encode(producers.figures());
      }
      default -> throw new IOException("unknown command");
    }
    return Map.of("done", words[0]);
  }
}
