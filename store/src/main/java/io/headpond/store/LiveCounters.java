// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import io.headpond.store.event.BackgroundCodes;
import io.headpond.store.event.PlainText;
import io.headpond.store.facts.StoreFacts;
import io.headpond.store.facts.TimeSource;
import io.headpond.store.home.Homes;
import io.headpond.store.layout.Identity;
import io.headpond.store.tier.TierDirectory;
import io.headpond.store.tier.Tiers;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The owner's counters in a file, for a look at the tiers from outside: {@code .headpond.live} in
 * the first directory of the first tier that works; when all have failed, or are gone, in the first
 * log directory. A rename replaces it when something changed. Not forced: it is worth nothing after
 * a crash.
 */
final class LiveCounters {
  static final String FILE_NAME = ".headpond.live";

  private static final String SEQUENCE = "sequence";

  /** Later than any clock says: a damaged file says so. */
  private static final long SEQUENCE_MOST = 1L << 60;

  private final Survey survey;
  private final TimeSource time;
  private final String configuration;
  private final Tiers tiers;
  private final Homes homes;
  private Map<String, Object> published = Map.of();

  /** The file that was written last; null: none was. */
  private Path last;

  /** Of the file that was written last, also by a start before. */
  private long sequence;

  private boolean failed;

  LiveCounters(final StoreContext context, final Tiers tiers, final Survey survey) {
    time = context.time();
    configuration = context.config().source();
    homes = context.homes();
    this.tiers = tiers;
    this.survey = survey;
  }

  /** Writes the file if a counter moved. */
  synchronized void publish() {
    final Map<String, Object> now = values(survey.facts());
    tiers
        .all()
        .filter(TierDirectory::failed)
        .forEach(
            each -> now.put("tier." + each.tier.name() + ".failure", PlainText.of(each.failure())));
    final Path file = file();
    now.put("configuration", configuration.replace("\\", "\\\\").replace('\n', ' '));
    if (file == null || now.equals(published)) {
      return;
    }
    if (last == null) {
      sequence = sequenceBefore();
    }
    sequence = Math.max(sequence + 1, time.millis());
    try {
      final StringBuilder text = new StringBuilder();
      now.forEach((key, value) -> text.append(key).append('=').append(value).append('\n'));
      text.append(SEQUENCE).append('=').append(sequence).append('\n');
      text.append("updated.ms=").append(time.millis()).append('\n');
      final Path temporary = file.resolveSibling(FILE_NAME + ".tmp");
      Files.write(temporary, text.toString().getBytes(StandardCharsets.ISO_8859_1));
      Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
      leave(file);
      published = now;
      failed = false;
    } catch (final IOException e) {
      if (!failed) {
        BackgroundCodes.COUNTERS_STALE.log(file, e);
        failed = true;
      }
    }
  }

  /**
   * The highest of the files that are there. One that can't be deleted stays beside its successor,
   * and after a clock was set back its time alone would make it look like the newer one.
   */
  private long sequenceBefore() {
    return Stream.concat(tiers.all().map(each -> each.ref.path()), homes.first().stream())
        .mapToLong(directory -> sequence(directory.resolve(FILE_NAME)))
        .max()
        .orElse(0);
  }

  /** 0 if the file has none that can be read. */
  private static long sequence(final Path file) {
    final Properties properties = new Properties();
    try (Reader in = Files.newBufferedReader(file, StandardCharsets.ISO_8859_1)) {
      properties.load(in);
      final long found = Long.parseLong(properties.getProperty(SEQUENCE, "0").trim());
      return found < SEQUENCE_MOST ? found : 0;
    } catch (final IOException | IllegalArgumentException missingOrDamaged) {
      return 0;
    }
  }

  /** One that is left, here or by the start before, would be taken for that of an owner. */
  private void leave(final Path now) throws IOException {
    final Path left =
        last != null ? last : homes.first().map(home -> home.resolve(FILE_NAME)).orElse(now);
    if (!left.equals(now) && (homes.contains(left.getParent()) || works(left.getParent()))) {
      Files.deleteIfExists(left);
    }
    last = now;
  }

  private boolean works(final Path directory) {
    return tiers.all().anyMatch(each -> !each.failed() && each.ref.path().equals(directory));
  }

  /** Null: there is no tier. */
  private Path file() {
    return tiers
        .all()
        .filter(each -> !each.failed())
        .map(each -> each.ref.path())
        .filter(LiveCounters::isTier)
        .findFirst()
        .or(() -> tiers.list().isEmpty() ? Optional.empty() : homes.first())
        .map(directory -> directory.resolve(FILE_NAME))
        .orElse(null);
  }

  /** An empty mount point isn't one: the device would hide what is written there. */
  private static boolean isTier(final Path directory) {
    return Files.exists(directory.resolve(Identity.FILE_NAME));
  }

  private static Map<String, Object> values(final StoreFacts facts) {
    final Map<String, Object> values = new TreeMap<>();
    values.put("pid", ProcessHandle.current().pid());
    values.put("started.ms", facts.startedMs());
    facts.counts().forEach((count, value) -> values.put(count.key(), value));
    values.put("home.appended.bytes", facts.home().appendedBytes());
    values.put("evacuation.stall.ms.max", facts.appends().evacuationStallMsMax());
    values.put("quarantined.files", facts.recovery().orphans());
    final StoreFacts.Moves moves = facts.moves();
    values.put("migration.running", moves.running());
    values.put("migration.yielding", moves.yielding());
    values.put("migration.blocked", moves.blocked().replace('\n', ' '));
    facts.tiers().forEach(tier -> tier(tier, values));
    facts.homes().forEach(home -> home(home, values));
    facts.topics().forEach(topic -> topic(topic, values));
    return values;
  }

  private static void tier(final StoreFacts.Tier tier, final Map<String, Object> values) {
    final String prefix = "tier." + tier.name() + ".";
    values.put(prefix + "back.end", tier.backEnd());
    values.put(prefix + "used.bytes", tier.usedBytes());
    values.put(prefix + "segment.bytes", tier.segmentBytes());
    values.put(prefix + "capacity.bytes", tier.capacityBytes());
    values.put(prefix + "appended.bytes", tier.contents().appendedBytes());
    values.put(prefix + "threshold", tier.threshold());
    values.put(prefix + "threshold.bytes", tier.thresholdBytes());
    values.put(prefix + "failed.directories", tier.failedDirectories());
    values.put(prefix + "draining", tier.draining());
    values.put(prefix + "waits", tier.waits().replace('\n', ' '));
    values.put(prefix + "last.descent.ms", tier.lastDescentMs());
  }

  /** One line for each place: segments, their bytes, bytes appended, bytes read. */
  private static void topic(final StoreFacts.Topic topic, final Map<String, Object> values) {
    final String key = "topic." + topic.name();
    values.put(key, topic.overflowSegments());
    for (final StoreFacts.TopicPlace place : topic.places()) {
      values.put(
          key + "/" + place.tier(),
          String.format(
              Locale.ROOT,
              "%d %d %d %d",
              place.segments(),
              place.bytes(),
              place.appendedBytes(),
              place.readBytes()));
    }
  }

  private static void home(final StoreFacts.Home home, final Map<String, Object> values) {
    final String prefix = "home." + home.id() + ".";
    values.put(prefix + "reserve.bytes", home.reserveBytes());
    values.put(prefix + "reserve.touched", home.reserveTouched());
    values.put(prefix + "ballast.bytes", home.ballastBytes());
    values.put(prefix + "ballast.wanted.bytes", home.ballastWantedBytes());
  }
}
