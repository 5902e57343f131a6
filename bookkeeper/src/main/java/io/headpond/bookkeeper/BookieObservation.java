// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper;

import io.headpond.observe.HttpSettings;
import io.headpond.observe.Observation;
import io.headpond.observe.Setting;
import io.headpond.store.config.ConfigException;
import io.headpond.store.config.ConfigKey;
import io.headpond.store.event.StartCodes;
import io.headpond.store.facts.StoreFacts;
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
  /** The place of the keys, in messages. */
  private static final String SOURCE = "the bookie's configuration";

  private static final Map<Object, Journal> JOURNALS = new LinkedHashMap<>();
  private static final Map<Object, EntryLogs> ENTRY_LOGS = new LinkedHashMap<>();

  private static Observation observation;
  private static long startedMs;
  private static List<Setting> configuration = List.of();

  private record Journal(Supplier<BookieFacts.Journal> facts, JournalDevices device) {}

  private record EntryLogs(Supplier<List<BookieFacts.EntryLogs>> facts, List<ConfigKey<?>> keys) {}

  private BookieObservation() {}

  /**
   * Shows a journal directory.
   *
   * @param owner who takes it away again
   * @param facts is asked by another thread, once a second, and when metrics are read
   * @param device what it lies on
   * @throws IOException if the keys of the port are refused
   */
  static void journal(
      final Object owner,
      final Supplier<BookieFacts.Journal> facts,
      final JournalDevices device,
      final ServerConfiguration bookie)
      throws IOException {
    final HttpSettings http = settings(bookie);
    synchronized (BookieObservation.class) {
      JOURNALS.put(owner, new Journal(facts, device));
      begin(http, bookie);
    }
  }

  /**
   * Shows entry logs; as {@link #journal}.
   *
   * @param keys those of the bookie's configuration that they are set up by
   */
  public static void entryLogs(
      final Object owner,
      final Supplier<List<BookieFacts.EntryLogs>> facts,
      final List<ConfigKey<?>> keys,
      final ServerConfiguration bookie)
      throws IOException {
    final HttpSettings http = settings(bookie);
    synchronized (BookieObservation.class) {
      ENTRY_LOGS.put(owner, new EntryLogs(facts, keys));
      begin(http, bookie);
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

  private static void begin(final HttpSettings http, final ServerConfiguration bookie) {
    configuration = configuration(bookie);
    if (observation == null) {
      startedMs = System.currentTimeMillis();
      observation =
          Observation.start(
              new BookieHistory(BookieObservation::facts).observed(),
              http,
              BookieBackground.THREADS);
    }
  }

  /** It doesn't change while the bookie runs, but for what is shown. */
  private static List<Setting> configuration(final ServerConfiguration bookie) {
    final EffectiveSettings settings = new EffectiveSettings(bookie);
    JOURNALS.values().stream()
        .map(Journal::device)
        .reduce(JournalDevices::and)
        .ifPresent(settings::journals);
    ENTRY_LOGS.values().stream().map(EntryLogs::keys).distinct().forEach(settings::keys);
    return settings.all();
  }

  private static HttpSettings settings(final ServerConfiguration bookie) throws IOException {
    final Map<String, String> keys = new HashMap<>();
    for (final ConfigKey<?> key : HttpSettings.KEYS) {
      final String value = StartExamination.value(bookie, key.name());
      if (value != null) {
        keys.put(key.name(), value);
      }
    }
    try {
      return HttpSettings.parse(keys, SOURCE);
    } catch (final ConfigException e) {
      throw new IOException(StartCodes.CONFIGURATION.text(e.getMessage()), e);
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

  /** The metrics in Prometheus' text format; empty before the first journal or after the last. */
  static String metrics() {
    final Observation shown;
    synchronized (BookieObservation.class) {
      shown = observation;
    }
    return shown == null ? "" : shown.metrics();
  }

  private static BookieFacts facts() {
    final List<Journal> journals;
    final List<EntryLogs> entryLogs;
    final List<Setting> settings;
    final long started;
    synchronized (BookieObservation.class) {
      journals = List.copyOf(JOURNALS.values());
      entryLogs = List.copyOf(ENTRY_LOGS.values());
      settings = configuration;
      started = startedMs;
    }
    return new BookieFacts(
        System.currentTimeMillis(),
        started,
        journals.stream().map(each -> each.facts().get()).toList(),
        entryLogs.stream().flatMap(each -> each.facts().get().stream()).toList(),
        new StoreFacts.Background(
            BookieBackground.THREADS.failures(), BookieBackground.THREADS.deadThreads()),
        settings);
  }
}
