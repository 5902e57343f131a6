// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import io.headpond.pmem.Device;
import io.headpond.store.layout.HomeIdentity;
import io.headpond.store.layout.HomeIdentity.TierRef;
import io.headpond.store.layout.SpareFile;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Locale;

/**
 * One tier directory as {@code status} shows it; for JSON. What couldn't be read is null.
 *
 * @param path the directory
 * @param problem why it can't be used; null if it can
 * @param fileSystem its file system's type
 * @param blockDevice its block device
 * @param durability {@code durable}, {@code ephemeral}, {@code unknown}, {@code emulated}, {@code
 *     volatile}
 * @param explanation why
 * @param segments tier files of all log directories that use it
 * @param segmentBytes their physical length
 * @param poolBytes files kept for reuse
 * @param quarantineFiles files in quarantine
 * @param quarantineBytes their length
 * @param fileSystemFreeBytes what the file system has left
 * @param fileSystemBytes the file system's size
 */
record TierUse(
    String path,
    String problem,
    String fileSystem,
    String blockDevice,
    String durability,
    String explanation,
    long segments,
    long segmentBytes,
    long poolBytes,
    long quarantineFiles,
    long quarantineBytes,
    Long fileSystemFreeBytes,
    Long fileSystemBytes) {

  static TierUse of(TierRef tier) throws IOException {
    Path path = tier.path();
    String problem = KnownTiers.fault(tier).map(Finding::detail).orElse(null);
    if (problem != null) {
      return new TierUse(
          path.toString(), problem, null, null, null, null, 0, 0, 0, 0, 0, null, null);
    }
    FileTotal segments = FileTotal.ofSegments(path);
    FileTotal pool = FileTotal.below(path.resolve("pool"));
    FileTotal quarantine = FileTotal.below(HomeIdentity.quarantine(path));
    FileStore store = Files.getFileStore(path);
    String silence = DeviceAnswer.silence(path).orElse(null);
    Device device = silence == null ? device(path) : null;
    return new TierUse(
        path.toString(),
        silence == null ? null : "it " + silence + "; " + DeviceAnswer.FROZEN,
        store.type(),
        device == null ? null : device.blockDevice().orElse(null),
        device == null ? null : device.durability().name().toLowerCase(Locale.ROOT),
        device == null ? "not writable by this user, so not looked at" : device.explanation(),
        segments.count,
        segments.bytes,
        pool.bytes,
        quarantine.count,
        quarantine.bytes,
        store.getUsableSpace(),
        store.getTotalSpace());
  }

  long usedBytes() {
    return segmentBytes + poolBytes;
  }

  /** Finding out writes a small file there, which only the engine's user may; null for others. */
  static Device device(Path path) {
    try {
      return Device.detect(path);
    } catch (IOException notWritable) {
      return null;
    }
  }

  /** Number and bytes of the regular files below a directory. */
  static final class FileTotal extends SimpleFileVisitor<Path> {
    private final boolean ofSegments;
    private long count;
    long bytes;

    private FileTotal(boolean ofSegments) {
      this.ofSegments = ofSegments;
    }

    boolean isEmpty() {
      return count == 0;
    }

    static FileTotal below(Path directory) throws IOException {
      return new FileTotal(false).walk(directory);
    }

    /** Those of a tier's segments; a spare, which is there before its segment, isn't one. */
    static FileTotal ofSegments(Path tier) throws IOException {
      return new FileTotal(true).walk(HomeIdentity.segments(tier));
    }

    private FileTotal walk(Path directory) throws IOException {
      if (Files.isDirectory(directory)) {
        Files.walkFileTree(directory, this);
      }
      return this;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      if (ofSegments && SpareFile.is(file)) {
        return FileVisitResult.CONTINUE;
      }
      count++;
      bytes += attributes.size();
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException goneMeanwhile) {
      return FileVisitResult.CONTINUE;
    }
  }
}
