// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import io.headpond.harness.process.FolderRemoval;
import io.headpond.store.config.StoreConfig;
import io.headpond.store.layout.DirectoryForce;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * What a roll costs, beside a plain file's on the same disk, one roll of each in turns: the open of
 * the new segment, its first append, and the appends after it. Where each append is durable, a
 * plain file's forces the file and, the first one, as Kafka does once for a new segment, its
 * directory. Every log has rolled once before. In the store's package, because the store is nobody
 * else's business.
 */
public final class RollTime {
  private static final Set<StandardOpenOption> CREATE =
      Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
  private static final int WARM_UP = 20;
  private static final int APPENDS = 20;
  private static final int BYTES = 4_096;

  /** From one roll to the next: a spare is made meanwhile. */
  private static final long PAUSE_MILLIS = 15;

  private static final class Times {
    final List<Long> opens = new ArrayList<>();
    final List<Long> firsts = new ArrayList<>();
    final List<Long> others = new ArrayList<>();
  }

  private interface Opening {
    FileChannel open() throws IOException;
  }

  private final ByteBuffer source = ByteBuffer.allocateDirect(BYTES);
  private final boolean durable;
  private final int partitions;

  private RollTime(final boolean durable, final int partitions) {
    this.durable = durable;
    this.partitions = partitions;
  }

  /**
   * Measures.
   *
   * @param arguments a directory on the disk, how many rolls of each, {@code headpond.durability}
   *     (append), how many logs take turns (1), and a directory for the tier (the first one)
   */
  public static void main(final String[] arguments) throws Exception {
    final Path folder = temporary(arguments[0]);
    final Path tier = temporary(arguments[arguments.length > 4 ? 4 : 0]);
    final String durability = arguments.length > 2 ? arguments[2] : "append";
    final int partitions = arguments.length > 3 ? Integer.parseInt(arguments[3]) : 1;
    try {
      new RollTime(durability.equals("append"), partitions)
          .run(folder, tier, Integer.parseInt(arguments[1]));
    } finally {
      FolderRemoval.remove(folder, true);
      FolderRemoval.remove(tier, true);
    }
  }

  private static Path temporary(final String parent) throws IOException {
    return Files.createTempDirectory(Path.of(parent), "headpond-roll-").toRealPath();
  }

  private void run(final Path folder, final Path tier, final int rolls) throws Exception {
    final Path home = Files.createDirectory(folder.resolve("home"));
    final Path plain = Files.createDirectory(folder.resolve("plain"));
    for (int i = 0; i < partitions; i++) {
      Files.createDirectory(home.resolve(log(i)));
      Files.createDirectory(plain.resolve(log(i)));
    }
    final Times ours = new Times();
    final Times theirs = new Times();
    final List<FileChannel> open = new ArrayList<>();
    try (TieredStore store = new TieredStore(configuration(tier, home))) {
      store.claim();
      final int before = Math.max(WARM_UP, 2 * partitions);
      for (int i = 0; i < before + rolls; i++) {
        final Path own = home.resolve(log(i)).resolve(segment(i));
        open.add(roll(() -> store.open(own, CREATE), null, i < before ? new Times() : ours));
        TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        final Path file = plain.resolve(log(i)).resolve(segment(i));
        open.add(
            roll(
                () -> FileChannel.open(file, CREATE),
                durable ? file.getParent() : null,
                i < before ? new Times() : theirs));
        TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
      }
      for (final FileChannel channel : open) {
        channel.close();
      }
    }
    line("open", ours.opens, theirs.opens);
    line("first append", ours.firsts, theirs.firsts);
    line("open and first append", sums(ours), sums(theirs));
    line("further appends", ours.others, theirs.others);
  }

  private StoreConfig configuration(final Path tier, final Path home) throws Exception {
    final Properties properties = new Properties();
    properties.setProperty("headpond.tiers", "fast");
    properties.setProperty("headpond.tier.fast.paths", tier.toString());
    properties.setProperty("headpond.tier.fast.capacity", "2GiB");
    properties.setProperty("headpond.tier.fast.migrate.threshold", "-1");
    properties.setProperty("headpond.durability", durable ? "append" : "engine");
    properties.setProperty("headpond.log.dirs", home.toString());
    return StoreConfig.parse(properties, "bench", FileSystems.getDefault());
  }

  /** The log whose turn it is. */
  private String log(final int turn) {
    return "roll-" + turn % partitions;
  }

  private static String segment(final int turn) {
    return String.format(Locale.ROOT, "%020d.log", turn);
  }

  /**
   * A roll.
   *
   * @param forced the directory that the first append forces; null: no append forces anything here
   */
  private FileChannel roll(final Opening opening, final Path forced, final Times times)
      throws IOException {
    long from = System.nanoTime();
    final FileChannel channel = opening.open();
    times.opens.add(System.nanoTime() - from);
    for (int i = 0; i < APPENDS; i++) {
      from = System.nanoTime();
      channel.write(source.clear(), (long) i * BYTES);
      if (forced != null) {
        channel.force(false);
        if (i == 0) {
          DirectoryForce.forceNow(forced);
        }
      }
      (i == 0 ? times.firsts : times.others).add(System.nanoTime() - from);
    }
    return channel;
  }

  private static List<Long> sums(final Times times) {
    final List<Long> sums = new ArrayList<>();
    for (int i = 0; i < times.opens.size(); i++) {
      sums.add(times.opens.get(i) + times.firsts.get(i));
    }
    return sums;
  }

  private static void line(final String what, final List<Long> ours, final List<Long> theirs) {
    System.out.printf(
        Locale.ROOT,
        "%-22s P50 %6.0f us, plain %6.0f us, ratio %.2f; P90 %6.0f us, plain %6.0f us, ratio %.2f%n",
        what,
        micros(ours, 0.5),
        micros(theirs, 0.5),
        micros(ours, 0.5) / micros(theirs, 0.5),
        micros(ours, 0.9),
        micros(theirs, 0.9),
        micros(ours, 0.9) / micros(theirs, 0.9));
  }

  private static double micros(final List<Long> nanos, final double quantile) {
    final long[] sorted = nanos.stream().mapToLong(Long::longValue).toArray();
    Arrays.sort(sorted);
    return sorted[(int) (sorted.length * quantile)] / 1e3;
  }
}
