// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper;

import io.headpond.observe.LatencyFigures;
import io.headpond.observe.Observed;
import io.headpond.observe.PagePart;
import io.headpond.observe.Timeline;
import io.headpond.observe.Times;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/** The recent past of a bookie: all its journals together, and its fast directories. */
final class BookieHistory extends Timeline<BookieFacts, BookieHistory.Point> {
  /**
   * One second.
   *
   * @param atMs its end, milliseconds since 1970
   * @param appended to all journals, bytes a second
   * @param moved entry logs, bytes a second
   * @param appends how long writes to journals took
   * @param forces how long their forces took
   * @param usedBytes of the fast directories
   */
  record Point(
      long atMs,
      double appended,
      double moved,
      LatencyFigures appends,
      LatencyFigures forces,
      long[] usedBytes) {}

  BookieHistory(final Supplier<BookieFacts> bookie) {
    super(bookie, BookieFacts::atMs, Point::atMs);
  }

  /** The bookie as it is observed. */
  Observed<BookieFacts> observed() {
    return new Observed<>(
        BookieMetrics.ALL,
        this,
        new BookieStatusDocument(this),
        new PagePart(BookieHistory.class, "bookie"));
  }

  @Override
  protected Point point(final BookieFacts before, final BookieFacts now) {
    return new Point(
        now.atMs(),
        perSecond(before, now, BookieHistory::appendedBytes),
        perSecond(before, now, BookieHistory::movedBytes),
        latency(before.journals(), now.journals(), BookieFacts.Journal::appendTimes),
        latency(before.journals(), now.journals(), BookieFacts.Journal::forceTimes),
        now.entryLogs().stream().mapToLong(BookieFacts.EntryLogs::usedBytes).toArray());
  }

  static double appendedBytes(final BookieFacts facts) {
    return sum(facts.journals(), BookieFacts.Journal::appendedBytes);
  }

  static double appends(final BookieFacts facts) {
    return sum(facts.journals(), BookieFacts.Journal::appends);
  }

  static double movedBytes(final BookieFacts facts) {
    return sum(facts.entryLogs(), BookieFacts.EntryLogs::movedBytes);
  }

  private static <T> double sum(final List<T> all, final ToLongFunction<T> value) {
    return all.stream().mapToLong(value).sum();
  }

  /** Of the journals that were there at both ends, and those that are new. */
  static LatencyFigures latency(
      final List<BookieFacts.Journal> first,
      final List<BookieFacts.Journal> last,
      final Function<BookieFacts.Journal, Times> times) {
    return LatencyFigures.between(
        Times.sum(first.stream().map(times).toList()),
        Times.sum(last.stream().map(times).toList()));
  }
}
