// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.demo;

import io.headpond.cli.console.CommandFailure;
import io.headpond.cli.console.Units;
import io.headpond.harness.process.Engine;
import io.headpond.harness.process.EngineRelease;
import io.headpond.harness.process.FolderRemoval;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;

/**
 * The source of the engine of a demo or a benchmark: an installation that the operator names; what
 * was fetched before; or, in a source tree, Maven Central at the first use.
 */
public final class EngineJars {

  /** Set by the launcher script: the source tree, or the unpacked archive. */
  private static final String INSTALLATION = "headpond.installation";

  private static final int TAIL_LINES = 8;

  private EngineJars() {}

  /**
   * The jars of an engine's current release.
   *
   * @param home an unpacked release, or null
   * @param out where it is said that something is fetched
   */
  public static EngineRelease of(Engine engine, Path home, PrintWriter out)
      throws IOException, InterruptedException {
    try {
      return home == null ? engine.current() : engine.at(home);
    } catch (IOException e) {
      Path tree = Path.of(System.getProperty(INSTALLATION, "."));
      if (home != null) {
        throw new CommandFailure(
            e.getMessage(),
            "name the folder of an unpacked " + engine.title() + " by --engine-home",
            e);
      }
      if (!Files.exists(tree.resolve("mvnw")) || !Files.isDirectory(tree.resolve("engines"))) {
        throw new CommandFailure(
            engine.title() + " isn't part of Headpond's archive",
            "unpack its own archive and name its folder by --engine-home",
            e);
      }
      fetch(engine, tree, out);
      return engine.current();
    }
  }

  /** Two demos at once: the second one waits, and then finds everything there. */
  private static void fetch(Engine engine, Path tree, PrintWriter out)
      throws IOException, InterruptedException {
    Path target = Files.createDirectories(tree.resolve("target"));
    try (FileChannel channel =
            FileChannel.open(
                target.resolve("headpond-engine.lock"),
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE);
        var lock = channel.lock()) {
      if (lock.isValid() && !found(engine)) {
        fetchAlone(engine, tree, out);
      }
    }
  }

  private static boolean found(Engine engine) {
    try {
      return !engine.current().jars().isEmpty();
    } catch (IOException e) {
      return false;
    }
  }

  private static void fetchAlone(Engine engine, Path tree, PrintWriter out)
      throws IOException, InterruptedException {
    Path module = tree.resolve("engines").resolve(engine.module());
    Path log = tree.resolve("target").resolve("headpond-" + engine.module() + ".log");
    out.printf(
        "The first use of %s fetches it from Maven Central, about %d MB (log: %s) ...%n",
        engine.title(), megabytes(engine), log);
    out.flush();
    long start = System.nanoTime();
    Process maven =
        new ProcessBuilder(
                "sh",
                tree.resolve("mvnw").toString(),
                "-q",
                "-B",
                "-f",
                module.resolve("pom.xml").toString(),
                "generate-resources")
            .directory(tree.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    Thread hook = new Thread(() -> abandon(maven, module), "demo-fetch-cleanup");
    Runtime.getRuntime().addShutdownHook(hook);
    int exitCode = maven.waitFor();
    Runtime.getRuntime().removeShutdownHook(hook);
    if (exitCode != 0) {
      throw new CommandFailure(
          engine.title() + " couldn't be fetched:\n" + tail(log),
          "see that Maven Central can be reached, or name an unpacked "
              + engine.title()
              + " by --engine-home");
    }
    out.printf("Fetched in %s.%n", Units.duration(Duration.ofNanos(System.nanoTime() - start)));
    out.flush();
  }

  /** Roughly what an engine's class path is. */
  private static int megabytes(Engine engine) {
    return switch (engine) {
      case KAFKA -> 55;
      case BOOKKEEPER -> 110;
      case PULSAR -> 240;
    };
  }

  /** Ctrl-C: half of the jars would be taken for all of them. */
  private static void abandon(Process maven, Path module) {
    try {
      maven.descendants().forEach(ProcessHandle::destroyForcibly);
      maven.destroyForcibly().waitFor();
      FolderRemoval.remove(module.resolve("target"), true);
    } catch (IOException e) {
      System.err.println("headpond: remove " + module.resolve("target") + " by hand: " + e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static String tail(Path log) throws IOException {
    List<String> lines = Files.readAllLines(log);
    return String.join("\n", lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size()));
  }
}
