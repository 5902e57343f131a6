// SPDX-License-Identifier: Apache-2.0
package io.headpond.harness.process;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** An engine's own client in a process of its own, with the class path of its release. */
public abstract class ClientProcess implements AutoCloseable {

  private static final Duration ANSWER_LIMIT = Patience.ofSeconds(60);

  private final Dialogue dialogue;

  /**
   * Starts a main class of the engine's client module, as {@code lab-bookkeeper}.
   *
   * @param folder holds its settings and its output
   * @param mainClass its simple name
   * @param jvmArguments besides the least heap and what Netty needs
   */
  protected ClientProcess(
      Engine engine,
      EngineRelease release,
      JavaHome java,
      Path folder,
      String mainClass,
      Map<String, String> settings,
      String... jvmArguments)
      throws IOException {
    String name = engine.title() + " client";
    String module = engine.id();
    JavaServer process =
        new JavaServer(name, folder)
            .java(java)
            .classPath(OwnJar.classPath("lab-" + module, release, List.of()))
            .jvmArguments(
                "-Xms128m",
                "-Dio.netty.leakDetectionLevel=disabled",
                "-Dio.netty.tryReflectionSetAccessible=true",
                "--add-opens=java.base/java.nio=ALL-UNNAMED",
                "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED")
            .jvmArguments(jvmArguments);
    String type = "io.headpond.lab." + module + ".client." + mainClass;
    this.dialogue = Dialogue.start("the " + name, process, type, settings);
  }

  /** Sends a command and waits for its answer, a minute at most; one at a time. */
  protected final Map<String, String> ask(String command) throws IOException, InterruptedException {
    return ask(command, ANSWER_LIMIT);
  }

  /** The same for a command that takes its time. */
  protected final synchronized Map<String, String> ask(String command, Duration limit)
      throws IOException, InterruptedException {
    return dialogue.ask(command, limit);
  }

  /** Processor time that the process has used, user and system. */
  public final Duration cpuTime() {
    return dialogue.cpuTime();
  }

  /** Ends the process. */
  @Override
  public final void close() {
    dialogue.close();
  }
}
