// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import io.headpond.bookkeeper.BookieSettings;
import io.headpond.cli.console.CommandFailure;
import io.headpond.cli.console.Json;
import io.headpond.cli.console.JsonOption;
import io.headpond.cli.console.Lines;
import io.headpond.cli.console.Progress;
import io.headpond.cli.console.ShellWords;
import io.headpond.cli.console.StandardCommand;
import io.headpond.cli.console.Units;
import io.headpond.cli.logdir.BookieConfiguration.LedgerPlace;
import io.headpond.store.event.PlainText;
import io.headpond.store.layout.HomeIdentity;
import io.headpond.store.layout.HomeIdentity.TierRef;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code headpond drain}: bring every segment home, so that the plug-in can be removed. */
@Command(
    name = "drain",
    description = {
      "Bring every segment of a stopped broker's log directory home, or every entry log of a "
          + "stopped bookie's ledger directories.",
      "",
      "Afterwards the engine runs without Headpond, and nothing of Headpond is left in the",
      "directory. It may be interrupted at any time; run it again to go on."
    },
    footer = {
      "  headpond drain /var/lib/kafka",
      "  headpond drain /var/lib/kafka --tier nvme",
      "  headpond drain --bookkeeper conf/bk_server.conf"
    })
public final class DrainCommand extends StandardCommand {
  @Parameters(
      arity = "0..1",
      paramLabel = "LOGDIR",
      description = "One directory of the broker's log.dirs; the broker must not run.")
  private Path logDir;

  @Option(
      names = "--tier",
      paramLabel = "NAME",
      description = "Empty only this tier; the others stay in use.")
  private String tier;

  @Option(
      names = "--bookkeeper",
      paramLabel = "FILE",
      description = "A bookie's bk_server.conf; the bookie must not run.")
  private Path bookkeeper;

  @Mixin private JsonOption json;

  record ResultJson(
      boolean ok,
      long segmentsMoved,
      long bytesMoved,
      long durationMs,
      boolean identityRemoved,
      List<String> leftovers,
      List<String> removeFromConfiguration) {}

  record LedgersJson(
      boolean ok,
      long entryLogsMoved,
      long bytesMoved,
      long durationMs,
      boolean identityRemoved,
      List<String> leftovers,
      List<String> removeFromConfiguration) {}

  @Override
  public Integer call() throws IOException {
    if ((logDir == null) == (bookkeeper == null)) {
      throw wrongUsage("give either LOGDIR or --bookkeeper FILE, and not both");
    }
    if (bookkeeper == null) {
      drainLogDir();
    } else if (tier != null) {
      throw wrongUsage("--tier is for a broker: a bookie has one fast directory for each");
    } else {
      drainLedgers();
    }
    return 0;
  }

  private void drainLedgers() throws IOException {
    PrintWriter err = err();
    List<LedgerDrain> drains = new ArrayList<>();
    try (EngineLock locks = new EngineLock();
        Progress progress = new Progress(err)) {
      List<LedgerPlace> places = BookieConfiguration.read(bookkeeper).ledgers();
      for (LedgerPlace place : places) {
        LedgerDrain.lock(place, locks);
      }
      for (LedgerPlace place : places) {
        LedgerDrain.of(place, progress).ifPresent(drains::add);
      }
      for (LedgerDrain drain : drains) {
        drain.plan();
      }
      for (LedgerDrain drain : drains) {
        drain.run(err);
      }
      progress.clear();
    }
    OfflineMoves.refuseUnread(drains.stream().map(LedgerDrain::moves).toList());
    report(drains);
  }

  private void report(List<LedgerDrain> drains) {
    PrintWriter out = out();
    List<String> leftovers =
        drains.stream().flatMap(d -> d.leftovers().stream()).map(Path::toString).toList();
    List<String> settings =
        List.of(
            "ledgerStorageClass="
                + BookieSettings.LEDGER_STORAGE
                + " (BookKeeper's is org.apache.bookkeeper.bookie.storage.ldb.DbLedgerStorage)",
            "headpond.ledger.* keys");
    long logs = drains.stream().mapToLong(drain -> drain.moves().segmentsDone()).sum();
    long bytes = drains.stream().mapToLong(drain -> drain.moves().bytesDone()).sum();
    Duration time =
        drains.stream().map(drain -> drain.moves().time()).reduce(Duration.ZERO, Duration::plus);
    if (json.given()) {
      Json.print(
          out,
          new LedgersJson(
              true, logs, bytes, time.toMillis(), !drains.isEmpty(), leftovers, settings));
      return;
    }
    if (drains.isEmpty()) {
      out.println(
          "nothing to do: Headpond never wrote to these ledger directories, or they were drained"
              + " before");
      return;
    }
    out.println(
        Units.count(logs, "entry log")
            + " ("
            + Units.bytes(bytes)
            + ") brought home in "
            + Units.duration(time));
    leftovers.forEach(
        leftover ->
            out.println(
                "left: files that no name leads to in "
                    + leftover
                    + "; delete them if nobody misses them"));
    out.println("before the next start remove:");
    settings.forEach(setting -> out.println("  " + setting));
    out.flush();
  }

