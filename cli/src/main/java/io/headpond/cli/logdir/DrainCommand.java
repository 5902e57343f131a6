// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import io.headpond.cli.console.CommandFailure;
import io.headpond.cli.console.Json;
import io.headpond.cli.console.Progress;
import io.headpond.cli.console.StandardOptions;
import io.headpond.cli.console.Units;
import io.headpond.store.HomeIdentity;
import io.headpond.store.HomeIdentity.TierRef;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code headpond drain}: bring every segment home, so that the plug-in can be removed. */
@Command(
    name = "drain",
    description = {
      "Bring every segment of a stopped broker's log directory home.",
      "",
      "Afterwards Kafka runs without Headpond, and nothing of Headpond is left in the log",
      "directory. It may be interrupted at any time; run it again to go on."
    },
    footer = {"  headpond drain /var/lib/kafka", "  headpond drain /var/lib/kafka --tier nvme"})
public final class DrainCommand implements Callable<Integer> {
  @Mixin private StandardOptions standard;
  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "LOGDIR",
      description = "One directory of the broker's log.dirs; the broker must not run.")
  private Path logDir;

  @Option(
      names = "--tier",
      paramLabel = "NAME",
      description = "Empty only this tier; the others stay in use.")
  private String tier;

  @Option(names = "--json", description = "Print the result as JSON on stdout.")
  private boolean json;

  record ResultJson(
      boolean ok,
      long segmentsMoved,
      long bytesMoved,
      long durationMs,
      boolean identityRemoved,
      List<String> leftovers,
      List<String> removeFromConfiguration) {}

  @Override
  public Integer call() throws IOException {
    Path real = LogDirState.logDir(logDir);
    Optional<HomeIdentity> identity = HomeIdentity.read(real);
    if (identity.isEmpty()) {
      return nothingToDo(real);
    }
    Optional<String> name = Optional.ofNullable(tier);
    List<TierRef> concerned = Drain.concerned(identity.get(), name);
    try (EngineLock locks = new EngineLock();
        Progress progress = new Progress(spec.commandLine().getErr())) {
      locks.takeLogDir(real);
      for (TierRef each : concerned) {
        // A tier that is gone has no lock; a segment in it is an error of its own.
        if (Files.isDirectory(each.path())) {
          locks.takeTier(each.tier(), each.path());
        }
      }
      Drain drain = new Drain(real, identity.get(), name, progress);
      drain.plan();
      drain.run(spec.commandLine().getErr());
      progress.clear();
      report(drain, concerned);
    }
    return 0;
  }

  private int nothingToDo(Path real) throws IOException {
    TierCheck none = TierCheck.of(real, finding -> {});
    LogDirUse use = LogDirUse.of(real, none);
    PrintWriter out = spec.commandLine().getOut();
    if (use.unknownTarget() > 0) {
      throw new CommandFailure(
          real
              + " has "
              + Units.count(use.unknownTarget(), "link")
              + " but no identity file (.headpond)",
          "restore it from a backup; 'headpond verify' shows the links");
    }
    if (json) {
      Json.print(out, new ResultJson(true, 0, 0, 0, false, List.of(), List.of()));
    } else {
      out.println(real + ": nothing to do, Headpond never wrote here or it was drained before");
    }
    return 0;
  }

  private void report(Drain drain, List<TierRef> drained) {
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
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      Json.print(
          out,
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
      out.println(
          "tier directory " + each.path() + " holds no segment of this log directory any more");
    }
    out.flush();
  }
}
