// SPDX-License-Identifier: Apache-2.0
package io.headpond.observe;

import io.headpond.pmem.Durability;
import io.headpond.store.config.ConfigKey;
import io.headpond.store.config.DurabilityMode;
import io.headpond.store.config.StoreConfig;
import io.headpond.store.event.ByteSize;
import io.headpond.store.event.Incident;
import io.headpond.store.facts.StoreFacts;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Something that is wrong, will be soon, or should be known.
 *
 * @param level how bad
 * @param text what
 * @param remedy what to do about it
 * @param key the key of the configuration that it comes from; empty: from none
 */
public record Alert(Level level, String text, String remedy, String key) {
  /** A key of the engine's own. */
  static final String PREALLOCATE = "log.preallocate";

  private static final long SOON_MS = Duration.ofMinutes(10).toMillis();

  /** Incidents that last; each has an alert of its own. */
  private static final Set<Incident> STATES =
      EnumSet.of(
          Incident.MIGRATION_BLOCKED,
          Incident.HOME_LOW,
          Incident.HOME_FULL,
          Incident.HOME_REFUSED);

  private static final long LATELY_MS = Duration.ofMinutes(15).toMillis();

  /** Of the state of things, not of the configuration. */
  public Alert(final Level level, final String text, final String remedy) {
    this(level, text, remedy, "");
  }

  /** The worst first. */
  public enum Level {
    CRITICAL,
    WARNING,
    ADVICE;

    /** As the status document has it. */
    public String key() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** As the status document has it. */
  public Map<String, Object> json() {
    final Map<String, Object> map = new LinkedHashMap<>();
    map.put("level", level.key());
    map.put("text", text);
    map.put("remedy", remedy);
    return map;
  }

  /** All that there are now, the worst first. */
  static List<Alert> of(
      final StoreFacts facts, final List<Forecast> forecasts, final StoreConfig config) {
    final List<Alert> alerts = new ArrayList<>();
    for (int i = 0; i < facts.tiers().size(); i++) {
      tier(facts.tiers().get(i), forecasts.get(i), config, alerts);
    }
    facts.homes().forEach(home -> home(home, alerts));
    for (final StoreFacts.RefusedHome left : facts.refusedHomes()) {
      alerts.add(
          new Alert(
              Level.CRITICAL,
              left.path() + " is left out until the next start: " + left.reason(),
              "Do what the reason says, then start the engine again."));
    }
    if (!facts.moves().blocked().isEmpty()) {
      alerts.add(
          new Alert(
              Level.CRITICAL,
              "Migration stands still: " + facts.moves().blocked(),
              "Make room at home, or lower the retention."));
    }
    lately(facts, alerts);
    configured(facts, config, alerts);
    alerts.sort((a, b) -> a.level().compareTo(b.level()));
    return List.copyOf(alerts);
  }

  /** The directories of a tier that failed: by their names, if those are known. */
  static String failed(final int number, final List<Path> paths) {
    return number < paths.size()
        ? number + " of its " + paths.size() + " directories"
        : paths.stream().map(Path::toString).collect(Collectors.joining(", "));
  }

  /** What a tier holds, one of whose directories failed. */
  private static String left(final StoreFacts.Tier tier) {
    if (!tier.waits().isEmpty()) {
      return "Not all of its segments leave it: " + tier.waits() + ".";
    }
    final long segments = tier.contents().sealedSegments() + tier.contents().activeSegments();
    return segments == 0
        ? "No segment is left there that could leave it."
        : "What can be read of its segments is on its way out.";
  }

  private static void tier(
      final StoreFacts.Tier tier,
      final Forecast forecast,
      final StoreConfig config,
      final List<Alert> alerts) {
    final String name = "Tier " + tier.name();
    if (tier.failedDirectories() > 0) {
      alerts.add(
          new Alert(
              Level.CRITICAL,
              name
                  + ": the device of "
                  + failed(tier.failedDirectories(), tier.paths())
                  + " failed",
              left(tier)
                  + " When the device works again: headpond tier retry; else replace it. headpond"
                  + " status says where the segments lie."));
    } else if (!tier.waits().isEmpty()) {
      final boolean leaving = tier.standing() == StoreFacts.Standing.LEAVING;
      alerts.add(
          new Alert(
              Level.WARNING,
              name
                  + (leaving
                      ? " is being removed, and waits: "
                      : " still holds segments from before its device failed: ")
                  + tier.waits(),
              leaving ? "See the reason, or call it off: headpond tier add." : "See the reason."));
    }
    if (tier.standing() == StoreFacts.Standing.REMOVED) {
      alerts.add(
          new Alert(
              Level.WARNING,
              name + " was removed, and isn't used until the next start",
              "Take it out of the configuration, or take it back: headpond tier add."));
    }
    if (tier.failedDirectories() == tier.paths().size()) {
      return; // neither its room nor its durability is anything by now
    }
    if (forecast.kind() == Forecast.Kind.FULL && forecast.inMs() <= SOON_MS) {
      alerts.add(
          new Alert(
              Level.WARNING,
              name + " will soon be full; new segments then go further down",
              "Lower " + key(tier, ConfigKey.TIER_THRESHOLD) + ", or let migration copy faster."));
    }
    if (tier.durability() == Durability.VOLATILE && config.durability() == DurabilityMode.APPEND) {
      alerts.add(
          new Alert(
              Level.WARNING,
              called(name, tier.durability(), tier.durabilityReason()),
              "headpond.durability=append can't be kept there. Put the tier on FSDAX or NVMe.",
              ConfigKey.DURABILITY.name()));
    } else {
      notDurable(name, tier.durability(), tier.durabilityReason()).ifPresent(alerts::add);
    }
    if (tier.threshold() < 0) {
      alerts.add(
          new Alert(
              Level.ADVICE,
              key(tier, ConfigKey.TIER_THRESHOLD) + "=-1: only retention makes room in the tier",
              "Right if its capacity holds the whole retention; else remove the key.",
              key(tier, ConfigKey.TIER_THRESHOLD)));
    }
  }

