// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import io.headpond.cli.console.Json;
import io.headpond.cli.console.StandardOptions;
import io.headpond.store.HomeIdentity.TierRef;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code headpond status}: where the segments lie, and what the owner of the tiers is doing. */
@Command(
    name = "status",
    description = {
      "Show tiers and log directories: device, used, capacity, free, segments, overflow.",
      "",
      "Beside a running broker its counters are shown too, about a second old. Exit code 1 if a",
      "tier is missing or a link leads nowhere; 'headpond verify' then says more."
    },
    footer = {"  headpond status /var/lib/kafka", "  headpond status --json /data1/kafka"})
public final class StatusCommand implements Callable<Integer> {
  @Mixin private StandardOptions standard;
  @Spec private CommandSpec spec;

  @Parameters(
      arity = "1..*",
      paramLabel = "LOGDIR",
      description = "Directories of the broker's log.dirs.")
  private List<Path> logDirs;

  @Option(names = "--json", description = "Print the result as JSON on stdout.")
  private boolean json;

  /**
   * The owner's counters since its start; for JSON.
   *
   * @param ageMs how long ago something changed
   */
  record OwnerJson(
      long pid,
      boolean running,
      long uptimeMs,
      long ageMs,
      long appendedBytesDurable,
      long appendedBytesEmulated,
      long appendedBytesVolatile,
      long appendedBytesUnforced,
      long homeAppendedBytes,
      long overflowSegments,
      long evacuatedSegments,
      long evacuatedBytes,
      long evacuationStallMsMax,
      long quarantinedFiles,
      long runAheadMisses) {}

  record TierJson(
      String name,
      Long capacityBytes,
      long usedBytes,
      Long freeBytes,
      long segments,
      List<TierUse> directories) {}

  record ResultJson(boolean ok, List<TierJson> tiers, List<LogDirUse> logDirs, OwnerJson owner) {}

  @Override
  public Integer call() throws IOException {
    Set<Path> real = new LinkedHashSet<>();
    for (Path given : logDirs) {
      real.add(LogDirState.logDir(given));
    }
    List<Finding> damaged = new ArrayList<>();
    Map<Path, TierRef> refs = new LinkedHashMap<>();
    List<LogDirUse> uses = new ArrayList<>();
    for (Path logDir : real) {
      // What is wrong with a tier is shown with the tier.
      TierCheck tiers =
          TierCheck.of(
              logDir,
              finding -> {
                if (finding.kind() == Finding.Kind.DAMAGED_IDENTITY) {
                  damaged.add(finding);
                }
              });
      tiers.tiers().forEach(tier -> refs.putIfAbsent(tier.path(), tier));
      uses.add(LogDirUse.of(logDir, tiers));
    }
    Optional<OwnerCounters> counters = OwnerCounters.newest(refs.keySet());
    List<TierJson> tiers = tiers(refs, counters);
    boolean ok =
        damaged.isEmpty()
            && tiers.stream()
                .flatMap(tier -> tier.directories().stream())
                .allMatch(directory -> directory.problem() == null)
            && uses.stream().allMatch(use -> use.unknownTarget() == 0 && use.dangling() == 0);
    ResultJson result =
        new ResultJson(ok, tiers, uses, counters.isEmpty() ? null : owner(counters.get(), refs));
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      Json.print(out, result);
    } else {
      damaged.forEach(finding -> out.println("PROBLEM: " + finding.detail()));
      new StatusText(out).print(result);
    }
    return ok ? 0 : 1;
  }

  private static List<TierJson> tiers(Map<Path, TierRef> refs, Optional<OwnerCounters> counters)
      throws IOException {
    Map<String, List<TierUse>> byName = new LinkedHashMap<>();
    for (TierRef ref : refs.values()) {
      byName.computeIfAbsent(ref.tier(), name -> new ArrayList<>()).add(TierUse.of(ref));
    }
    List<TierJson> tiers = new ArrayList<>();
    for (Map.Entry<String, List<TierUse>> tier : byName.entrySet()) {
      List<TierUse> directories = tier.getValue();
      long used = directories.stream().mapToLong(TierUse::usedBytes).sum();
      OptionalLong capacity =
          counters.isEmpty()
              ? OptionalLong.empty()
              : counters.get().find("tier." + tier.getKey() + ".capacity.bytes");
      tiers.add(
          new TierJson(
              tier.getKey(),
              capacity.isPresent() ? capacity.getAsLong() : null,
              used,
              capacity.isPresent() ? Math.max(0, capacity.getAsLong() - used) : null,
              directories.stream().mapToLong(TierUse::segments).sum(),
              directories));
    }
    return tiers;
  }

  private static OwnerJson owner(OwnerCounters counters, Map<Path, TierRef> refs)
      throws IOException {
    boolean running = false;
    for (Path tier : refs.keySet()) {
      running |= EngineLock.holder(tier.resolve(EngineLock.TIER_FILE)).isPresent();
    }
    long now = System.currentTimeMillis();
    return new OwnerJson(
        counters.get("pid"),
        running,
        Duration.ofMillis(now - counters.get("started.ms")).toMillis(),
        Duration.ofMillis(now - counters.get("updated.ms")).toMillis(),
        counters.get("appended.bytes.durable"),
        counters.get("appended.bytes.emulated"),
        counters.get("appended.bytes.volatile"),
        counters.get("appended.bytes.unforced"),
        counters.get("home.appended.bytes"),
        counters.get("overflow.segments"),
        counters.get("evacuated.segments"),
        counters.get("evacuated.bytes"),
        counters.get("evacuation.stall.ms.max"),
        counters.get("quarantined.files"),
        counters.get("runahead.misses"));
  }
}
