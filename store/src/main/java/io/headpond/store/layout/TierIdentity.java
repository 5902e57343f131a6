// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.layout;

import io.headpond.store.event.StoreRefusedException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;

/**
 * The identity of a tier directory.
 *
 * @param id identifies the directory for good, wherever it is mounted
 * @param tier the tier's name when it was first used
 */
public record TierIdentity(UUID id, String tier) {
  private static final String KIND = "tier";

  /**
   * Reads it.
   *
   * @return empty if the directory has none
   * @throws StoreRefusedException if the file is damaged or of a version that can't be read
   */
  public static Optional<TierIdentity> read(final Path directory) throws IOException {
    return Identity.read(directory, KIND)
        .map(found -> new TierIdentity(found.id, found.properties.getProperty("tier", "?")));
  }

  /**
   * Makes a new one and writes it durably.
   *
   * @param tier the tier's name
   */
  public static TierIdentity create(final Path directory, final String tier) throws IOException {
    final Identity identity = Identity.create(directory, KIND);
    identity.properties.setProperty("tier", tier);
    identity.write();
    return new TierIdentity(identity.id, tier);
  }
}
