// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import io.headpond.pmem.Background;
import io.headpond.pmem.RecyclePool;
import io.headpond.store.claim.Claim;
import io.headpond.store.claim.TierCheck;
import io.headpond.store.config.ConfigKey;
import io.headpond.store.config.NearestKey;
import io.headpond.store.event.Events;
import io.headpond.store.event.Incident;
import io.headpond.store.event.PlaceCodes;
import io.headpond.store.event.PlainText;
import io.headpond.store.facts.StoreFacts.Standing;
import io.headpond.store.layout.DirectoryForce;
import io.headpond.store.layout.TierAnswer;
import io.headpond.store.layout.TierRequest;
import io.headpond.store.partition.SpareFiles;
import io.headpond.store.partition.UnnamedFiles;
import io.headpond.store.tier.Catalogue;
import io.headpond.store.tier.TierDirectory;
import io.headpond.store.tier.Tiers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * The changes that an operator makes to the tiers of a running store. A tier is emptied and given
 * up, and used again, or comes anew; a directory whose device failed is examined and taken back.
 * Nothing of it outlives the process: the next start does what its configuration says.
 *
 * <p>Design note: a {@link TierDirectory} that failed never works again. When the device does,
 * another one takes its place for new segments, and what the former one still holds goes on leaving
 * it: nobody knows which of its writes the device lost. Any thread; what asks a tier's device has a
 * thread of its own for each tier.
 */
final class TierChanges implements AutoCloseable {
  /** Starts to use a directory. */
  interface Begin {
    void use(TierDirectory directory) throws IOException;
  }

  private final StoreContext context;
  private final Claim claim;
  private final Tiers tiers;
  private final Catalogue catalogue;
  private final Migrator migrator;
  private final Leftovers leftovers;
  private final DirectoryForce directoryForce;
  private final Begin begin;
  private final TierWorks works;
  private final TierJoin join;

  private volatile boolean closed;

  TierChanges(
      final StoreContext context,
      final Claim claim,
      final Tiers tiers,
      final Catalogue catalogue,
      final Migrator migrator,
      final SpareFiles spares,
      final DirectoryForce directoryForce,
      final Begin begin,
      final Background background) {
    this.context = context;
    this.claim = claim;
    this.tiers = tiers;
    this.catalogue = catalogue;
    this.migrator = migrator;
    leftovers =
        new Leftovers(
            spares,
            context.homes(),
            new UnnamedFiles(context.homes(), claim::quarantine, context.time()));
    this.directoryForce = directoryForce;
    this.begin = begin;
    works = new TierWorks(background, context.time());
    join = new TierJoin(context, claim, tiers, migrator, begin, () -> closed);
  }

  /** Begins what is asked for, and asks no device of a tier. */
  synchronized TierAnswer begin(final TierRequest request) {
    final String name = request.tier();
    final List<TierDirectory> tier = tiers.named(name);
    if (tier.isEmpty() && request.action() != TierRequest.Action.ADD) {
      return TierWorks.refused(request, unknown(name));
    }
    final String busy = works.busy(tier.isEmpty() ? TierWorks.JOINING : name);
    if (!busy.isEmpty()) {
      return TierWorks.refused(request, busy);
    }
    return switch (request.action()) {
      case REMOVE -> remove(request, tier);
      case RETRY -> retry(request, tier);
      case ADD -> tier.isEmpty() ? join(request) : add(request, tier);
    };
  }

  private String unknown(final String name) {
    final List<String> known = tiers.names();
    final String meant =
        NearestKey.of(name, known).map(nearest -> "; did you mean " + nearest + "?").orElse("");
    return "the broker has no such tier"
        + meant
        + (known.isEmpty() ? ", and no other" : "; it has " + String.join(", ", known));
  }

  /** The answer to a request that was begun, as it stands now. */
  TierAnswer answer(final TierRequest request) {
    return works.answer(request);
  }

  private static boolean any(final List<TierDirectory> tier, final Standing standing) {
    return tier.stream().anyMatch(each -> each.standing() == standing);
  }

  /** Those of a tier that weren't given up. */
  private static List<TierDirectory> present(final List<TierDirectory> tier) {
    return tier.stream().filter(each -> each.standing() != Standing.REMOVED).toList();
  }

