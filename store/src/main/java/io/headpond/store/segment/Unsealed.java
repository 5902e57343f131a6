// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.segment;

import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * The membership of a segment among those of its log that the next roll looks at. A broker keeps
 * all segments of a log open, and a roll must not cost more the more there are. Under the segment's
 * lock.
 *
 * @param <S> the segment
 */
public final class Unsealed<S> {
  private final S segment;
  private final BooleanSupplier sealed;

  /** The log's; null: the segment has no name in a log. */
  private Set<S> log;

  private boolean member;

  /**
   * Of one that is in no log.
   *
   * @param sealed would a seal find nothing to do?
   */
  public Unsealed(final S segment, final BooleanSupplier sealed) {
    this.segment = segment;
    this.sealed = sealed;
  }

  /** It has a name in a log from now on. What is to be sealed in it isn't known. */
  public void enter(final Set<S> unsealedOfLog) {
    leave();
    log = unsealedOfLog;
    touch();
  }

  /** It has no name in a log any more. */
  public void leave() {
    if (member) {
      log.remove(segment);
    }
    member = false;
    log = null;
  }

  /** Its bytes, or its file, are about to become others. */
  public void touch() {
    if (!member && log != null) {
      log.add(segment); // before the change: whoever sees that one finds the segment here
      member = true; // not if there was no memory for it
    }
  }

  /** For tests: will the next roll look at it? */
  public boolean isMember() {
    return member;
  }

  /** A roll has looked at it. */
  public void looked() {
    if (member && sealed.getAsBoolean()) {
      member = false;
      log.remove(segment);
    }
  }
}
