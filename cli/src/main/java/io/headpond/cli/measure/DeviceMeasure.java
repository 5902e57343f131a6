// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.measure;

import io.headpond.harness.process.FolderRemoval;
import io.headpond.pmem.Device;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A measurement of a directory's device, in seconds. It writes up to {@link #BYTES_MAX} into a
 * folder of its own, which it removes, also when it is interrupted.
 */
public final class DeviceMeasure {
  /** Bytes that lie in the directory at most. */
  public static final long BYTES_MAX = 128L << 20;

  /** The sizes of an append, bytes. */
  static final List<Integer> APPEND_BYTES = List.of(4 << 10, 64 << 10);

  /** Rounds in which every way has its turn, another one first each time. */
  static final int ROUNDS = 5;

  private static final String FOLDER = "headpond-measure-";

  /** Appends of a turn together, at most: more than what is grown ahead of them at once. */
  private static final int TURN_BYTES = 16 << 20;

  private static final int APPENDS_MAX = 1_500;
  private static final int WARM_UP = 20;

  /** A disk that turns takes few appends in this time, and its percentiles need no more. */
  private static final long TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(600);

  private static final int WRITE_BYTES = 1 << 20;
  private static final long BANDWIDTH_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Path directory;
  private final Device device;
  private final Optional<BlockCounter> counter;
  private final Consumer<String> progress;
  private final Map<String, List<Turn>> turns = new LinkedHashMap<>();
  private Path folder;

  /** The result of a turn; times in nanoseconds, sorted. */
  private record Turn(long[] nanos, OptionalLong deviceBytes) {
    double micros(double share) {
      return nanos[(int) Math.min(nanos.length - 1L, (long) (nanos.length * share))] / 1e3;
    }
  }

  /**
   * Looks at the device; measures nothing yet.
   *
   * @param directory must be writable
   * @param progress is told what is done next
   */
  public DeviceMeasure(Path directory, Consumer<String> progress) throws IOException {
    this.directory = directory.toAbsolutePath();
    this.progress = progress;
    device = Device.detect(directory);
    counter = device.blockDevice().map(name -> new BlockCounter(Path.of("/sys"), name));
  }

  /**
   * Measures.
   *
   * @throws IOException if the directory has no room for {@link #BYTES_MAX} twice, or a file of it
   *     can't be written
   */
  public DeviceFigures run() throws IOException, InterruptedException {
    long free = Files.getFileStore(directory).getUsableSpace();
    if (free < 2 * BYTES_MAX) {
      throw new IOException(
          directory + " has " + free + " B free, and a measurement needs " + 2 * BYTES_MAX);
    }
    folder = Files.createTempDirectory(directory, FOLDER);
    Thread cleaner = new Thread(this::remove, "headpond-measure-cleaner");
    Runtime.getRuntime().addShutdownHook(cleaner);
    try {
      List<Long> bandwidth = new ArrayList<>();
      for (int round = 0; round < ROUNDS; round++) {
        progress.accept(
            String.format(
                Locale.ROOT, "measuring %s: round %d of %d", directory, round + 1, ROUNDS));
        bandwidth.add(bandwidth());
        round(round);
      }
      Collections.sort(bandwidth);
      return figures(bandwidth.get(ROUNDS / 2));
    } finally {
      remove();
      Runtime.getRuntime().removeShutdownHook(cleaner);
    }
  }

  private void remove() {
    try {
      FolderRemoval.remove(folder, true);
    } catch (IOException e) {
      progress.accept(folder + " is left behind and may be deleted: " + e.getMessage());
    }
  }

  private void round(int round) throws IOException, InterruptedException {
    List<AppendWay> ways = new ArrayList<>(List.of(AppendWay.values()));
    Collections.rotate(ways, round);
    for (int bytes : APPEND_BYTES) {
      for (AppendWay way : ways) {
        if (way.worksOn(device)) {
          turn(way, bytes)
              .ifPresent(
                  turn ->
                      turns.computeIfAbsent(key(way, bytes), key -> new ArrayList<>()).add(turn));
        }
      }
    }
  }

  private static String key(AppendWay way, int bytes) {
    return way + " " + bytes;
  }

