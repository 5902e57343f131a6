// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.segment;

import io.headpond.pmem.DeviceFaultException;
import io.headpond.store.event.PlainText;
import io.headpond.store.facts.TimeSource;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * A segment's file in a mirrored tier that can't be read, and the switch to its mirror. Under the
 * segment's lock.
 *
 * <p>Design note: each read of a dead device may take that device's time to give up, and what the
 * mirror lacks is read while the lock is held. So it must lack little, and a switch that failed is
 * tried again once a second, by one of those who read.
 */
final class UnreadFile {
  /** Also so long a reader waits for what an append that is under way brings home. */
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final long REST_BYTES_MAX = 4 << 20;

  /** Makes the mirror the segment. */
  interface Switch {
    void run(DeviceFaultException cause) throws IOException;
  }

  private final Supplier<SegmentFile> present;
  private final Switch toMirror;
  private final MovesUnderWay moves;
  private final TimeSource time;

  /** The last one that couldn't be read; null: none. The rest is about it. */
  private SegmentFile file;

  private long sinceNanos;
  private long triedNanos;

  /** The reason why it couldn't be left. */
  private IOException refusal;

  /**
   * None yet.
   *
   * @param present the segment's file now
   */
  UnreadFile(
      final Supplier<SegmentFile> present,
      final Switch toMirror,
      final MovesUnderWay moves,
      final TimeSource time) {
    this.present = present;
    this.toMirror = toMirror;
    this.moves = moves;
    this.time = time;
  }

  /**
   * Returns when the segment lies elsewhere. The tier's directory counts as failed.
   *
   * @param failed the file that couldn't be read, which the segment may have left since
   * @param patient may the lock be let go, to wait for a mirror that lacks bytes?
   * @throws IOException if the mirror isn't the whole segment
   */
  void leave(final SegmentFile failed, final DeviceFaultException cause, final boolean patient)
      throws IOException {
    if (file != failed) {
      file = failed;
      sinceNanos = time.nanos();
      triedNanos = sinceNanos - PATIENCE_NANOS;
      refusal = cause;
      failed.directory.fail();
    }
    while (present.get() == failed) {
      final long nowNanos = time.nanos();
      if (nowNanos - triedNanos >= PATIENCE_NANOS) {
        triedNanos = nowNanos;
        try {
          takeMirror(cause);
          return;
        } catch (final IOException e) {
          refusal = e;
        }
      }
      final long leftNanos = sinceNanos + PATIENCE_NANOS - nowNanos;
      if (!patient || leftNanos <= 0 || !isBehind()) {
        throw refusal;
      }
      moves.await(() -> present.get() != failed, leftNanos);
    }
  }

  /** True if an append that waits for the mirror may yet move the segment. */
  private boolean isBehind() {
    return file.mirror.usable() && file.mirror.behindBytes() > 0;
  }

  private void takeMirror(final DeviceFaultException cause) throws IOException {
    final long rest = file.mirror.restBytes(file.knownEnd());
    if (rest < 0 || rest > REST_BYTES_MAX) {
      throw new IOException(
          PlainText.reason(cause)
              + "; and its mirror "
              + (rest < 0 ? "isn't complete" : "lacks " + rest + " B"),
          cause);
    }
    toMirror.run(cause);
  }
}
