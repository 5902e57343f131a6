// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import io.headpond.cli.console.Json;
import io.headpond.cli.console.JsonOption;
import io.headpond.cli.console.Progress;
import io.headpond.cli.console.StandardOptions;
import io.headpond.cli.console.Units;
import io.headpond.store.layout.HomeIdentity;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code headpond migrate}: move a topic's segments to a tier by hand. */
@Command(
    name = "migrate",
    description = {
      "Move every segment of a topic, or of one partition, to a tier or home, by hand.",
      "",
      "The broker must not run: a running one moves segments by itself, by headpond.migrate.policy. "
          + "Here neither policy nor threshold counts; only a lack of room is refused. It may be "
          + "interrupted at any time; run it again to go on."
    },
    footer = {
      "  headpond migrate /var/lib/kafka orders-3 --to pmem",
      "  headpond migrate /var/lib/kafka archive --to home"
    })
public final class MigrateCommand implements Callable<Integer> {
  @Mixin private StandardOptions standard;
  @Spec private CommandSpec spec;

  @Parameters(
      index = "0",
      paramLabel = "LOGDIR",
      description = "One directory of the broker's log.dirs; the broker must not run.")
  private Path logDir;

  @Parameters(
      index = "1",
      paramLabel = "TOPIC[-PARTITION]",
      description = "A topic, with all its partitions in LOGDIR, or one partition.")
  private String what;

  @Option(
      names = "--to",
      required = true,
      paramLabel = "TIER|home",
      description = "A tier's name, or 'home' for the log directory itself.")
  private String to;

  @Mixin private JsonOption json;

  record ResultJson(
      boolean ok,
      String to,
      long segmentsMoved,
      long bytesMoved,
      long segmentsThereAlready,
      long durationMs) {}

  @Override
  public Integer call() throws IOException {
    Path real = LogDirState.logDir(logDir);
    HomeIdentity identity = LogDirState.identity(real, "move to");
    try (EngineLock locks = new EngineLock();
        Progress progress = new Progress(spec.commandLine().getErr())) {
      locks.takeLogDir(real);
      locks.takeTiers(identity.tiers());
      Relocation relocation = new Relocation(real, identity, what, to, progress);
      relocation.plan();
      relocation.moves().run(spec.commandLine().getErr());
      progress.clear();
      report(relocation);
    }
    return 0;
  }

  private void report(Relocation relocation) throws IOException {
    OfflineMoves moves = relocation.moves();
    PrintWriter out = spec.commandLine().getOut();
    if (json.given()) {
      Json.print(
          out,
          new ResultJson(
              true,
              to,
              moves.segmentsDone(),
              moves.bytesDone(),
              relocation.segmentsThere(),
              moves.time().toMillis()));
      return;
    }
    String place = to.equals(Relocation.HOME) ? "home" : "tier " + to;
    out.println(
        Units.count(moves.segmentsDone(), "segment")
            + " ("
            + Units.bytes(moves.bytesDone())
            + ") moved to "
            + place
            + " in "
            + Units.duration(moves.time())
            + ", "
            + Units.bytesPerSecond(moves.bytesDone(), moves.time())
            + "; "
            + relocation.segmentsThere()
            + " were there already");
    if (relocation.mayMoveAgain()) {
      out.println(
          "when the broker runs, migration may move them again; to keep them there, pin the topic:"
              + " headpond.migrate.pin."
              + (to.equals(Relocation.HOME) ? "home" : "up"));
    }
    out.flush();
  }
}
