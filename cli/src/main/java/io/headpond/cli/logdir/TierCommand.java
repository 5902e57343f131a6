// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import io.headpond.cli.console.CommandFailure;
import io.headpond.cli.console.Json;
import io.headpond.cli.console.JsonOption;
import io.headpond.cli.console.Lines;
import io.headpond.cli.console.Progress;
import io.headpond.cli.console.StandardCommand;
import io.headpond.cli.console.Units;
import io.headpond.store.layout.TierAnswer;
import io.headpond.store.layout.TierRequest;
import io.headpond.store.layout.TierRequest.Action;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code headpond tier}: ask a running broker to use, empty or examine a tier. */
@Command(
    name = "tier",
    description = {
      "Ask a running broker to take a tier out, to use one, or to examine a failed device again.",
      "",
      "remove: nothing new goes to the tier, and its segments move to the next place with room, at"
          + " migration's pace. When it is empty its lock is given up and the device may be"
          + " unmounted; the command then says what to delete in the configuration. A tier that"
          + " can't be emptied says why and goes on leaving.",
      "",
      "add: calls a removal off, or takes a removed tier back after the checks of a start. A tier"
          + " that the broker didn't start with must be in the file that it started by: first write"
          + " its name into headpond.tiers there, and its keys, and keep the other tiers as they"
          + " are. So the next start knows it. The checks are those of a start, and a file is"
          + " written, forced and read again. If one fails, nothing of it is used.",
      "",
      "retry: a directory that counts as failed is examined: identity, lock, and a file that is"
          + " written, forced and read again. If it works, new segments go there again; segments"
          + " that were there when it failed aren't trusted and go on leaving.",
      "",
      "The broker goes on when the command is interrupted or its time is up; the same command"
          + " again shows how far it is. Nothing outlives the broker: its next start does what its"
          + " configuration says."
    },
    footer = {
      "  headpond tier remove /var/lib/kafka nvme",
      "  headpond tier add /var/lib/kafka nvme",
      "  headpond tier retry --timeout 1m /var/lib/kafka nvme"
    })
public final class TierCommand extends StandardCommand {
  @Parameters(index = "0", paramLabel = "ACTION", description = "add, remove or retry.")
  private Action action;

  @Parameters(
      index = "1",
      paramLabel = "LOGDIR",
      description = "One directory of the running broker's log.dirs; run it as its owner.")
  private Path logDir;

  @Parameters(index = "2", paramLabel = "NAME", description = "The tier's name.")
  private String tier;

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      description = "Wait no longer; the broker goes on. Default: until it is done.")
  private Duration timeout;

  @Mixin private JsonOption json;

  /**
   * The outcome; for JSON.
   *
   * @param state as {@link TierAnswer.State} has it
   * @param segments that the tier still holds
   * @param bytes of those
   * @param warnings of what a tier gains nothing from
   */
  record ResultJson(
      boolean ok,
      String action,
      String tier,
      String state,
      String text,
      long segments,
      long bytes,
      List<String> warnings,
      long durationMs) {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    Path real = LogDirState.logDir(logDir);
    LogDirState.identity(real, action.key());
    if (LogDirState.of(real) != LogDirState.RUNNING) {
      throw new CommandFailure("no broker runs in " + real, withoutBroker(real));
    }
    long started = System.nanoTime();
    TierRequest request = TierRequest.of(action, tier);
    TierAnswer answer;
    try (Progress progress = new Progress(err())) {
      answer = new OwnerDialogue(real, request).run(timeout, each -> show(progress, each));
    }
    Duration time = Duration.ofNanos(System.nanoTime() - started);
    boolean ok = answer.state() == TierAnswer.State.DONE;
    List<String> warnings = ok && action == Action.ADD ? shared(real) : List.of();
    PrintWriter out = new Lines(out());
    if (json.given()) {
      Json.print(
          out,
          new ResultJson(
              ok,
              action.key(),
              tier,
              answer.state().key(),
              answer.text(),
              answer.segments(),
              answer.bytes(),
              warnings,
              time.toMillis()));
    } else if (ok) {
      out.println(answer.text());
      warnings.forEach(each -> out.println("warning: " + each));
      out.flush();
    } else {
      throw failure(answer);
    }
    return ok ? 0 : 1;
  }

  /** The directories of the tier from which nothing is gained. */
  private List<String> shared(Path real) throws IOException {
    return LogDirState.identity(real, action.key()).tiers().stream()
        .filter(ref -> ref.tier().equals(tier))
        .flatMap(
            ref ->
                SharedDisk.below(ref.path(), real)
                    .map(what -> ref.path() + " lies on " + what + " as " + real)
                    .stream())
        .toList();
  }

  private void show(Progress progress, TierAnswer answer) {
    progress.show("tier " + tier + ": " + left(answer));
  }

  private static String left(TierAnswer answer) {
    return Units.count(answer.segments(), "segment")
        + " ("
        + Units.bytes(answer.bytes())
        + ") left"
        + (answer.text().isEmpty() ? "" : "; " + answer.text());
  }

  private CommandFailure failure(TierAnswer answer) {
    return switch (answer.state()) {
      case RUNNING ->
          new CommandFailure(
              "tier " + tier + ": not done in time, " + left(answer),
              "the broker goes on; the same command again waits for it");
      case REFUSED -> new CommandFailure("tier " + tier + ": " + answer.text(), "nothing was done");
      default ->
          new CommandFailure(
              "tier " + tier + ": " + answer.text(), "the broker's log may say more");
    };
  }

  private String withoutBroker(Path real) {
    return switch (action) {
      case ADD -> "its next start uses the tiers of its configuration";
      case REMOVE ->
          "headpond drain " + real + " --tier " + tier + ", then take it out of the configuration";
      case RETRY -> "its next start examines every tier";
    };
  }
}
