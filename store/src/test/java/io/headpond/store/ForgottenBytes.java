// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import java.util.ArrayList;
import java.util.List;

/**
 * The bytes of a file that the kernel takes for written after their own force failed, as that of an
 * {@code O_DSYNC} write does. No later force of the file makes them durable; writing and forcing
 * them again does. Belongs to whoever holds the device's monitor.
 */
final class ForgottenBytes {
  private record Range(long from, long to) {}

  private List<Range> ranges = List.of();

  /** The force of [{@code from}, {@code to}) failed. */
  void add(final long from, final long to) {
    remove(from, to);
    ranges.add(new Range(from, to));
  }

  /** [{@code from}, {@code to}) was written again, and forced. */
  void remove(final long from, final long to) {
    final List<Range> left = new ArrayList<>();
    for (final Range range : ranges) {
      add(left, range.from, Math.min(range.to, from));
      add(left, Math.max(range.from, to), range.to);
    }
    ranges = left;
  }

  private static void add(final List<Range> ranges, final long from, final long to) {
    if (from < to) {
      ranges.add(new Range(from, to));
    }
  }

  /** All is new to the kernel. */
  void clear() {
    ranges = List.of();
  }

  /**
   * Takes from {@code forced} what no force wrote: there it stays what it was, which is zero behind
   * the former end.
   */
  void keep(final byte[] before, final byte[] forced) {
    for (final Range range : ranges) {
      for (long at = range.from; at < Math.min(range.to, forced.length); at++) {
        forced[(int) at] = at < before.length ? before[(int) at] : 0;
      }
    }
  }
}
