// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper;

import io.headpond.observe.BookieFacts;
import io.headpond.observe.HttpSettings;
import io.headpond.observe.Observation;
import io.headpond.store.ConfigException;
import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.bookkeeper.conf.ServerConfiguration;

/**
 * The journals and entry logs of this JVM, shown together: JMX and the HTTP port belong to the JVM,
 * whose bookie is one as a rule. Begins with the first that is written to, by whose configuration
 * the port is opened, and ends with the last; a tool that only reads shows nothing. Any thread.
 */
public final class BookieObservation {
  /** What messages call the place of the keys. */
  private static final String SOURCE = "the bookie's configuration";

  private static final Map<Object, Supplier<BookieFacts.Journal>> JOURNALS = new LinkedHashMap<>();
  private static final Map<Object, Supplier<List<BookieFacts.EntryLogs>>> ENTRY_LOGS =
      new LinkedHashMap<>();

  private static Observation observation;
  private static long startedMs;

  private BookieObservation() {}

  /**
   * Shows a journal directory.
   *
   * @param owner who takes it away again
   * @param facts is asked by another thread, once a second, and when metrics are read
   * @throws IOException if the keys of the port are refused
   */
  static void journal(
      final Object owner,
      final Supplier<BookieFacts.Journal> facts,
      final ServerConfiguration configuration)
      throws IOException {
    final HttpSettings http = settings(configuration);
    synchronized (BookieObservation.class) {
      JOURNALS.put(owner, facts);
      begin(http);
    }
  }

  /** Shows entry logs; as {@link #journal}. */
  public static void entryLogs(
      final Object owner,
      final Supplier<List<BookieFacts.EntryLogs>> facts,
      final ServerConfiguration configuration)
      throws IOException {
    final HttpSettings http = settings(configuration);
    synchronized (BookieObservation.class) {
      ENTRY_LOGS.put(owner, facts);
      begin(http);
    }
  }

  /**
   * Runs what shows something. Without headpond-observe's jar a bookie goes on without metrics.
   *
   * @throws IOException if the keys of the port are refused
   */
  public static void ifThere(final Showing showing) throws IOException {
    try {
      showing.show();
    } catch (final LinkageError e) {
      BookieCodes.NO_METRICS.log(e.toString());
    }
  }

  /** Something that calls one of the methods above. */
  @FunctionalInterface
  public interface Showing {
    /** Does so. */
    void show() throws IOException;
  }

  private static void begin(final HttpSettings http) {
    if (observation == null) {
      startedMs = System.currentTimeMillis();
      observation = Observation.start(BookieObservation::facts, http);
    }
  }

  private static HttpSettings settings(final ServerConfiguration configuration) throws IOException {
    final Map<String, String> keys = new HashMap<>();
    HttpSettings.KEYS.forEach(
        key -> {
          if (configuration.containsKey(key.name())) {
            keys.put(key.name(), configuration.getProperty(key.name()).toString());
          }
        });
    try {
      return HttpSettings.parse(keys, SOURCE);
    } catch (final ConfigException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  /** Takes away what an owner has shown. */
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
    final long started;
    synchronized (BookieObservation.class) {
      journals = List.copyOf(JOURNALS.values());
      entryLogs = List.copyOf(ENTRY_LOGS.values());
      started = startedMs;
    }
    return new BookieFacts(
        System.currentTimeMillis(),
        started,
        journals.stream().map(Supplier::get).toList(),
        entryLogs.stream().flatMap(each -> each.get().stream()).toList());
  }
}
