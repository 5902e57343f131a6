// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import io.headpond.cli.console.CommandFailure;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/**
 * The answer of a directory's file system, within a limit of time. Any thread.
 *
 * <p>Whoever waits for a frozen file system, or for a disk or a server that is gone, can't be
 * ended, not even by SIGKILL: such a thread would keep this process. So a process of its own asks,
 * which is left alone if it gets no answer, and ends when there is one. A file that it makes is
 * removed by it, or by the next start of an engine, as one of {@link
 * io.headpond.pmem.Device#detect}.
 */
public final class DeviceAnswer {
  /** Seconds; by default more than a disk takes to spin up. */
  private static final String LIMIT = "headpond.answer.seconds";

  private static final long LIMIT_SECONDS = 10;

  /** The user's right to write there is no matter here: a refusal is an answer. */
  private static final String WRITE = "[ -d \"$1\" ] && : >\"$1/$2\" && rm -f -- \"$1/$2\"";

  private static final String READ = "[ -d \"$1\" ] && ls -f -- \"$1\"";

  /** The remedy where no file can be made. */
  public static final String FROZEN =
      "it is frozen (fsfreeze --unfreeze MOUNTPOINT), or its device hangs: look at dmesg";

  /** Of the files that {@code Device} makes; the next one of those removes what is left. */
  private static final String PREFIX = ".headpond-probe-";

  private final String read;
  private final String write;
  private final Duration limit;

  /** For a test; {@code read} and {@code write} are scripts of sh with the directory as $1. */
  DeviceAnswer(String read, String write, Duration limit) {
    this.read = read;
    this.write = write;
    this.limit = limit;
  }

  private static DeviceAnswer ofShell() {
    Duration limit = Duration.ofSeconds(Long.getLong(LIMIT, LIMIT_SECONDS));
    return new DeviceAnswer(READ, WRITE, limit);
  }

  /** Fails if a directory that is there can't be listed within the limit. */
  public static void requireReads(Path directory) {
    ofShell()
        .silentAtReads(directory)
        .ifPresent(
            silence -> {
              throw new CommandFailure(
                  directory + " " + silence,
                  "look at dmesg: its device, or the server that it is mounted from, hangs");
            });
  }

  /** Fails if a file can't be made there, nor refused, within the limit. */
  public static void requireWrites(Path directory) {
    ofShell()
        .silentAtWrites(directory)
        .ifPresent(
            silence -> {
              throw new CommandFailure(directory + " " + silence, FROZEN);
            });
  }

  /**
   * What it doesn't do within the limit, for which {@link #FROZEN} is the remedy; without failing.
   */
  public static Optional<String> silence(Path directory) {
    return ofShell().silentAtWrites(directory);
  }

  Optional<String> silentAtReads(Path directory) {
    return answers(read, directory)
        ? Optional.empty()
        : Optional.of("doesn't answer: it can't be listed within " + limit.toSeconds() + " s");
  }

  Optional<String> silentAtWrites(Path directory) {
    return answers(write, directory)
        ? Optional.empty()
        : Optional.of(
            "doesn't answer: no file can be made there within " + limit.toSeconds() + " s");
  }

  private boolean answers(String script, Path directory) {
    try {
      Process asking =
          new ProcessBuilder(
                  "/bin/sh", "-c", script, "sh", directory.toString(), PREFIX + UUID.randomUUID())
              .redirectInput(Redirect.from(Path.of("/dev/null").toFile()))
              .redirectOutput(Redirect.DISCARD)
              .redirectError(Redirect.DISCARD)
              .start();
      return asking.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (IOException noShell) {
      return true; // the command asks itself, as long as it takes
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return true;
    }
  }
}
