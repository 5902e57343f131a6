// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import io.headpond.store.event.PlaceCodes;
import io.headpond.store.event.PlainText;
import io.headpond.store.layout.DamagedFileException;
import io.headpond.store.layout.TierAnswer;
import io.headpond.store.layout.TierRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The requests that an operator puts into the log directories, taken up, answered and followed.
 * Each log directory by one thread at a time, which is that of its disk: no other waits for it.
 */
final class TierRequests {
  /** A request that its log directory's thread follows. */
  private static final class Followed {
    private TierRequest request;
    private TierAnswer last;

    /** A request that lay there before this process came was for another. */
    private boolean looked;

    private boolean said;
  }

  private final TierChanges changes;
  private final Map<Path, Followed> followed = new ConcurrentHashMap<>();

  TierRequests(final TierChanges changes) {
    this.changes = changes;
  }

  /** Looks into a log directory, given by its real path. */
  void look(final Path logDir) {
    final Followed now = followed.computeIfAbsent(logDir, first -> new Followed());
    try {
      if (TierRequest.waits(logDir)) {
        take(logDir, now);
      }
      if (now.request != null) {
        tell(logDir, now, changes.answer(now.request));
      }
      now.said = false;
    } catch (final IOException e) {
      if (!now.said) {
        PlaceCodes.REQUEST_UNREAD.log(logDir, PlainText.reason(e));
      }
      now.said = true; // until one succeeds: a full disk lasts
    }
    now.looked = true;
  }

  private void take(final Path logDir, final Followed now) throws IOException {
    final Optional<TierRequest> found;
    try {
      found = TierRequest.read(logDir);
    } catch (final DamagedFileException e) {
      Files.deleteIfExists(logDir.resolve(TierRequest.FILE_NAME));
      PlaceCodes.REQUEST_UNREAD.log(logDir, e.getReason());
      return;
    }
    if (found.isEmpty()) {
      return;
    }
    final TierRequest request = found.get();
    // Taken away first: what can't be taken away would be done again and again.
    Files.delete(logDir.resolve(TierRequest.FILE_NAME));
    now.request = request;
    now.last = null;
    tell(logDir, now, now.looked ? changes.begin(request) : tooEarly(request.id()));
  }

  private static TierAnswer tooEarly(final UUID id) {
    return TierAnswer.of(id, TierAnswer.State.REFUSED, "the broker has just started; ask it again");
  }

  private static void tell(final Path logDir, final Followed now, final TierAnswer answer)
      throws IOException {
    if (!Objects.equals(answer, now.last)) {
      answer.put(logDir);
      now.last = answer;
    }
    if (answer.state().last()) {
      now.request = null;
    }
  }
}
