// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper;

import io.headpond.observe.Observation;
import io.headpond.store.facts.StoreFacts;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The beans of the journals and entry logs of this JVM, which has one bookie as a rule. They begin
 * with the first that is written to, and end with the last; a tool that only reads shows nothing.
 * Any thread.
 */
public final class BookieObservation {
  private static final Map<Object, Supplier<BookieFacts.Journal>> JOURNALS = new LinkedHashMap<>();
  private static final Map<Object, Supplier<List<BookieFacts.EntryLogs>>> ENTRY_LOGS =
      new LinkedHashMap<>();

  private static Observation observation;

  private BookieObservation() {}

  /**
   * Shows a journal directory.
   *
   * @param owner removes it again
   * @param facts is asked by another thread, once a second
   */
  static synchronized void journal(final Object owner, final Supplier<BookieFacts.Journal> facts) {
    JOURNALS.put(owner, facts);
    begin();
  }

  /** Shows entry logs; as {@link #journal}. */
  public static synchronized void entryLogs(
      final Object owner, final Supplier<List<BookieFacts.EntryLogs>> facts) {
    ENTRY_LOGS.put(owner, facts);
    begin();
  }

  private static void begin() {
    if (observation == null) {
      observation =
          Observation.start(BookieMetrics.ALL, BookieObservation::facts, BookieBackground.THREADS);
    }
  }

  /** Removes what an owner has shown. */
  public static void remove(final Object owner) {
    final Observation last;
    synchronized (BookieObservation.class) {
      JOURNALS.remove(owner);
      ENTRY_LOGS.remove(owner);
      if (!JOURNALS.isEmpty() || !ENTRY_LOGS.isEmpty() || observation == null) {
        return;
      }
      last = observation;
      observation = null;
    }
    last.close(); // its thread may be about to ask for facts
  }

  private static BookieFacts facts() {
    final List<Supplier<BookieFacts.Journal>> journals;
    final List<Supplier<List<BookieFacts.EntryLogs>>> entryLogs;
    synchronized (BookieObservation.class) {
      journals = List.copyOf(JOURNALS.values());
      entryLogs = List.copyOf(ENTRY_LOGS.values());
    }
    return new BookieFacts(
        journals.stream().map(Supplier::get).toList(),
        entryLogs.stream().flatMap(each -> each.get().stream()).toList(),
        new StoreFacts.Background(
            BookieBackground.THREADS.failures(), BookieBackground.THREADS.deadThreads()));
  }
}
