// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper.ledger;

import io.headpond.store.SimulatedDisks;
import io.headpond.store.SimulatedDisks.Cut;
import io.headpond.store.layout.CopySteps;
import io.headpond.store.layout.DirectoryForce;
import io.headpond.store.layout.SegmentMove;
import io.headpond.store.tier.Quarantine;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.bookkeeper.conf.ServerConfiguration;

/**
 * Entry logs on simulated devices: created in both places, made durable before they count, moved
 * home, removed, written by a compaction, and cleared up after a power cut. At every instant a cut
 * leaves every log that counts, whole, and no name that leads nowhere.
 */
public final class PlacesRun implements AutoCloseable {
  private static final int STEPS = 16;
  private static final int BYTES_MAX = 3_000;
  private static final int LOOK_ONE_IN = 3;

  /** Of a log's header: where its map of ledgers begins; not zero once the map is whole. */
  private static final int MAP_AT = 8;

  private static final int ENTRIES_AT = MAP_AT + Long.BYTES + Integer.BYTES;
  private static final long NONE = -1;

  private final SimulatedDisks disks = new SimulatedDisks();
  private final Random script;
  private final Random power;
  private final Path ledgers;
  private final Path fast;
  private final Map<Long, byte[]> counting = new TreeMap<>();

  private EntryLogPlaces places;
  private AssertionError lost;
  private long looks;
  private long next;

  /** The log that a compaction is just sealing. */
  private long sealing = NONE;

  public PlacesRun(final long seed) throws IOException {
    script = new Random(seed);
    power = new Random(seed);
    ledgers = disks.device("ledgers", false);
    fast = disks.device("fast", false);
    Files.createDirectory(home());
    DirectoryForce.forceNow(ledgers);
  }

  public SimulatedDisks disks() {
    return disks;
  }

  /** Power cuts that were looked at. */
  long looks() {
    return looks;
  }

  /**
   * Plays it.
   *
   * @throws AssertionError if a cut would have taken what counts
   */
  public void play() throws IOException {
    disks.look(this::look);
    try {
      places = EntryLogPlaces.open(ledgers, fast);
      for (int i = 0; i < STEPS && lost == null; i++) {
        step();
      }
    } finally {
      disks.look(() -> {});
    }
    if (lost != null) {
      throw lost;
    }
  }

  private void step() throws IOException {
    final List<Long> onFast = new ArrayList<>();
    for (final EntryLogPlaces.Log log : places.fastLogs()) {
      if (counting.containsKey(log.id())) {
        onFast.add(log.id());
      }
    }
    switch (script.nextInt(8)) {
      case 0, 1, 2 -> create(script.nextInt(4) > 0);
      case 3, 4 -> {
        if (!onFast.isEmpty()) {
          move(onFast.get(0));
        }
      }
      case 5 -> remove();
      case 6 -> {
        if (script.nextBoolean()) {
          compact();
        } else {
          compactAsTransaction();
        }
      }
      default -> startAgain();
    }
  }

  /** As BookKeeper: the file first, its bytes forced by a flush, before the entries are indexed. */
  private void create(final boolean onFast) throws IOException {
    final long id = next++;
    final byte[] content = new byte[100 + script.nextInt(BYTES_MAX)];
    script.nextBytes(content);
    final Path file = onFast ? places.fastFile(id) : places.name(id);
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      places.link(id);
      channel.write(ByteBuffer.wrap(content), 0);
      channel.force(false);
    }
    places.forceNames();
    counting.put(id, content);
  }

  private void move(final long id) throws IOException {
    final Path copy =
        SegmentMove.copyHome(
            places.name(id),
            places.fastFile(id),
            counting.get(id).length,
            new CopySteps(() -> 0),
            bytes -> {});
    places.publishHome(id, copy);
    if (script.nextInt(3) == 0) {
      recover(); // killed before the rest: what wasn't forced is in the page cache still
    } else {
      places.dropFastFile(id);
    }
  }

  private void recover() throws IOException {
    places = EntryLogPlaces.open(ledgers, fast);
    places.recover(System.currentTimeMillis() + Quarantine.GRACE.toMillis());
  }

  private void remove() throws IOException {
    if (counting.isEmpty()) {
      return;
    }
    final long id = counting.keySet().iterator().next();
    counting.remove(id);
    if (places.leadsToFast(id) && script.nextBoolean()) {
      Files.delete(places.name(id)); // by an earlier removal, which has left the file
      remove(id, places.fastFile(id));
    } else {
      remove(id, places.name(id));
    }
  }

  private void remove(final long id, final Path file) {
    places.remove(
        id,
        () -> {
          try {
            Files.delete(file);
            return true;
          } catch (final IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  private void compact() throws IOException {
    final long id = next++;
    final Path file = places.name(id);
    final var log = new CompactedLog(id, file, new ServerConfiguration(), ByteBufAllocator.DEFAULT);
    places.link(id);
    for (int i = 0; i < 3; i++) {
      final byte[] entry = new byte[100 + script.nextInt(BYTES_MAX)];
      script.nextBytes(entry);
      log.add(i, Unpooled.wrappedBuffer(entry));
    }
    log.force();
    places.forceNames();
    counting.put(id, visible(id));
    sealing = id;
    log.seal();
    sealing = NONE;
    counting.put(id, visible(id));
  }

  /** As BookKeeper: the log is forced, gets its name, and the index leads there. */
  private void compactAsTransaction() throws IOException {
    final long id = next++;
    final byte[] content = new byte[100 + script.nextInt(BYTES_MAX)];
    script.nextBytes(content);
    final Path file = home().resolve(Long.toHexString(id) + ".log.compacting");
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap(content), 0);
      channel.force(false);
    }
    Files.move(file, places.name(id), StandardCopyOption.ATOMIC_MOVE);
    places.complete(id, 0);
    counting.put(id, content);
  }

  private void startAgain() throws IOException {
    final Cut cut = disks.cut(power);
    judge(cut);
    if (lost != null) {
      return;
    }
    disks.look(() -> {});
    cut.restore();
    disks.look(this::look);
    recover();
  }

  private void look() {
    if (lost == null && power.nextInt(LOOK_ONE_IN) == 0) {
      looks++;
      judge(disks.cut(power));
    }
  }

  private void judge(final Cut cut) {
    final List<Path> nowhere = cut.linksToNowhere(home());
    if (!nowhere.isEmpty()) {
      lost = new AssertionError("names that lead nowhere: " + nowhere);
    }
    counting.forEach(
        (id, content) -> {
          final byte[] there = cut.read(home().resolve(Long.toHexString(id) + ".log"));
          if (there == null) {
            lost = new AssertionError("log " + id + " is gone");
          } else if (!sameBytes(id, content, there)) {
            lost = new AssertionError("log " + id + " has other bytes");
          }
        });
  }

  /** The header of a log that is being sealed leads to its map when all of that is durable. */
  private boolean sameBytes(final long id, final byte[] content, final byte[] there) {
    if (id != sealing) {
      return Arrays.equals(content, there);
    }
    if (there.length < content.length) {
      return false;
    }
    final boolean leads = ByteBuffer.wrap(there).getLong(MAP_AT) != 0;
    final byte[] now = visible(id);
    final int end = leads ? now.length : content.length;
    return there.length >= end && Arrays.equals(there, ENTRIES_AT, end, now, ENTRIES_AT, end);
  }

  private byte[] visible(final long id) {
    return disks.visible(home()).get(Long.toHexString(id) + ".log");
  }

  private Path home() {
    return ledgers.resolve(EntryLogPlaces.CURRENT);
  }

  @Override
  public void close() throws IOException {
    disks.close();
  }
}
