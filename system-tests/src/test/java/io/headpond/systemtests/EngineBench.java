// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/**
 * A benchmark of one engine's variants in folders of its own.
 *
 * @param text what it has printed so far
 */
public record EngineBench(
    List<Object> command, StringWriter text, Path fast, Path home, Path json) {

  /** {@code headpond-lab run name} with options that all of a test's runs have; nothing runs. */
  public static EngineBench of(Workspace workspace, String name, Object... options)
      throws IOException {
    Path fast = workspace.tier("fast");
    Path home = workspace.folder("home");
    Path json = workspace.folder("out").resolve("bench.json");
    Stream<Object> all = Stream.of("run", name, "--fast", fast, "--home", home, "--json", json);
    return new EngineBench(
        Stream.concat(all, Stream.of(options)).toList(), new StringWriter(), fast, home, json);
  }

  /** Runs it with more options; its exit code. */
  public int run(Object... options) {
    return Command.lab(text, Stream.concat(command.stream(), Stream.of(options)).toArray());
  }

  /**
   * Runs it, and kills an engine when the first turn has ended; the exit code.
   *
   * @param words all of them are in the command line of the engine's process
   */
  public int runAndKill(List<String> words, Object... options) throws Exception {
    CompletableFuture<Integer> run = CompletableFuture.supplyAsync(() -> run(options));
    Await.until("a turn has ended", () -> said().contains("round 1") || run.isDone());
    ProcessHandle.current()
        .descendants()
        .filter(process -> words.stream().allMatch(commandLine(process)::contains))
        .findFirst()
        .orElseThrow(() -> new AssertionError(said()))
        .destroyForcibly();
    return run.get();
  }

  /** Of a process that has ended, empty. */
  private static String commandLine(ProcessHandle process) {
    try {
      // ProcessHandle.Info cuts a long class path off.
      return Files.readString(Path.of("/proc/" + process.pid() + "/cmdline"));
    } catch (IOException e) {
      return "";
    }
  }

  /** What it has printed so far. */
  public String said() {
    return text.toString();
  }

  /** What {@code --json} has. */
  public JsonNode result() throws IOException {
    return new ObjectMapper().readTree(Files.readString(json));
  }

  /** Fails if there is a file or a process. */
  public void assertNothingLeft() throws Exception {
    assertThat(fast).isEmptyDirectory();
    assertThat(home).isEmptyDirectory();
    Await.until(
        "no process is left",
        () -> ProcessHandle.current().descendants().noneMatch(ProcessHandle::isAlive));
  }
}