  private Optional<Turn> turn(AppendWay way, int bytes) throws IOException, InterruptedException {
    Path file = folder.resolve(way.key());
    int most = Math.min(APPENDS_MAX, TURN_BYTES / bytes);
    OptionalLong before = writtenBytes();
    try (AppendWay.Appender appender = way.open(file, device, (long) (most + WARM_UP) * bytes)) {
      return appender == null ? Optional.empty() : Optional.of(turn(appender, bytes, most, before));
    } finally {
      Files.deleteIfExists(file);
    }
  }

  /** Zeros written before the first append count for the device. */
  private Turn turn(AppendWay.Appender appender, int bytes, int most, OptionalLong before)
      throws IOException {
    ByteBuffer source = AppendWay.source(bytes);
    for (int i = 0; i < WARM_UP; i++) {
      appender.append(source.clear(), (long) i * bytes);
    }
    long[] nanos = new long[most];
    int number = 0;
    long begin = System.nanoTime();
    for (long now = begin; number < most && now - begin < TURN_NANOS; number++) {
      appender.append(source.clear(), (long) (WARM_UP + number) * bytes);
      long after = System.nanoTime();
      nanos[number] = after - now;
      now = after;
    }
    OptionalLong after = writtenBytes();
    long[] sorted = Arrays.copyOf(nanos, number);
    Arrays.sort(sorted);
    return new Turn(
        sorted,
        before.isPresent() && after.isPresent()
            ? OptionalLong.of(after.getAsLong() - before.getAsLong())
            : OptionalLong.empty());
  }

  private OptionalLong writtenBytes() {
    return counter.map(BlockCounter::writtenBytes).orElse(OptionalLong.empty());
  }

  /** Bytes per second of sequential writes, forced at the end. */
  private long bandwidth() throws IOException {
    Path file = folder.resolve("bandwidth");
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      ByteBuffer source = AppendWay.source(WRITE_BYTES);
      long begin = System.nanoTime();
      long at = 0;
      while (at < BYTES_MAX && System.nanoTime() - begin < BANDWIDTH_NANOS) {
        AppendWay.writeAll(channel, source.clear(), at);
        at += WRITE_BYTES;
        if (at % (16 * WRITE_BYTES) == 0) {
          channel.force(false); // the page cache takes any amount at once
        }
      }
      channel.force(false);
      return (long) (at * 1e9 / (System.nanoTime() - begin));
    } finally {
      Files.deleteIfExists(file);
    }
  }

  private DeviceFigures figures(long writeBytesPerSecond) {
    List<DeviceFigures.Appends> appends = new ArrayList<>();
    for (int bytes : APPEND_BYTES) {
      for (AppendWay way : AppendWay.values()) {
        List<Turn> of = turns.getOrDefault(key(way, bytes), List.of());
        if (of.size() == ROUNDS) {
          appends.add(appends(way, bytes, of, turns.get(key(AppendWay.GROWING, bytes))));
        }
      }
    }
    return new DeviceFigures(
        directory.toString(),
        device.fileSystemType(),
        device.blockDevice().orElse(null),
        device.durability().name().toLowerCase(Locale.ROOT),
        writeBytesPerSecond,
        ROUNDS,
        appends);
  }

  private static DeviceFigures.Appends appends(
      AppendWay way, int bytes, List<Turn> turns, List<Turn> growing) {
    boolean base = way == AppendWay.GROWING;
    int number = turns.stream().mapToInt(turn -> turn.nanos.length).sum();
    boolean counted = turns.stream().allMatch(turn -> turn.deviceBytes.isPresent());
    long deviceBytes = turns.stream().mapToLong(turn -> turn.deviceBytes.orElse(0)).sum();
    return new DeviceFigures.Appends(
        way.key(),
        bytes,
        number,
        Spread.of(micros(turns, 0.5)).median(),
        Spread.of(micros(turns, 0.99)).median(),
        counted ? deviceBytes / ((number + (double) ROUNDS * WARM_UP) * bytes) : null,
        base ? null : ratio(turns, growing, 0.5),
        base ? null : ratio(turns, growing, 0.99));
  }

  private static DeviceFigures.Ratio ratio(List<Turn> turns, List<Turn> base, double share) {
    Spread ratios = Spread.ofRatios(micros(turns, share), micros(base, share)).orElseThrow();
    return new DeviceFigures.Ratio(ratios.min(), ratios.median(), ratios.max());
  }

  private static double[] micros(List<Turn> turns, double share) {
    return turns.stream().mapToDouble(turn -> turn.micros(share)).toArray();
  }
}