  private void drainLogDir() throws IOException {
    Path real = LogDirState.logDir(logDir);
    try (EngineLock locks = new EngineLock();
        Progress progress = new Progress(err())) {
      locks.takeLogDir(real); // before the look: a running broker may add tiers to the identity
      Optional<HomeIdentity> identity = HomeIdentity.read(real);
      if (identity.isEmpty()) {
        nothingToDo(real);
        return;
      }
      Optional<String> name = Optional.ofNullable(tier);
      List<TierRef> concerned = Drain.concerned(identity.get(), name);
      refuseUnreadable(real, concerned);
      locks.takeTiers(concerned);
      Drain drain = new Drain(real, identity.get(), name, locks::isReadOnly, progress);
      drain.plan();
      drain.run(err());
      progress.clear();
      report(drain, concerned);
    }
  }

  /** With what can be done about it, which is more than the lock's bare error says. */
  private static void refuseUnreadable(Path logDir, List<TierRef> tiers) {
    for (TierRef each : tiers) {
      try {
        KnownTiers.wrong(each);
      } catch (IOException e) {
        throw new CommandFailure(
            "tier " + each.tier() + " can't be read: " + PlainText.reason(e),
            KnownTiers.MOUNT_AGAIN
                + " and run this again; if it is lost for good, leave it unmounted: headpond"
                + " recover FILE --tier "
                + each.tier()
                + " (nothing was changed)",
            e);
      }
    }
  }

  private void nothingToDo(Path real) throws IOException {
    KnownTiers none = KnownTiers.of(real);
    LogDirUse use = LogDirUse.of(real, none);
    PrintWriter out = out();
    if (use.unreadable() > 0) {
      throw new CommandFailure(
          use.unreadableReason(),
          "its log directory can't be told to have no links; see the cause");
    }
    if (use.unknownTarget() > 0) {
      throw new CommandFailure(
          real
              + " has "
              + Units.count(use.unknownTarget(), "link")
              + " but no identity file (.headpond)",
          "restore it from a backup; 'headpond verify' shows the links");
    }
    if (json.given()) {
      Json.print(out, new ResultJson(true, 0, 0, 0, false, List.of(), List.of()));
    } else {
      out.println(real + ": nothing to do, Headpond never wrote here or it was drained before");
    }
  }

  private void report(Drain drain, List<TierRef> drained) throws IOException {
    List<String> settings = new ArrayList<>();
    if (drain.identityRemoved()) {
      settings.add("headpond.* keys of the configuration");
      settings.add("-Djava.nio.file.spi.DefaultFileSystemProvider or -javaagent of KAFKA_OPTS");
      settings.add("headpond-nio's jar of CLASSPATH");
    } else {
      settings.add(tier + " of headpond.tiers");
      settings.add("headpond.tier." + tier + ".* keys");
    }
    List<String> leftovers = drain.leftovers().stream().map(Path::toString).toList();
    if (json.given()) {
      Json.print(
          out(),
          new ResultJson(
              true,
              drain.moves().segmentsDone(),
              drain.moves().bytesDone(),
              drain.moves().time().toMillis(),
              drain.identityRemoved(),
              leftovers,
              settings));
      return;
    }
    PrintWriter out = new Lines(out());
    out.println(
        Units.count(drain.moves().segmentsDone(), "segment")
            + " ("
            + Units.bytes(drain.moves().bytesDone())
            + ") brought home in "
            + Units.duration(drain.moves().time())
            + ", "
            + Units.bytesPerSecond(drain.moves().bytesDone(), drain.moves().time()));
    for (String leftover : leftovers) {
      out.println(
          "left: files that no link names in " + leftover + "; delete them if nobody misses them");
    }
    out.println("before the next start remove:");
    settings.forEach(setting -> out.println("  " + setting));
    if (drain.identityRemoved()) {
      out.println("(as long as the plug-in is on, new segments go to the tiers again)");
    }
    for (TierRef each : drained) {
      out.println("tier directory " + each.path() + mayBeDeleted(each.path()));
    }
    out.flush();
  }

  /** Another log directory, or another broker's, may have segments in the same tier. */
  private static String mayBeDeleted(Path tier) throws IOException {
    for (Path directory : List.of(HomeIdentity.segments(tier), HomeIdentity.quarantine(tier))) {
      if (Files.isDirectory(directory) && !TierUse.FileTotal.below(directory).isEmpty()) {
        return ": keep it, "
            + directory
            + " still holds files of other log directories, or that no link names; of this log"
            + " directory it holds no segment any more";
      }
    }
    return " holds no segment any more and may be deleted: rm -r " + ShellWords.of(tier.toString());
  }
}
