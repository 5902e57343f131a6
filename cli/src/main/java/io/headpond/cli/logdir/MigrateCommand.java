// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import io.headpond.cli.console.CommandFailure;
import io.headpond.cli.console.Json;
import io.headpond.cli.console.JsonOption;
import io.headpond.cli.console.Progress;
import io.headpond.cli.console.StandardCommand;
import io.headpond.cli.console.Units;
import io.headpond.store.config.StoreConfig;
import io.headpond.store.layout.HomeIdentity;
import io.headpond.store.layout.HomeIdentity.TierRef;
import io.headpond.store.layout.LogDirScan;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code headpond migrate}: move a topic's segments to a tier by hand. */
@Command(
    name = "migrate",
    description = {
      "Move every segment of a topic, or of one partition, to a tier or home, by hand.",
      "",
      "The broker must not run: a running one moves segments by itself, by headpond.migrate.policy. "
          + "With --to neither policy nor threshold counts; only a lack of room is refused. It may be "
          + "interrupted at any time; run it again to go on.",
      "",
      "--up brings up what was at home before Headpond came, which migration leaves there: the "
          + "hottest first by the policy, as far as each tier takes segments up."
    },
    footer = {
      "  headpond migrate /var/lib/kafka orders-3 --to pmem",
      "  headpond migrate /var/lib/kafka archive --to home",
      "  headpond migrate /var/lib/kafka --up"
    })
public final class MigrateCommand extends StandardCommand {
  /** In place of a tier, in JSON. */
  private static final String UP = "up";

  @Parameters(
      index = "0",
      paramLabel = "LOGDIR",
      description = "One directory of the broker's log.dirs; the broker must not run.")
  private Path logDir;

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "TOPIC[-PARTITION]",
      description =
          "A topic, with all its partitions in LOGDIR, or one partition. With --up it may be left"
              + " out: all of them.")
  private String what;

  @Option(
      names = "--to",
      paramLabel = "TIER|home",
      description = "A tier's name, or 'home' for the log directory itself.")
  private String to;

  @Option(
      names = "--up",
      description = "Bring up what is at home, as far as the tiers take segments up.")
  private boolean up;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description =
          "With --up: the broker's configuration; default: the file that it named when it ran last.")
  private Path configFile;

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
    check();
    Path real = LogDirState.logDir(logDir);
    try (EngineLock locks = new EngineLock();
        Progress progress = new Progress(err())) {
      locks.takeLogDir(real);
      HomeIdentity identity = LogDirState.identity(real, "move to");
      locks.takeTiers(identity.tiers());
      if (up) {
        ascend(real, identity, progress);
      } else {
        TopicMove move = new TopicMove(real, identity, what, to, progress);
        move.plan();
        move.moves().run(err());
        progress.clear();
        report(move);
      }
    }
    return 0;
  }

  private void check() {
    if (up == (to != null)) {
      throw wrongUsage(up ? "give either --up or --to" : "--to TIER|home is missing, or --up");
    }
    if (what == null && !up) {
      throw wrongUsage("Missing required parameter: 'TOPIC[-PARTITION]'");
    }
    if (configFile != null && !up) {
      throw wrongUsage("--config goes with --up only");
    }
  }

  private void ascend(Path real, HomeIdentity identity, Progress progress) throws IOException {
    long nowMs = System.currentTimeMillis();
    Optional<OwnerCounters> owner =
        OwnerCounters.newest(identity.tiers().stream().map(TierRef::path).toList());
    StoreConfig config = BrokerConfiguration.of(real, configFile, owner);
    BrokerSnapshot snapshot =
        new BrokerSnapshot(config, Optional.empty(), nowMs, List.of(real), real, false);
    Set<Path> partitions =
        new HashSet<>(
            what == null ? LogDirScan.partitions(real) : TopicMove.partitions(real, what));
    OfflineMoves moves = new OfflineMoves(real, identity.id(), "migrate", "segment", progress);
    Map<OutlookSegment, Path> up =
        Ascent.of(config, snapshot, segment -> partitions.contains(segment.partition()), nowMs);
    for (Path tier : Set.copyOf(up.values())) {
      TopicMove.refuseWrong(ref(identity, tier).get());
    }
    up.forEach((segment, tier) -> moves.add(segment.entry(), ref(identity, tier)));
    moves.run(err());
    progress.clear();
    if (json.given()) {
      Json.print(out(), result(moves, UP, 0));
    } else {
      out().println(moved(moves) + ", as far as the tiers take segments up");
      out().flush();
    }
  }

  private static Optional<TierRef> ref(HomeIdentity identity, Path tier) {
    Optional<TierRef> known =
        identity.tiers().stream().filter(each -> each.path().equals(tier)).findFirst();
    if (known.isEmpty()) {
      throw new CommandFailure(
          tier + " is not known to this log directory yet",
          "start the broker once with its present configuration (nothing was changed)");
    }
    return known;
  }

  private static ResultJson result(OfflineMoves moves, String to, long there) {
    return new ResultJson(
        true, to, moves.segmentsDone(), moves.bytesDone(), there, moves.time().toMillis());
  }

  private static String moved(OfflineMoves moves) {
    return Units.count(moves.segmentsDone(), "segment")
        + " ("
        + Units.bytes(moves.bytesDone())
        + ") moved up in "
        + Units.duration(moves.time())
        + ", "
        + Units.bytesPerSecond(moves.bytesDone(), moves.time());
  }

  private void report(TopicMove move) throws IOException {
    OfflineMoves moves = move.moves();
    PrintWriter out = out();
    if (json.given()) {
      Json.print(out, result(moves, to, move.segmentsThere()));
      return;
    }
    String place = to.equals(TopicMove.HOME) ? "home" : "tier " + to;
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
            + move.segmentsThere()
            + " were there already");
    if (move.mayMoveAgain()) {
      out.println(
          "when the broker runs, migration may move them again; to keep them there, pin the topic:"
              + " headpond."
              + (to.equals(TopicMove.HOME) ? "home.only" : "migrate.pin.up"));
    }
    out.flush();
  }
}
