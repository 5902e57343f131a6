// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import io.headpond.cli.console.CommandFailure;
import io.headpond.store.layout.HomeIdentity;
import io.headpond.store.layout.HomeIdentity.TierRef;
import io.headpond.store.layout.LogDirScan;
import io.headpond.store.layout.SegmentName;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The loss of a tier that is gone for good, and its repair in a log directory: every partition that
 * has lost a segment is removed as a whole, so that its followers bring it back from another
 * replica. A partition with a hole would be served as if the records had never been there.
 *
 * <p>The caller holds the log directory's lock.
 */
final class TierLoss {
  private static final String METADATA = "__cluster_metadata-";
  private static final String CLEAN_SHUTDOWN_FILE = ".kafka_cleanshutdown";

  // Kafka's names: topic-0, topic-0.HEX-delete, topic-0.HEX-future, topic-0.HEX-stray.
  private static final Pattern PARTITION =
      Pattern.compile("(.+)-(\\d+)(?:\\.[^.]+-(?:delete|future|stray))?");

  private final Path logDir;
  private final HomeIdentity identity;
  private final String tierName;
  private final List<TierRef> forgotten = new ArrayList<>();
  private final List<Partition> partitions = new ArrayList<>();
  // Links of segments that the engine was deleting: nothing is lost with them.
  private final List<Path> deletedLinks = new ArrayList<>();

  TierLoss(Path logDir, HomeIdentity identity, String tierName) {
    this.logDir = logDir;
    this.identity = identity;
    this.tierName = tierName;
  }

  /**
   * A partition directory that has lost something.
   *
   * @param directory its path
   * @param topic the topic's name
   * @param number the partition's number
   * @param lost segments whose files are gone
   * @param kept segments that are still there, and go with the partition
   * @param keptBytes their length
   */
  record Partition(
      Path directory, String topic, int number, List<Path> lost, List<Path> kept, long keptBytes) {
    String name() {
      return topic + "-" + number;
    }
  }

  /** Finds what is lost. Changes nothing. */
  void plan() throws IOException {
    List<TierRef> named =
        identity.tiers().stream().filter(tier -> tier.tier().equals(tierName)).toList();
    if (named.isEmpty()) {
      List<String> names = identity.tiers().stream().map(TierRef::tier).distinct().toList();
      throw new CommandFailure(
          logDir + " has no tier " + tierName, "it has: " + String.join(", ", names));
    }
    for (TierRef tier : named) {
      if (TierCheck.wrong(tier).isPresent()) {
        forgotten.add(tier);
      }
    }
    TierCheck tiers = TierCheck.of(logDir, finding -> {});
    for (Path directory : LogDirScan.partitions(logDir)) {
      partition(directory, tiers);
    }
    if (forgotten.isEmpty() && partitions.isEmpty()) {
      throw new CommandFailure(
          "tier " + tierName + " is there, and no segment in it is lost",
          "bring it home instead: headpond drain '" + logDir + "' --tier " + tierName);
    }
    for (Partition partition : partitions) {
      if (partition.directory().getFileName().toString().startsWith(METADATA)) {
        throw new CommandFailure(
            partition.directory()
                + " has lost segments: the cluster's metadata log is never removed",
            "restore the tier or the log directory from a backup, or reformat this node as"
                + " Kafka's documentation says for a lost controller disk");
      }
    }
  }

  private void partition(Path directory, TierCheck tiers) throws IOException {
    String name = directory.getFileName().toString();
    Matcher matcher = PARTITION.matcher(name);
    if (!matcher.matches()) {
      return;
    }
    List<Path> lost = new ArrayList<>();
    List<Path> kept = new ArrayList<>();
    long keptBytes = 0;
    for (LogDirScan.Entry segment : LogDirScan.segments(directory)) {
      Optional<TierRef> tier = segment.linked() ? tiers.tierOf(segment.target()) : Optional.empty();
      boolean here = tier.isPresent() && tier.get().tier().equals(tierName);
      // A tier directory that isn't the right one holds none of it, whatever a file there is named.
      boolean gone = here && (segment.dangling() || forgotten.contains(tier.get()));
      if (gone && SegmentName.mayDangle(name, segment.name().getFileName().toString())) {
        deletedLinks.add(segment.name());
      } else if (gone) {
        lost.add(segment.name());
      } else if (!segment.dangling()) {
        kept.add(segment.file());
        keptBytes += segment.bytes();
      }
    }
    if (!lost.isEmpty()) {
      int number = Integer.parseInt(matcher.group(2));
      partitions.add(new Partition(directory, matcher.group(1), number, lost, kept, keptBytes));
    }
  }

  /** Partitions that have lost a segment. */
  List<Partition> partitions() {
    return partitions;
  }

  /** Tier directories that the log directory will no longer name. */
  List<TierRef> forgotten() {
    return forgotten;
  }

  /** Removes the partitions and the tier's directories from the identity. */
  void accept() throws IOException {
    if (!partitions.isEmpty()) {
      // Without it the broker registers as one that may have lost data, so the controller takes it
      // out of the in-sync replicas before it can lead with an empty log.
      Files.deleteIfExists(logDir.resolve(CLEAN_SHUTDOWN_FILE));
      force(logDir);
    }
    for (Path link : deletedLinks) {
      Files.delete(link);
    }
    for (Partition partition : partitions) {
      remove(partition);
    }
    List<TierRef> rest =
        identity.tiers().stream().filter(tier -> !forgotten.contains(tier)).toList();
    if (rest.isEmpty()) {
      identity.remove();
    } else if (!forgotten.isEmpty()) {
      identity.writeTiers(rest);
    }
  }

  /** First under a name that Kafka itself deletes at its next start: there is no half of it. */
  private void remove(Partition partition) throws IOException {
    String unique = UUID.randomUUID().toString().replace("-", "");
    Path condemned = logDir.resolve(partition.name() + "." + unique + "-delete");
    Files.move(partition.directory(), condemned, StandardCopyOption.ATOMIC_MOVE);
    force(logDir);
    for (Path file : partition.kept()) {
      if (!file.startsWith(partition.directory())) {
        Files.deleteIfExists(file);
      }
    }
    deleteTree(condemned);
    force(logDir);
  }

  private static void deleteTree(Path path) throws IOException {
    if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
      try (DirectoryStream<Path> stream = Files.newDirectoryStream(path)) {
        for (Path child : stream) {
          deleteTree(child);
        }
      } catch (DirectoryIteratorException e) {
        throw e.getCause();
      }
    }
    Files.delete(path);
  }

  private static void force(Path directory) throws IOException {
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }
}
