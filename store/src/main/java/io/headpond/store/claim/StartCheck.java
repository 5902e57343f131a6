// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.claim;

import io.headpond.store.config.StoreConfig;
import io.headpond.store.config.TierConfig;
import io.headpond.store.event.EventCode.Words;
import io.headpond.store.event.PlainText;
import io.headpond.store.event.StartCodes;
import io.headpond.store.event.StoreRefusedException;
import io.headpond.store.facts.TimeSource;
import io.headpond.store.layout.HomeIdentity;
import io.headpond.store.layout.LogDirScan;
import io.headpond.store.layout.NameLook;
import io.headpond.store.layout.TierIdentity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The checks of an owner's start, without the start: it locks, makes and changes nothing, and where
 * a start ends with the first refusal it goes on and finds the others too. Safe beside a running
 * engine, but for {@link #links}. One thread at a time.
 *
 * <p>The rules are those of the start itself: {@link KnownHomes}, {@link TierCheck}, {@link
 * LinkCheck}. What only an attempt shows (a lock, a right to write) isn't looked at here.
 */
public final class StartCheck {
  private final StoreConfig config;
  private final KnownHomes homes = new KnownHomes();
  private final Set<Path> unread = new HashSet<>();
  private final List<Finding> findings = new ArrayList<>();

  /** Effect of a finding on a start. */
  public enum Effect {
    /** The start is refused. */
    START_REFUSED,
    /** This log directory is left out; if there is no other one, the start is refused. */
    LOG_DIR_LEFT_OUT,
    /** The start goes on, and says so. */
    WARNING
  }

  /**
   * Something that a start would say.
   *
   * @param directory the tier or log directory, as configured
   * @param words what the start would say; the remedy may be more exact
   * @param mayBeNew true of a tier directory that isn't there, and that no log directory knows
   */
  public record Finding(Path directory, Effect effect, Words words, boolean mayBeNew) {
    private Finding(final Path directory, final Effect effect, final Words words) {
      this(directory, effect, words, false);
    }
  }

  /** Reads the identities of all log directories, and looks at all tiers. */
  public StartCheck(final StoreConfig config) {
    this.config = config;
    homes.look(config.logDirs());
    config.logDirs().forEach(this::logDir);
    homes
        .first()
        .forEach(
            (logDir, identity) ->
                asIn(
                    () -> homes.refuseTwin(logDir, identity.id()),
                    logDir,
                    Effect.START_REFUSED,
                    e ->
                        StartCodes.HOME_UNREAD.words(
                            logDir, PlainText.reason(e), Access.remedy(logDir, e))));
    tiers();
  }

  /** Something that a start does, too. */
  private interface Look {
    void run() throws IOException;
  }

  private interface Unread {
    Words words(IOException e);
  }

  /** True if there is nothing to refuse. */
  private boolean asIn(
      final Look look, final Path directory, final Effect effect, final Unread unreadable) {
    try {
      look.run();
      return true;
    } catch (final StoreRefusedException e) {
      findings.add(new Finding(directory, effect, e.words()));
    } catch (final IOException e) {
      findings.add(new Finding(directory, effect, unreadable.words(e)));
    }
    return false;
  }

  /** A log directory that isn't there is none that a start claims. */
  private void logDir(final Path logDir) {
    final boolean read =
        atHome(
            logDir,
            () -> {
              if (NameLook.isDirectory(logDir)) {
                HomeIdentity.read(logDir).ifPresent(HomeIdentity::tiers);
              }
            });
    if (!read) {
      unread.add(logDir);
    }
  }

  private boolean atHome(final Path logDir, final Look look) {
    return asIn(
        look,
        logDir,
        Effect.LOG_DIR_LEFT_OUT,
        e -> StartCodes.HOME_UNREAD.words(logDir, PlainText.reason(e), Access.remedy(logDir, e)));
  }

  private void tiers() {
    final TierCheck check = new TierCheck(config, homes.first(), TimeSource.SYSTEM);
    final List<HomeIdentity.TierRef> before = new ArrayList<>();
    for (final TierConfig tier : config.tiers()) {
      for (final Path path : tier.paths()) {
        asIn(
            () -> {
              tier(check, tier, path, before);
            },
            path,
            Effect.START_REFUSED,
            e ->
                StartCodes.TIER_UNREAD.words(
                    tier.name(), path, PlainText.reason(e), Access.remedy(path, e)));
      }
    }
  }

  private void tier(
      final TierCheck check,
      final TierConfig tier,
      final Path path,
      final List<HomeIdentity.TierRef> before)
      throws IOException {
    if (!NameLook.isDirectory(path)) {
      findings.add(missing(check, tier, path));
      return;
    }
    check.check(tier, path);
    final Optional<TierIdentity> identity = TierIdentity.read(path);
    if (identity.isPresent()) {
      final HomeIdentity.TierRef ref =
          new HomeIdentity.TierRef(tier.name(), identity.get().id(), path);
      before.forEach(other -> TierCheck.refuseTwin(ref, other));
      before.add(ref);
    }
    TierCheck.held(path);
    TierCheck.tooLarge(tier, path, Files.getFileStore(path))
        .ifPresent(words -> findings.add(new Finding(path, Effect.WARNING, words)));
    for (final String id : homes.absentIn(path)) {
      final Words words =
          StartCodes.HOME_ABSENT.words("tier " + tier.name() + " (" + path + ")", id);
      findings.add(new Finding(path, Effect.WARNING, words));
    }
  }

  private Finding missing(final TierCheck check, final TierConfig tier, final Path path)
      throws IOException {
    final Words words = refusal(check, tier, path);
    if (check.isKnown(path)) {
      return new Finding(path, Effect.START_REFUSED, words);
    }
    for (final Path logDir : config.logDirs()) {
      if (linksInto(logDir, path)) {
        final String finding = words.finding() + "; links of " + logDir + " lead there";
        return new Finding(
            path, Effect.START_REFUSED, new Words(words.code(), finding, "Mount its device."));
      }
    }
    final boolean allRead =
        unread.isEmpty() && config.logDirs().stream().allMatch(logDir -> isThere(logDir));
    return new Finding(path, Effect.START_REFUSED, words, allRead);
  }

  private static Words refusal(final TierCheck check, final TierConfig tier, final Path path)
      throws IOException {
    try {
      check.check(tier, path);
    } catch (final StoreRefusedException e) {
      return e.words();
    }
    throw new IOException(path + " is being made or mounted at the moment");
  }

  private boolean linksInto(final Path logDir, final Path tier) {
    final List<LogDirScan.Entry> found = new ArrayList<>();
    try {
      if (NameLook.isDirectory(logDir)) {
        LogDirScan.scan(
            logDir,
            entry -> {
              if (entry.linked() && entry.target().startsWith(tier)) {
                found.add(entry);
              }
            });
      }
    } catch (final IOException e) {
      unread.add(logDir); // what it knows can't be told
    }
    return !found.isEmpty();
  }

  private static boolean isThere(final Path logDir) {
    try {
      return NameLook.isDirectory(logDir);
    } catch (final IOException unread) {
      return false;
    }
  }

  /** The findings so far. */
  public List<Finding> findings() {
    return List.copyOf(findings);
  }

  /**
   * True if a start gets as far as to this log directory's links: it is there and can be read, and
   * no tier is refused.
   *
   * @param logDir as configured
   */
  public boolean reachesLinks(final Path logDir) {
    return isThere(logDir)
        && !leftOut(logDir)
        && findings.stream().noneMatch(each -> each.effect() == Effect.START_REFUSED);
  }

  private boolean leftOut(final Path logDir) {
    return findings.stream()
        .anyMatch(
            each -> each.effect() == Effect.LOG_DIR_LEFT_OUT && each.directory().equals(logDir));
  }

  /**
   * Checks the links of a log directory in which no engine runs: one that renames and deletes would
   * show it names twice, or ones that are gone.
   *
   * @param logDir as configured
   * @return true if a start doesn't refuse it
   */
  public boolean links(final Path logDir) {
    atHome(
        logDir,
        () -> {
          final Path real = logDir.toRealPath();
          final HomeIdentity home =
              HomeIdentity.read(real).orElseGet(() -> HomeIdentity.create(real));
          final List<LogDirScan.Entry> segments = new ArrayList<>();
          new LinkCheck(config).check(real, home.id(), segments);
          final Optional<Path> nowhere = OrphanSweep.linkToNowhere(real);
          nowhere.ifPresent(
              link ->
                  findings.add(
                      new Finding(
                          logDir, Effect.WARNING, StartCodes.LINK_NOWHERE.words(link, real))));
        });
    return !leftOut(logDir);
  }
}
