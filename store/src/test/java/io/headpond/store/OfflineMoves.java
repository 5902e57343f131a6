// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import io.headpond.store.layout.DirectoryForce;
import io.headpond.store.layout.SegmentMove;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * A segment that is moved home and into a tier while no engine runs, as {@code headpond drain} and
 * {@code headpond migrate} do, on simulated devices. At every instant a power cut leaves a name
 * that leads to all of its bytes.
 */
final class OfflineMoves implements AutoCloseable {
  private static final int ROUNDS = 3;
  private static final int BYTES_MAX = 9_000;
  private static final String NAME = "00000000000000000000.log";

  private final Random random;
  private final ModelDisk disk = new ModelDisk();
  private final Path root;
  private final Path home;
  private final Path tier;
  private final Path name;
  private final byte[] content;
  private AssertionError lost;
  private long looks;

  OfflineMoves(final long seed) throws IOException {
    random = new Random(seed);
    root = Files.createTempDirectory("headpond-moves").toRealPath();
    final Path kernel = Files.createDirectory(root.resolve("kernel"));
    final ModelFileSystem fileSystem = new ModelFileSystem(disk, kernel);
    home = fileSystem.wrap(device("home"));
    tier = fileSystem.wrap(device("tier"));
    name = home.resolve("t-0").resolve(NAME);
    content = new byte[1 + random.nextInt(BYTES_MAX)];
    random.nextBytes(content);
  }

  private Path device(final String name) throws IOException {
    final Path folder = Files.createDirectory(root.resolve(name));
    disk.add(folder, false);
    return folder;
  }

  ModelDisk disk() {
    return disk;
  }

  /** Power cuts that were looked at. */
  long looks() {
    return looks;
  }

  /**
   * Moves it to and fro.
   *
   * @throws AssertionError if a power cut would have lost it
   */
  void play(final ModelDisk.Defect defect) throws IOException {
    Files.createDirectory(name.getParent());
    DirectoryForce.forceNow(home);
    Path at = tier.resolve("first.log");
    try (FileChannel channel =
        FileChannel.open(at, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap(content), 0);
      channel.force(true);
    }
    DirectoryForce.forceNow(tier);
    Files.createSymbolicLink(name, at);
    DirectoryForce.forceNow(name.getParent());
    disk.plant(defect);
    disk.listen(this::look);
    for (int round = 0; round < ROUNDS && lost == null; round++) {
      SegmentMove.home(name, at, content.length, bytes -> {});
      Files.delete(at);
      at = tier.resolve(round + ".log");
      SegmentMove.tier(name, name, at, content.length, bytes -> {});
    }
    disk.listen(() -> {});
    if (lost != null) {
      throw lost;
    }
  }

  private void look() {
    if (lost != null) {
      return;
    }
    looks++;
    final ModelImage image = disk.cut(random);
    final List<ModelImage.Entry> found =
        image.below(ModelPath.real(home)).stream()
            .filter(entry -> entry.path().endsWith(NAME))
            .toList();
    if (found.isEmpty()) {
      lost = new AssertionError("the name is gone");
    } else if (image.read(found.get(0)) == null) {
      lost = new AssertionError("the name leads to " + found.get(0).link() + ", which isn't there");
    } else if (!Arrays.equals(image.read(found.get(0)), content)) {
      lost = new AssertionError("the name leads to other bytes");
    }
  }

  @Override
  public void close() throws IOException {
    disk.close();
    StoreFixture.remove(root);
  }
}