  private TierAnswer remove(final TierRequest request, final List<TierDirectory> tier) {
    if (present(tier).isEmpty()) {
      return TierWorks.done(request.id(), removed(request.tier()));
    }
    if (any(tier, Standing.USED)) {
      present(tier).forEach(each -> each.stand(Standing.LEAVING));
      PlaceCodes.TIER_LEAVING.log(request.tier(), segments(tier), request.tier());
      countChange();
    }
    migrator.wake();
    return works.begin(request.tier(), running(request.id(), tier, ""));
  }

  private TierAnswer running(
      final UUID request, final List<TierDirectory> tier, final String waits) {
    final long bytes = tier.stream().mapToLong(each -> each.space.segmentBytes()).sum();
    return new TierAnswer(
        request, TierAnswer.State.RUNNING, waits, segments(tier), Math.max(0, bytes));
  }

  /** Those that migration knows; one that moves is still where it was. */
  private long segments(final List<TierDirectory> tier) {
    long segments = 0;
    for (final TierDirectory each : tier) {
      segments +=
          migrator.running().stream().filter(move -> move.what().directory() == each).count()
              + catalogue.segments(each, false)
              + catalogue.segments(each, true);
    }
    return segments;
  }

  private String removed(final String tier) {
    final boolean only = tiers.now().size() == 1;
    final long left = tiers.named(tier).stream().mapToLong(each -> each.undeleted().size()).sum();
    return "tier "
        + tier
        + " is empty"
        + (left == 0 ? "" : " but for files that can't be deleted and nobody needs: " + left)
        + ", and used no more until the broker's next start. Before that, "
        + (only
            ? "remove " + ConfigKey.TIERS.name()
            : "take " + tier + " out of " + ConfigKey.TIERS.name())
        + " and the keys headpond.tier."
        + tier
        + ".* in "
        + context.config().source()
        + ". Its device may be unmounted";
  }

  private TierAnswer retry(final TierRequest request, final List<TierDirectory> tier) {
    if (!any(tier, Standing.USED)) {
      return TierWorks.refused(
          request, "it is being removed, or was: headpond tier add takes it back");
    }
    final List<TierDirectory> failed =
        tier.stream().filter(each -> each.failed() && !each.superseded()).toList();
    return failed.isEmpty()
        ? TierWorks.refused(request, "none of its directories counts as failed")
        : takeBack(request, failed);
  }

  private TierAnswer add(final TierRequest request, final List<TierDirectory> tier) {
    if (any(tier, Standing.REMOVED)) {
      return takeBack(
          request, tier.stream().filter(each -> each.standing() == Standing.REMOVED).toList());
    }
    if (!any(tier, Standing.LEAVING)) {
      return TierWorks.refused(request, "it is in use already");
    }
    tier.forEach(each -> each.stand(Standing.USED));
    final String what = "its removal was called off, and new segments go there again";
    PlaceCodes.TIER_BACK.log(request.tier(), what);
    countChange();
    return works.begin(
        request.tier(), TierWorks.done(request.id(), "tier " + request.tier() + ": " + what));
  }

  private TierAnswer takeBack(final TierRequest request, final List<TierDirectory> directories) {
    return works.examine(
        request.tier(),
        examined(request, directories),
        () -> {
          final StringBuilder text = new StringBuilder();
          for (final TierDirectory each : directories) {
            text.append(text.length() == 0 ? "" : "; ").append(takenBack(each));
          }
          return text.toString();
        });
  }

  private TierAnswer join(final TierRequest request) {
    return works.examine(
        TierWorks.JOINING, examined(request, List.of()), () -> join.run(request.tier()));
  }

  private TierAnswer examined(final TierRequest request, final List<TierDirectory> directories) {
    return running(request.id(), directories, "its device is examined");
  }

  private String takenBack(final TierDirectory old) throws IOException {
    if (old.arrives()) {
      throw new IOException(old + ": its device hasn't answered to a file that is being made");
    }
    stopPool(old);
    final Set<Path> left = new HashSet<>();
    final TierDirectory made =
        claim.reopened(
            old,
            directoryForce,
            opened -> {
              left.addAll(TierCheck.files(old.ref.path()));
              use(opened.get(0));
            });
    if (made.follows(old)) { // nothing fails from here on
      old.supersededBut(left);
      tiers.replace(old, made, old);
    } else {
      tiers.replace(old, made);
    }
    final String what =
        old.ref.path()
            + " works, and new segments go there again"
            + (old.superseded()
                ? ". Files from before, whose worth nobody knows, go on leaving it: " + left.size()
                : "");
    PlaceCodes.TIER_BACK.log(old.tier.name(), what);
    countChange();
    migrator.tryAgain(old);
    return what;
  }

