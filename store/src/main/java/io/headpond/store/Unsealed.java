// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import java.util.Set;

/**
 * The membership of a segment among those of its log that the next roll looks at. A broker keeps
 * all segments of a log open, and a roll must not cost more the more there are. Under the segment's
 * lock.
 */
final class Unsealed {
  private final Segment segment;

  /** The log's; null: the segment has no name in a log. */
  private Set<Segment> log;

  private boolean member;

  Unsealed(final Segment segment) {
    this.segment = segment;
  }

  /** It has a name in a log from now on. What is to be sealed in it isn't known. */
  void enter(final Set<Segment> unsealedOfLog) {
    leave();
    log = unsealedOfLog;
    touch();
  }

  /** It has no name in a log any more. */
  void leave() {
    if (member) {
      log.remove(segment);
    }
    member = false;
    log = null;
  }

  /** Its bytes, or its file, are about to become others. */
  void touch() {
    if (!member && log != null) {
      log.add(segment); // before the change: whoever sees that one finds the segment here
      member = true; // not if there was no memory for it
    }
  }

  /** For tests: will the next roll look at it? */
  boolean isMember() {
    return member;
  }

  /** A roll has looked at it. */
  void looked() {
    if (member && segment.isSealed()) {
      member = false;
      log.remove(segment);
    }
  }
}
