// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import io.headpond.cli.console.CommandFailure;
import io.headpond.cli.console.Units;
import io.headpond.store.layout.DamagedFileException;
import io.headpond.store.layout.TierAnswer;
import io.headpond.store.layout.TierRequest;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/** One request to the broker that owns a log directory, and the wait for its last answer. */
final class OwnerDialogue {
  /** A broker looks once a second. */
  private static final Duration TAKEN_WITHIN = Duration.ofSeconds(20);

  private static final long POLL_MS = 100;

  private final Path logDir;
  private final TierRequest request;

  /** The dialogue about {@code request} with the owner of {@code logDir}. */
  OwnerDialogue(Path logDir, TierRequest request) {
    this.logDir = logDir;
    this.request = request;
  }

  /**
   * Asks, and waits.
   *
   * @param timeout null: until the last answer
   * @param progress is told each answer
   * @return the last answer; one that isn't the last if the time was up
   */
  TierAnswer run(Duration timeout, Consumer<TierAnswer> progress)
      throws IOException, InterruptedException {
    try {
      request.put(logDir);
    } catch (FileAlreadyExistsException e) {
      throw new CommandFailure(
          "another request waits in " + logDir,
          "wait for its command to end; if none runs, delete " + e.getFile());
    }
    Thread ended = new Thread(this::withdraw, "headpond-tier-ended");
    Runtime.getRuntime().addShutdownHook(ended);
    try {
      return awaited(timeout, progress);
    } finally {
      withdraw();
      StatusWatch.removeUnlessEnding(ended);
    }
  }

  private TierAnswer awaited(Duration timeout, Consumer<TierAnswer> progress)
      throws IOException, InterruptedException {
    long started = System.nanoTime();
    while (true) {
      boolean taken = !TierRequest.waits(logDir); // before the look at the answer
      Optional<TierAnswer> answer = answer();
      Duration waited = Duration.ofNanos(System.nanoTime() - started);
      boolean over = timeout != null && waited.compareTo(timeout) >= 0;
      if (answer.isPresent()) {
        progress.accept(answer.get());
        if (answer.get().state().last() || over) {
          return answer.get();
        }
      } else if (over || waited.compareTo(TAKEN_WITHIN) >= 0) {
        throw new CommandFailure(
            "the broker of "
                + logDir
                + (taken
                    ? " took the request away and didn't answer"
                    : " didn't look at the request within " + Units.duration(waited)),
            waited.compareTo(TAKEN_WITHIN) < 0 && !taken
                ? "the request was taken back: a broker looks once a second, so give it a longer"
                    + " --timeout; else it may run without Headpond"
                : "it may run without Headpond or an older version of it, be starting or stopping,"
                    + " or its disk hangs");
      }
      if (LogDirState.of(logDir) != LogDirState.RUNNING) {
        throw new CommandFailure(
            "the broker of " + logDir + " has stopped",
            "its next start does what its configuration says");
      }
      Thread.sleep(POLL_MS);
    }
  }

  private Optional<TierAnswer> answer() throws IOException {
    try {
      return TierAnswer.read(logDir).filter(found -> found.id().equals(request.id()));
    } catch (DamagedFileException e) {
      return Optional.empty(); // the broker replaces it
    }
  }

  private void withdraw() {
    try {
      request.withdraw(logDir);
    } catch (IOException e) {
      return; // the broker may have it already
    }
  }
}
