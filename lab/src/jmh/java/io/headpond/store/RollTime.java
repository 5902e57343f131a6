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
 * What a roll costs where each append is durable, beside a plain file's on the same disk, one roll
 * of each in turns: the open of the new segment, its first append, and the appends after it. A
 * plain file's first append forces the file and, as Kafka does once for a new segment, its
 * directory. In the store's package, because the store is nobody else's business.
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

  private RollTime() {}

  /**
   * Measures.
   *
   * @param arguments a directory on the disk, and how many rolls of each
   */
  public static void main(final String[] arguments) throws Exception {
    final Path folder = Files.createTempDirectory(Path.of(arguments[0]), "headpond-roll-");
    try {
      new RollTime().run(folder.toRealPath(), Integer.parseInt(arguments[1]));
    } finally {
      FolderRemoval.remove(folder, true);
    }
  }

  private void run(final Path folder, final int rolls) throws Exception {
    final Path home = Files.createDirectory(folder.resolve("home"));
    final Path partition = Files.createDirectory(home.resolve("roll-0"));
    final Path plain = Files.createDirectory(folder.resolve("plain"));
    final Properties properties = new Properties();
    properties.setProperty("headpond.tiers", "fast");
    properties.setProperty(
        "headpond.tier.fast.paths", Files.createDirectory(folder.resolve("tier")).toString());
    properties.setProperty("headpond.tier.fast.type", "file");
    properties.setProperty("headpond.tier.fast.capacity", "2GiB");
    properties.setProperty("headpond.tier.fast.migrate.threshold", "-1");
    properties.setProperty("headpond.durability", "append");
    properties.setProperty("headpond.log.dirs", home.toString());
    final Times ours = new Times();
    final Times theirs = new Times();
    try (TieredStore store =
        new TieredStore(StoreConfig.parse(properties, "bench", FileSystems.getDefault()))) {
      store.claim();
      final List<FileChannel> open = new ArrayList<>();
      for (int i = -WARM_UP; i < rolls; i++) {
        final String name = String.format(Locale.ROOT, "%020d.log", i + WARM_UP);
        open.add(
            roll(
                () -> store.open(partition.resolve(name), CREATE),
                null,
                i < 0 ? new Times() : ours));
        TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        open.add(
            roll(
                () -> FileChannel.open(plain.resolve(name), CREATE),
                plain,
                i < 0 ? new Times() : theirs));
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

  /**
   * A roll.
   *
   * @param forced the directory that the first append forces; null: appends are durable
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