  /** The last step before the store sees it. */
  private void use(final TierDirectory made) throws IOException {
    boolean done = false;
    try {
      begin.use(made);
      if (closed) {
        throw new IOException("the broker stops");
      }
      done = true;
    } finally {
      if (!done) {
        stopPool(made);
      }
    }
  }

  private void countChange() {
    context.counters().incidents.count(Incident.TIER_CHANGED);
  }

  /** Advances the changes under way, once a second. Asks no device. */
  void tick() {
    for (final List<TierDirectory> tier : tiers.now()) {
      final String name = tier.get(0).tier.name();
      if (any(tier, Standing.LEAVING)) {
        works.executeIfIdle(name, () -> empty(name));
      } else if (tier.stream().anyMatch(TierDirectory::superseded)) {
        works.executeIfIdle(name, () -> forget(name));
      }
    }
  }

  /** A directory whose place another one took goes when its last file has gone. */
  private void forget(final String name) {
    for (final TierDirectory each : tiers.named(name)) {
      try {
        if (each.superseded()
            && TierCheck.files(each.ref.path()).stream().noneMatch(each::isLeft)) {
          tiers.replace(each);
          tiers.all().forEach(other -> other.forget(each));
        }
      } catch (final IOException e) {
        continue; // the directory that took its place meets the device's error, and says it
      }
    }
  }

  /** A step of a removal: how far it is, or its end. */
  private void empty(final String name) {
    final List<TierDirectory> tier = present(tiers.named(name));
    if (tier.isEmpty()) {
      return; // given up meanwhile: what is asked of it since is somebody else's
    }
    final Optional<UUID> asked = works.request(name);
    String waits;
    try {
      // Counted before its files are looked for: the last segment may leave at any time.
      final boolean left = segments(tier) == 0;
      waits = left ? leftovers.of(tier) : migrator.waits(tier);
      context.counters().quarantinedFiles.set(claim.recovery().orphans());
      if (left && waits.isEmpty() && segments(tier) == 0) {
        giveUp(name, tier, asked);
        return;
      }
    } catch (final IOException e) {
      waits = "its device can't be looked at: " + PlainText.reason(e);
    }
    final String waited = waits;
    tier.forEach(each -> each.waitFor(waited));
    works.tell(name, asked, request -> running(request, tier, waited));
  }

  /**
   * Gives an empty tier up.
   *
   * @param asked what was asked of it when it was looked at: it was used meanwhile if that is
   *     another request now, whatever it asks for
   */
  private void giveUp(
      final String name, final List<TierDirectory> tier, final Optional<UUID> asked) {
    synchronized (this) {
      if (!works.request(name).equals(asked)
          || tier.stream().anyMatch(each -> each.standing() != Standing.LEAVING)) {
        return; // an operator wants it back, or wanted
      }
      tier.forEach(each -> each.stand(Standing.REMOVED));
    }
    tier.stream().filter(TierDirectory::superseded).forEach(tiers::replace);
    tier.forEach(this::giveUp);
    PlaceCodes.TIER_REMOVED.log(name, name, context.config().source());
    countChange();
    works.tell(name, asked, request -> TierWorks.done(request, removed(name)));
  }

  /** Releases a directory. Failures of its device don't matter: no segment is there any more. */
  private void giveUp(final TierDirectory directory) {
    stopPool(directory);
    final Path counters = directory.ref.path().resolve(LiveCounters.FILE_NAME);
    try {
      Files.deleteIfExists(counters);
    } catch (final IOException e) {
      Events.LOG.debug("{}", counters, e);
    }
    claim.release(directory);
  }

  static void stopPool(final TierDirectory directory) {
    final RecyclePool pool = directory.space.pool();
    if (pool != null) {
      pool.close();
    }
  }

  /** Begins nothing more. Doesn't wait: a device may never answer. */
  @Override
  public void close() {
    closed = true;
    works.close();
  }
}
