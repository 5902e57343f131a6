// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests.faulty;

import io.headpond.harness.process.DialogueChild;
import io.headpond.harness.process.Mount;
import io.headpond.systemtests.faulty.Fault.Call;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;

/** The process of a {@link FaultyFileSystem}; it ends, and unmounts, when its input does. */
final class FaultyServer {

  private static final String[] OPTIONS = {"-o", "big_writes,use_ino,attr_timeout=0"};

  /** An answer has something in it. */
  private static final Map<String, String> DONE = Map.of("done", "true");

  private FaultyServer() {}

  public static void main(String[] arguments) throws IOException {
    Properties settings = DialogueChild.settings(arguments);
    Faults faults = new Faults();
    FaultyFileSystem files = new FaultyFileSystem(Path.of(settings.getProperty("root")), faults);
    Path folder = Path.of(settings.getProperty("mount"));
    try (Mount mount = Mount.made(folder)) {
      DialogueChild.answer(
          command -> {
            if (command.equals("mount")) {
              files.mount(mount.folder(), false, false, OPTIONS);
              return DONE;
            }
            return answer(command.split(" "), faults, files);
          });
    }
  }

  private static Map<String, String> answer(String[] words, Faults faults, FaultyFileSystem files)
      throws IOException {
    switch (words[0]) {
      case "fail" ->
          faults.add(
              new Fault(
                  Call.valueOf(words[1]),
                  Integer.parseInt(words[2]),
                  Integer.parseInt(words[3]),
                  words[4]));
      case "pace" -> faults.bytesPerSecond(Long.parseLong(words[1]));
      case "clear" -> {
        return Map.of("hits", Long.toString(faults.clear()));
      }
      case "figures" -> {
        return Map.of(
            "hits", Long.toString(faults.hits()), "written", Long.toString(faults.written()));
      }
      case "cut" -> {
        return Map.of("lost", Long.toString(files.cutPower()));
      }
      default -> throw new IOException("unknown: " + words[0]);
    }
    return DONE;
  }
}
