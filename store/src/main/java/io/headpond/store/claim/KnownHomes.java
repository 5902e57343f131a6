// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.claim;

import io.headpond.store.event.StartCodes;
import io.headpond.store.event.StoreRefusedException;
import io.headpond.store.layout.HomeIdentity;
import io.headpond.store.layout.NameLook;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** The identities of the configured log directories. Writes nothing. One thread at a time. */
final class KnownHomes {
  private final Map<UUID, Path> byId = new HashMap<>();

  /** The identities of the log directories that were there and could be read at first. */
  private final Map<Path, HomeIdentity> first = new LinkedHashMap<>();

  /** Couldn't one of them be read? Then any file in a tier may be its own. */
  private boolean someUnread;

  /** Reads them all. One that can't be read is refused when it is claimed itself. */
  void look(final List<Path> logDirs) {
    for (final Path logDir : logDirs) {
      try {
        final Optional<HomeIdentity> found =
            NameLook.isDirectory(logDir) ? HomeIdentity.read(logDir) : Optional.empty();
        if (found.isPresent()) {
          found.get().tiers();
          byId.putIfAbsent(found.get().id(), logDir.toRealPath());
          first.put(logDir, found.get());
        }
      } catch (final IOException | StoreRefusedException e) {
        someUnread = true;
      }
    }
  }

  /** By log directory as configured, those that were there and could be read at first. */
  Map<Path, HomeIdentity> first() {
    return first;
  }

  /** True if one of them couldn't be read. */
  boolean someUnread() {
    return someUnread;
  }

  /**
   * Checks that no other log directory has this identity.
   *
   * @throws StoreRefusedException if one has
   */
  void refuseTwin(final Path logDir, final UUID id) {
    final Path twin = byId.get(id);
    try {
      if (twin != null && !twin.equals(logDir.toRealPath())) {
        throw StartCodes.LOG_DIR_COPIED.refusal(logDir, twin);
      }
    } catch (final IOException e) {
      someUnread = true;
    }
  }

  /** A log directory has this identity, whether it was read at first or not. */
  void has(final UUID id, final Path logDir) {
    byId.put(id, logDir);
  }

  /**
   * The identifiers of log directories that a tier directory holds segments of, and that are not
   * there; none if one couldn't be read, because then it can't be told whose files they are.
   */
  List<String> absentIn(final Path tier) throws IOException {
    final List<String> absent = new ArrayList<>();
    if (someUnread) {
      return absent;
    }
    try {
      for (final Path home : NameLook.list(HomeIdentity.segments(tier))) {
        final String id = home.getFileName().toString();
        if (byId.keySet().stream().noneMatch(known -> known.toString().equals(id))
            && !NameLook.list(home).isEmpty()) {
          absent.add(id);
        }
      }
    } catch (final NoSuchFileException none) {
      return absent;
    }
    return absent;
  }
}