  private static String called(
      final String name, final Durability durability, final String reason) {
    return name + " is " + durability + ": " + reason;
  }

  /**
   * The alert of a device that isn't durable; empty if it is.
   *
   * @param name of what lies on it, as a sentence begins
   * @param reason why it is called so
   */
  public static Optional<Alert> notDurable(
      final String name, final Durability durability, final String reason) {
    final String remedy =
        switch (durability) {
          case DURABLE -> "";
          case EPHEMERAL -> "Keep replicas on other machines, or use a disk that stays.";
          case UNKNOWN ->
              "Keep replicas on other machines, or use a disk that is DURABLE: headpond doctor DIR"
                  + " says which are.";
          case EMULATED ->
              "Use a device whose region shows a persistence domain; see docs/safety.md.";
          case VOLATILE -> "For tests only. Put it on FSDAX or NVMe.";
        };
    return remedy.isEmpty()
        ? Optional.empty()
        : Optional.of(new Alert(Level.WARNING, called(name, durability, reason), remedy));
  }

  private static String key(final StoreFacts.Tier tier, final ConfigKey<?> key) {
    return key.name().replace("NAME", tier.name());
  }

  private static void home(final StoreFacts.Home home, final List<Alert> alerts) {
    if (home.reserveTouched()) {
      alerts.add(
          new Alert(
              Level.CRITICAL,
              home.path() + " has no more free than its reserve",
              "Make room there, or lower the retention: without room for indexes the engine stops the"
                  + " log directory."));
    }
    if (home.reserveTouched() && home.ballastBytes() < home.ballastWantedBytes()) {
      alerts.add(
          new Alert(
              Level.CRITICAL,
              home.path()
                  + " was full: of its ballast of "
                  + ByteSize.text(home.ballastWantedBytes())
                  + " "
                  + ByteSize.text(home.ballastBytes())
                  + " are left",
              "Make room there now: when nothing is left the engine stops the log directory."));
    }
    if (home.reserveBytes() == 0) {
      alerts.add(
          new Alert(
              Level.ADVICE,
              "headpond.home.reserve=0: home may fill to the last byte",
              "Remove the key; 5% is the default.",
              ConfigKey.HOME_RESERVE.name()));
    }
  }

  private static void lately(final StoreFacts facts, final List<Alert> alerts) {
    for (final Incident kind : Incident.values()) {
      final long count =
          facts.events().stream()
              .filter(event -> event.kind() == kind && event.atMs() > facts.atMs() - LATELY_MS)
              .count();
      if (count > 0 && !STATES.contains(kind)) {
        alerts.add(
            new Alert(
                kind == Incident.DEVICE_FAULT ? Level.CRITICAL : Level.WARNING,
                (count == 1
                        ? "Once"
                        : count + " times" + (count == StoreFacts.Event.KEPT_MAX ? " or more" : ""))
                    + " in the last 15 minutes: "
                    + kind.meaning(),
                "What happened says which and why."));
      }
    }
  }

  private static void configured(
      final StoreFacts facts, final StoreConfig config, final List<Alert> alerts) {
    if (facts.tiers().isEmpty()) {
      alerts.add(
          new Alert(
              Level.ADVICE,
              "No tier is configured: everything stays home",
              "Set headpond.tiers.",
              ConfigKey.TIERS.name()));
    }
    if (config.preallocate()) {
      alerts.add(
          new Alert(
              Level.WARNING,
              "log.preallocate=true makes the engine create segments around Headpond: all stay home",
              "Remove log.preallocate.",
              PREALLOCATE));
    }
  }
}
