// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.layout;

import io.headpond.store.event.Events;
import io.headpond.store.event.StoreRefusedException;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * The scan of a log directory's segments by partition directory, plain or linked. It changes
 * nothing. Safe beside a live engine; what vanishes meanwhile is left out.
 */
public final class LogDirScan {
  /** The folder in an ext file system's root, which only root may list: mkfs makes it. */
  public static final String LOST_AND_FOUND = "lost+found";

  private LogDirScan() {}

  /**
   * One name of a segment.
   *
   * @param partition the partition directory's name
   * @param name the segment's path in the log directory
   * @param target what the link says, absolute, or null for a plain file
   * @param bytes physical length; -1 if the link dangles or leads to no regular file
   * @param modifiedMs when the file was last written to, milliseconds since 1970
   */
  public record Entry(String partition, Path name, Path target, long bytes, long modifiedMs) {
    /** True for a link into a tier. */
    public boolean linked() {
      return target != null;
    }

    /** True if the link leads nowhere. */
    public boolean dangling() {
      return bytes < 0;
    }

    /** True if a dangling link must be taken for lost data. */
    public boolean lost() {
      return dangling() && !SegmentName.mayDangle(partition, name.getFileName().toString());
    }

    /** The file that is authoritative for the segment. */
    public Path file() {
      return target == null ? name : target;
    }
  }

  /** Takes what the scan finds. */
  @FunctionalInterface
  public interface Visitor {
    /** Called once for each segment name, partition by partition. */
    void segment(Entry entry) throws IOException;
  }

  /**
   * The partition directories, in the order of their names; also those behind a link, which an
   * engine follows.
   */
  public static List<Path> partitions(final Path logDir) throws IOException {
    final List<Path> found = new ArrayList<>();
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(logDir)) {
      for (final Path path : stream) {
        if (NameLook.isDirectory(path)) {
          found.add(path);
        }
      }
    } catch (final DirectoryIteratorException e) {
      throw e.getCause();
    }
    found.sort(null);
    return found;
  }

  /**
   * The segments of one partition directory, in the order of their names, that is of their base
   * offsets.
   */
  public static List<Entry> segments(final Path partition) throws IOException {
    return entries(partition, SegmentName::matches);
  }

  /** The files of a directory whose names are wanted, in the order of those. */
  public static List<Entry> entries(final Path directory, final Predicate<String> wanted)
      throws IOException {
    final List<Entry> found = new ArrayList<>();
    try (DirectoryStream<Path> stream =
        Files.newDirectoryStream(directory, path -> wanted.test(path.getFileName().toString()))) {
      for (final Path name : stream) {
        final Entry entry = entry(directory, name);
        if (entry != null) {
          found.add(entry);
        }
      }
    } catch (final NoSuchFileException goneMeanwhile) {
      return List.of();
    } catch (final DirectoryIteratorException e) {
      throw e.getCause();
    }
    found.sort((a, b) -> a.name().compareTo(b.name()));
    return found;
  }

  /** Visits every segment below a log directory. */
  public static void scan(final Path logDir, final Visitor visitor) throws IOException {
    for (final Path partition : partitions(logDir)) {
      for (final Entry entry : segments(partition)) {
        visitor.segment(entry);
      }
    }
  }

  /**
   * The copies that interrupted moves have left, in the log directory and in its tiers as far as
   * they are there: they never were authoritative.
   */
  public static List<Path> unfinishedMoves(final Path logDir) throws IOException {
    final List<Path> directories = new ArrayList<>(partitions(logDir));
    // Nothing is moved there.
    directories.removeIf(path -> path.getFileName().toString().equals(LOST_AND_FOUND));
    directories.add(0, logDir);
    try {
      HomeIdentity.read(logDir)
          .ifPresent(home -> home.tiers().forEach(t -> directories.add(t.segments(home.id()))));
    } catch (final StoreRefusedException damaged) {
      Events.LOG.debug("{}: its tiers are not known", logDir, damaged);
    }
    final List<Path> found = new ArrayList<>();
    for (final Path directory : directories) {
      try (DirectoryStream<Path> stream =
          Files.newDirectoryStream(
              directory, path -> SegmentMove.isTemporary(path.getFileName().toString()))) {
        stream.forEach(found::add);
      } catch (final NoSuchFileException goneMeanwhile) {
        continue;
      } catch (final DirectoryIteratorException e) {
        throw e.getCause();
      }
    }
    return found;
  }

  /**
   * The entry of a segment as it is at one moment, also while it is being moved.
   *
   * @return null: it was deleted meanwhile
   */
  private static Entry entry(final Path partition, final Path name) throws IOException {
    final String partitionName = partition.getFileName().toString();
    while (true) {
      final BasicFileAttributes own = NameLook.itself(name);
      if (own == null) {
        return null;
      }
      if (!own.isSymbolicLink()) {
        return new Entry(partitionName, name, null, own.size(), own.lastModifiedTime().toMillis());
      }
      final Path target = NameLook.target(name);
      final BasicFileAttributes file = target == null ? null : NameLook.itself(target);
      if (file != null) {
        // A tier file is a regular file; a chain of links is not ours to follow.
        return new Entry(
            partitionName,
            name,
            target,
            file.isRegularFile() ? file.size() : -1,
            file.lastModifiedTime().toMillis());
      }
      if (target != null && target.equals(NameLook.target(name))) {
        return new Entry(partitionName, name, target, -1, 0); // it leads nowhere
      }
    }
  }
}
