// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import io.headpond.store.claim.Claim;
import io.headpond.store.config.AddedTier;
import io.headpond.store.config.ConfigException;
import io.headpond.store.config.TierConfig;
import io.headpond.store.event.ByteSize;
import io.headpond.store.event.Incident;
import io.headpond.store.event.PlaceCodes;
import io.headpond.store.event.StoreRefusedException;
import io.headpond.store.facts.StoreFacts;
import io.headpond.store.tier.TierDirectory;
import io.headpond.store.tier.Tiers;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.function.BooleanSupplier;

/**
 * Adds a tier to a running store. Its definition is read from the file that the store started by,
 * so that the next start knows it. One at a time; asks the tier's devices.
 */
final class TierJoin {
  private final StoreContext context;
  private final Claim claim;
  private final Tiers tiers;
  private final Migrator migrator;
  private final TierChanges.Begin begin;

  /** True once the store stops. */
  private final BooleanSupplier closed;

  TierJoin(
      final StoreContext context,
      final Claim claim,
      final Tiers tiers,
      final Migrator migrator,
      final TierChanges.Begin begin,
      final BooleanSupplier closed) {
    this.context = context;
    this.claim = claim;
    this.tiers = tiers;
    this.migrator = migrator;
    this.begin = begin;
    this.closed = closed;
  }

  /**
   * Takes it, after the checks of a start and a trial of its devices; nothing of it is used if that
   * fails.
   *
   * @return what an operator is told
   * @throws ConfigException if the file doesn't name it, or isn't right for this store any more
   * @throws StoreRefusedException if a start would refuse it
   * @throws IOException if one of its devices doesn't do what it must
   */
  String run(final String name) throws ConfigException, IOException {
    final AddedTier added = AddedTier.of(context.config(), tiers.configs(), used(), name);
    final TierConfig tier = added.tier();
    final List<TierDirectory> directories = claim.joined(tier, added.place(), this::use);
    context.counters().quarantinedFiles.set(claim.recovery().orphans());
    migrator.start();
    migrator.wake();
    final String what = words(name, directories);
    PlaceCodes.TIER_JOINED.log(name, what, context.config().source());
    context.counters().incidents.count(Incident.TIER_CHANGED);
    return "tier "
        + name
        + ": "
        + what
        + ". The next start finds it in "
        + context.config().source();
  }

  private List<TierConfig> used() {
    return tiers.now().stream()
        .filter(
            tier -> tier.stream().anyMatch(each -> each.standing() != StoreFacts.Standing.REMOVED))
        .map(tier -> tier.get(0).tier)
        .toList();
  }

  /** The last step before the store sees them. */
  private void use(final List<TierDirectory> directories) throws IOException {
    boolean done = false;
    try {
      for (final TierDirectory directory : directories) {
        begin.use(directory);
      }
      if (closed.getAsBoolean()) {
        throw new IOException("the broker stops");
      }
      context.topics().add(directories.get(0).tier);
      done = true;
    } finally {
      if (!done) {
        directories.forEach(TierChanges::stopPool);
      }
    }
  }

  private String words(final String name, final List<TierDirectory> directories) {
    final StringBuilder text = new StringBuilder("new segments go there from now on, ");
    final List<String> names = tiers.names();
    text.append(
        names.indexOf(name) == 0
            ? "before all other places"
            : "after " + names.get(names.indexOf(name) - 1));
    for (final TierDirectory each : directories) {
      text.append("; ")
          .append(each.ref.path())
          .append(": ")
          .append(each.device.fileSystemType())
          .append(", ")
          .append(each.device.durability().name().toLowerCase(Locale.ROOT))
          .append(", capacity ")
          .append(ByteSize.text(each.capacityBytes));
    }
    return text.toString();
  }
}
