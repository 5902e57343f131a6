// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A mount table and a sysfs that are made up in a folder, and a directory on what they describe.
 */
final class FakeKernel implements AutoCloseable {
  private static final int ROOT_ID = 27;

  private final Path folder;
  private final Path sysfs;
  private final Path mountInfo;
  private final Path directory;
  private final List<Path> points = new ArrayList<>();

  FakeKernel() throws IOException {
    folder = Folders.onDisk().toRealPath();
    sysfs = Files.createDirectories(folder.resolve("sys"));
    mountInfo = folder.resolve("mountinfo");
    directory = Files.createDirectories(folder.resolve("mnt/fast tier-ü"));
    mount("254:0", Path.of("/"), "ext4");
  }

  @Override
  public void close() throws IOException {
    Folders.delete(folder);
  }

  /** The directory that is examined. */
  Path directory() {
    return directory;
  }

  /** A folder or file beside it. */
  Path beside(String name) {
    return folder.resolve(name);
  }

  void mount(String majorMinor, Path at, String type) throws IOException {
    mount(majorMinor, at, type, "/dev/x", "rw");
  }

  void mount(String majorMinor, Path at, String type, String source, String options)
      throws IOException {
    String line =
        (ROOT_ID + points.size())
            + " "
            + (ROOT_ID + covering(at))
            + " "
            + majorMinor
            + " / "
            + at.toString().replace(" ", "\\040")
            + " rw,relatime shared:1 - "
            + type
            + " "
            + source
            + " "
            + options
            + "\n";
    points.add(at);
    Files.writeString(
        mountInfo,
        (Files.exists(mountInfo) ? Files.readString(mountInfo) : "") + line,
        StandardCharsets.UTF_8);
  }

  /** The index of the mount that is seen at a path, which the next one there is mounted on. */
  private int covering(Path at) {
    int best = -1;
    for (int i = 0; i < points.size(); i++) {
      if (at.startsWith(points.get(i))
          && (best < 0 || points.get(i).getNameCount() >= points.get(best).getNameCount())) {
        best = i;
      }
    }
    return best;
  }

  /** A block device, as the kernel lays them out; answers its folder. */
  Path block(String majorMinor, String pathInDevices) throws IOException {
    Path device = Files.createDirectories(sysfs.resolve("devices").resolve(pathInDevices));
    link("dev/block/" + majorMinor, device);
    link("class/block/" + device.getFileName(), device);
    return device;
  }

  /** A disk whose write cache is flushed by a force. */
  Path disk(String majorMinor, String pathInDevices) throws IOException {
    Path device = block(majorMinor, pathInDevices);
    attribute(pathInDevices + "/queue/write_cache", "write back");
    return device;
  }

  void link(String name, Path target) throws IOException {
    Path link = sysfs.resolve(name);
    Files.createDirectories(link.getParent());
    Files.createSymbolicLink(link, target);
  }

  void attribute(String file, String text) throws IOException {
    Path path = sysfs.resolve("devices").resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text + "\n");
  }

  /** What the kernel says of the thread that commits an ext4's journal. */
  void journalTask(String device, String text) throws IOException {
    Path path = sysfs.resolve("fs/ext4").resolve(device).resolve("journal_task");
    Files.createDirectories(path.getParent());
    Files.writeString(path, text + "\n");
  }

  Device detect(boolean syncMapWorks) throws IOException {
    return Device.detect(
        directory,
        sysfs,
        mountInfo,
        new SyncMapProbe() {
          @Override
          boolean succeeds(Path ignored) {
            return syncMapWorks;
          }
        });
  }
}
