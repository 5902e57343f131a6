// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut;

import io.headpond.harness.process.FolderRemoval;
import io.headpond.torture.powercut.disk.ForgettingDisk;
import io.headpond.torture.powercut.disk.Forgotten;
import io.headpond.torture.powercut.disk.NbdServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * The disks of a {@link Guest} from power on to power off. Their images stay from boot to boot. One
 * thread.
 */
final class Disks implements AutoCloseable {
  private final Path images;

  private final boolean eager;

  /** Of the servers, whose paths must be short; null: the disks forget nothing. */
  private final Path sockets;

  private final Map<String, Served> served = new LinkedHashMap<>();
  private Forgotten forgotten = Forgotten.NOTHING;

  /** A disk that forgets, and its connection to the guest. */
  private record Served(ForgettingDisk disk, NbdServer server) {}

  private Disks(Path images, Path sockets, boolean eager) {
    this.images = images;
    this.sockets = sockets;
    this.eager = eager;
  }

  /**
   * Powers them on.
   *
   * @param images the folder of the images, which have the disks' names
   * @param seed of a boot: what the disks forget follows from it
   */
  static Disks powerOn(Path images, Disk kind, long seed, Iterable<String> names)
      throws IOException {
    if (!kind.forgets()) {
      return new Disks(images, null, false);
    }
    SplittableRandom seeds = new SplittableRandom(seed);
    Path sockets = Files.createTempDirectory("headpond-disks-");
    Disks disks = new Disks(images, sockets, seeds.nextBoolean());
    try {
      for (String name : names) {
        ForgettingDisk disk = new ForgettingDisk(images.resolve(name), seeds.nextLong());
        disks.served.put(name, new Served(disk, new NbdServer(disk, sockets.resolve(name))));
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

  /** True if a copy of the images isn't what a cut would leave. */
  boolean forget() {
    return sockets != null;
  }

  /** Lost and torn when the power went; nothing before. */
  Forgotten forgotten() {
    return forgotten;
  }

  /** Cuts their power, after the guest's; nothing if it was cut before. */
  @Override
  public void close() throws IOException {
    for (Served each : served.values()) {
      try (ForgettingDisk disk = each.disk) {
        each.server.close();
        forgotten = forgotten.plus(disk.cut());
      }
    }
    served.clear();
    if (sockets != null) {
      FolderRemoval.remove(sockets, true);
    }
  }
}
