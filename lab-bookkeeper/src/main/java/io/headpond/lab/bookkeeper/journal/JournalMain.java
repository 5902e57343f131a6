// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.bookkeeper.journal;

import io.headpond.harness.load.Fields;
import io.headpond.harness.process.DialogueChild;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;

/**
 * Takes commands from standard input until that ends: {@code run ENTRY-BYTES MILLIS
 * BYTES-PER-SECOND UNDER-WAY}.
 */
public final class JournalMain {
  private JournalMain() {}

  /**
   * @param arguments the file of a {@link JournalSetup}
   */
  public static void main(String[] arguments) throws Exception {
    JournalLoad load = new JournalLoad(DialogueChild.settings(JournalSetup.class, arguments));
    DialogueChild.answer(command -> answer(load, command.split(" ")));
    // The journal's threads would keep the process; what they wrote is removed with its folder.
    Runtime.getRuntime().halt(0);
  }

  private static Map<String, String> answer(JournalLoad load, String[] command)
      throws IOException, InterruptedException {
    if (command.length == 5 && command[0].equals("run")) {
      return Fields.encode(
          load.run(
              Integer.parseInt(command[1]),
              Duration.ofMillis(Long.parseLong(command[2])),
              Long.parseLong(command[3]),
              Integer.parseInt(command[4])));
    }
    throw new IOException("unknown command");
  }
}
