// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.migrate;

/**
 * The state of a tier directory at the time of a choice.
 *
 * @param <D> a tier directory
 * @param segmentBytes what is compared with the threshold
 * @param leavingBytes of moves under way out of it
 * @param comingBytes of moves under way into it
 * @param roomBytes what a segment that comes may count on: what growing ones are expected to take
 *     is held back ({@link HeldBack})
 * @param failed did its device fail?
 * @param draining has an operator asked for all segments to leave it?
 */
public record TierState<D>(
    D directory,
    TierLimits limits,
    long segmentBytes,
    long leavingBytes,
    long comingBytes,
    long roomBytes,
    boolean failed,
    boolean draining) {

  /** True if migration steers by a threshold here. */
  public boolean migrates() {
    return limits.threshold() >= 0;
  }

  /** True if segments may come here; if not, all segments leave. */
  public boolean takes() {
    return !failed && !draining;
  }

  /** Used bytes when everything that is on its way out has left. */
  long stayingBytes() {
    return segmentBytes - leavingBytes;
  }

  /** Bytes that may still come up. */
  long belowBandBytes() {
    return limits.bandBytes() - segmentBytes - comingBytes;
  }
}
