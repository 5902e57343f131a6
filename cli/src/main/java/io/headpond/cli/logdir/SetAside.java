// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import io.headpond.store.layout.HomeIdentity.TierRef;
import io.headpond.store.layout.NameLook;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * The place of files that are taken out of a log and not deleted. What lies at home becomes a file
 * of the log directory itself, beside the partition directories: Kafka passes over files there, but
 * refuses to start on a directory that isn't a partition's, and a rename needs no space. What lies
 * in a tier goes to that tier's quarantine.
 */
final class SetAside {
  /** Prefix of the names at home. */
  private static final String PREFIX = "headpond-aside.";

  /** Longest part of a name that is taken from the partition; names end at 255 bytes. */
  private static final int PARTITION_BYTES_MAX = 180;

  private final Path logDir;
  private final UUID home;
  private final LogDirChanges changes;
  private final List<Path> files = new ArrayList<>();
  private long nowMs;

  /**
   * @param nowMs milliseconds since 1970, which the names begin with
   */
  SetAside(Path logDir, UUID home, LogDirChanges changes, long nowMs) {
    this.logDir = logDir;
    this.home = home;
    this.changes = changes;
    this.nowMs = nowMs;
  }

  /** The files that lie in a log directory since a former command. */
  static List<Path> in(Path logDir) throws IOException {
    List<Path> found = new ArrayList<>(NameLook.list(logDir));
    found.removeIf(file -> !file.getFileName().toString().startsWith(PREFIX));
    found.sort(null);
    return found;
  }

  /** The files as they are named now. */
  List<Path> files() {
    return files;
  }

  /**
   * Takes a file out of a partition directory. One behind a link may lie on another file system,
   * where a rename wouldn't be one: there it becomes a file beside that directory.
   */
  void fromHome(Path file) throws IOException {
    Path directory = file.getParent();
    boolean linked = NameLook.isLink(directory);
    Path place = linked ? directory.toRealPath().getParent() : logDir;
    String partition = TierLoss.logName(directory);
    while (partition.getBytes(StandardCharsets.UTF_8).length > PARTITION_BYTES_MAX) {
      partition = partition.substring(0, partition.offsetByCodePoints(partition.length(), -1));
    }
    Path name;
    do {
      name = place.resolve(PREFIX + nowMs + "." + partition + "." + file.getFileName());
    } while (taken(name));
    changes.rename(file, name);
    if (linked) {
      changes.force(place);
    }
    files.add(name);
  }

  /** Takes a file out of the segments of a tier. */
  void fromTier(TierRef tier, Path file) throws IOException {
    Path quarantine = tier.quarantine(home);
    changes.makeDirectory(quarantine.getParent(), file.getParent());
    changes.makeDirectory(quarantine, file.getParent());
    changes.force(quarantine.getParent());
    changes.force(quarantine.getParent().getParent());
    Path name;
    do {
      name = quarantine.resolve(nowMs + "." + file.getFileName());
    } while (taken(name));
    changes.rename(file, name);
    changes.force(quarantine);
    files.add(name);
  }

  /** A rename would replace what has the name, so another one is tried then. */
  private boolean taken(Path name) throws IOException {
    boolean taken = NameLook.exists(name);
    nowMs += taken ? 1 : 0;
    return taken;
  }
}
