// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut;

import io.headpond.harness.process.FolderRemoval;
import io.headpond.torture.powercut.disk.ForgettingDisk;
import io.headpond.torture.powercut.disk.Forgotten;
import io.headpond.torture.powercut.disk.NbdServer;
import io.headpond.torture.powercut.disk.Standstill;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/**
 * The disks of a {@link Guest} from power on to power off. Their images stay from boot to boot. One
 * thread.
 */
final class Disks implements AutoCloseable {
  /** So many requests ahead they stand still at most; halved up to so many times. */
  private static final int REQUESTS_AHEAD_MAX = 64;

  private static final int AHEAD_HALVED_MAX = 6;

  /** One moment of so many isn't aimed at: then a cache may hold nothing. */
  private static final int BY_CHANCE = 4;

  /** Nobody may write: then the guest stops at any moment. */
  private static final long AIM_NANOS_MAX = TimeUnit.SECONDS.toNanos(1);

  private final Path images;

  private final boolean eager;
  private final SplittableRandom random;
  private final Standstill standstill = new Standstill();

  /** Of the servers, whose paths must be short; null: the disks forget nothing. */
  private final Path sockets;

  /** Mends what no file system survives. */
  private final HostPrograms host;

  private final Map<String, Served> served = new LinkedHashMap<>();
  private final List<String> commitsDropped = new ArrayList<>();
  private Forgotten forgotten = Forgotten.NOTHING;

  /** A disk that forgets, and its connection to the guest. */
  private record Served(ForgettingDisk disk, NbdServer server) {}

  private Disks(
      Path images, Path sockets, boolean eager, SplittableRandom random, HostPrograms host) {
    this.images = images;
    this.host = host;
    this.sockets = sockets;
    this.eager = eager;
    this.random = random;
  }

  /**
   * Powers them on.
   *
   * @param images the folder of the images, which have the disks' names
   * @param seed of a boot: what the disks forget follows from it
   */
  static Disks powerOn(
      Path images, Machine machine, long seed, Iterable<String> names, HostPrograms host)
      throws IOException {
    if (machine.disk() == Disk.KEEPS) {
      return new Disks(images, null, false, null, host);
    }
    SplittableRandom seeds = new SplittableRandom(seed);
    Path sockets = Files.createTempDirectory("headpond-disks-");
    Disks disks = new Disks(images, sockets, seeds.nextBoolean(), seeds, host);
    try {
      for (String name : names) {
        ForgettingDisk disk =
            new ForgettingDisk(
                images.resolve(name), seeds.nextLong(), machine.fileSystem().blockBytes());
        disks.served.put(
            name, new Served(disk, new NbdServer(disk, disks.standstill, sockets.resolve(name))));
      }
    } catch (IOException e) {
      disks.close();
      throw e;
    }
    return disks;
  }

  /**
   * True if the guest's kernel should send what it has in its page cache soon, and not only when
   * asked: else few writes are in a disk's cache at a cut.
   */
  boolean eager() {
    return eager;
  }

  /** The part of QEMU's {@code -drive} that says what is behind a disk. */
  String drive(String name) {
    return sockets == null
        ? "file=" + images.resolve(name) + ",cache=writeback"
        : "file=nbd:unix:" + sockets.resolve(name) + ":exportname=" + name + ",cache=writeback";
  }

  /**
   * Makes a file of what a cut now would leave of a disk that forgets, while the guest stands
   * still.
   */
  Forgotten copyAsIfCut(String name, Path copy) throws IOException {
    return served.get(name).disk.copyAsIfCut(copy);
  }

  /**
   * Lets them stand still soon, while writes aren't flushed, until they are told to {@linkplain
   * #goOn go on}; nothing by chance, or if they forget nothing, or nobody writes for a while.
   *
   * @return true if they stand still
   */
  boolean stopAmidWrites() throws InterruptedException {
    if (!forget() || random.nextInt(BY_CHANCE) == 0) {
      return false;
    }
    int most = REQUESTS_AHEAD_MAX >> random.nextInt(AHEAD_HALVED_MAX + 1);
    standstill.aim(1 + random.nextInt(most));
    return standstill.await(AIM_NANOS_MAX);
  }

  /** Lets them go on if they stand still. */
  void goOn() {
    standstill.end();
  }

  /** True if a copy of the images isn't what a cut would leave. */
  boolean forget() {
    return sockets != null;
  }

  /** Lost and torn when the power went; nothing before. */
  Forgotten forgotten() {
    return forgotten;
  }

  /** The names of those whose journal's last commit the cut has torn. */
  List<String> commitsDropped() {
    return commitsDropped;
  }

  /**
   * Cuts their power, after the guest's; nothing if it was cut before. A superblock that the cut
   * tore is mended, and a commit of a journal dropped: the guest has no tool for it.
   */
  @Override
  public void close() throws IOException {
    standstill.endWithoutPower();
    for (Served each : served.values()) {
      try (ForgettingDisk disk = each.disk) {
        each.server.close();
        forgotten = forgotten.plus(disk.cut());
      }
    }
    for (String name : served.keySet()) {
      if (mend(images.resolve(name))) {
        commitsDropped.add(name);
      }
    }
    served.clear();
    if (sockets != null) {
      FolderRemoval.remove(sockets, true);
    }
  }

  private boolean mend(Path image) throws IOException {
    if (Ext4Superblock.find(image, 0, Files.size(image)).isEmpty()) {
      return false;
    }
    try {
      Ext4Superblock.mend(image, 0, host);
      return Ext4Journal.mend(image, 0, host);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while " + image + " was mended");
    }
  }
}
