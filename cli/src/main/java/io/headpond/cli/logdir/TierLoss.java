// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import io.headpond.cli.console.CommandFailure;
import io.headpond.store.event.PlainText;
import io.headpond.store.layout.HomeIdentity;
import io.headpond.store.layout.HomeIdentity.TierRef;
import io.headpond.store.layout.LogDirScan;
import io.headpond.store.layout.NameLook;
import io.headpond.store.layout.SegmentName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.common.TopicPartition;

/**
 * The loss of a tier that is gone for good, and its repair in a log directory: every partition that
 * has lost a segment is removed as a whole, or cut where the first one is missing, so that this
 * broker brings the rest back from another replica. A partition with a hole would be served as if
 * the records had never been there.
 *
 * <p>The order of the changes holds at every instant: a start in the middle of them is refused,
 * because the identity still names the tier, or a link still leads nowhere; and the next run
 * finishes. The caller holds the log directory's lock.
 */
final class TierLoss {
  private static final String METADATA = "__cluster_metadata-";
  private static final String CLEAN_SHUTDOWN_FILE = ".kafka_cleanshutdown";

  private static final int NAME_LENGTH_MAX = 255;

  /** The endings of what Kafka deletes at its next start, and of what it leaves alone. */
  private static final String DELETE = "-delete";

  private static final String STRAY = "-stray";

  /** Begins the identifier of a directory that was set apart here, to tell it from Kafka's own. */
  private static final String APART = "headpond";

  private static final Pattern APART_ENDING =
      Pattern.compile("\\." + APART + "[0-9a-f]+" + STRAY + "$");

  /** Holds the topic in a directory that was set apart, if the name there has no room for it. */
  private static final String TOPIC_FILE = ".headpond-topic";

  /** The end of a log of which nothing stays. */
  private static final long GONE = -1;

  // Kafka's names: topic-0, topic-0.HEX-delete, topic-0.HEX-future, topic-0.HEX-stray.
  private static final Pattern PARTITION =
      Pattern.compile("(.+)-(\\d+)(?:\\.[^.]+-(?:delete|future|stray))?");

  private final Path logDir;
  private final HomeIdentity identity;
  private final String tierName;
  private final boolean keepPrefix;
  private final List<TierRef> forgotten = new ArrayList<>();
  private final List<Partition> partitions = new ArrayList<>();
  private final List<LogCut> cuts = new ArrayList<>();
  // Links of segments that the engine was deleting: nothing is lost with them.
  private final List<Path> deletedLinks = new ArrayList<>();
  private KnownTiers tiers;
  private OffsetCheckpoints checkpoints;

  /**
   * @param keepPrefix partitions are cut, else removed
   */
  TierLoss(Path logDir, HomeIdentity identity, String tierName, boolean keepPrefix) {
    this.logDir = logDir;
    this.identity = identity;
    this.tierName = tierName;
    this.keepPrefix = keepPrefix;
  }

  /**
   * A partition directory that has lost something.
   *
   * @param directory its path
   * @param topic the topic's name
   * @param number the partition's number
   * @param lost segments whose files are gone
   * @param kept all others, be it names whose files another tier holds that isn't there now
   */
  record Partition(
      Path directory, String topic, int number, List<Path> lost, List<LogDirScan.Entry> kept) {
    String name() {
      return topic + "-" + number;
    }

    TopicPartition id() {
      return new TopicPartition(topic, number);
    }

    /** False for a copy that Kafka was making, and for what it found to be nobody's. */
    boolean isLog() {
      return directory.getFileName().toString().equals(name());
    }

    /** True for a log that was set apart, by this run or by one that was killed. */
    boolean isApart() {
      return APART_ENDING.matcher(directory.getFileName().toString()).find();
    }
  }

  /** Finds what is lost. Changes nothing. */
  void plan() throws IOException {
    forgotten.clear();
    partitions.clear();
    cuts.clear();
    deletedLinks.clear();
    List<TierRef> named =
        identity.tiers().stream().filter(tier -> tier.tier().equals(tierName)).toList();
    if (named.isEmpty()) {
      List<String> names = identity.tiers().stream().map(TierRef::tier).distinct().toList();
      throw new CommandFailure(
          logDir + " has no tier " + tierName,
          "one that was forgotten isn't known any more; it has: " + String.join(", ", names));
    }
    for (TierRef tier : named) {
      if (isGone(tier)) {
        forgotten.add(tier);
      }
    }
    LogDirState.refuseHidden(logDir);
    tiers = KnownTiers.of(logDir);
    for (Path directory : LogDirScan.partitions(logDir)) {
      partition(directory);
    }
    if (forgotten.isEmpty() && partitions.isEmpty()) {
      throw new CommandFailure(
          "tier " + tierName + " is there, and no segment in it is lost",
          "bring it home instead: "
              + drain()
              + "; what that can't read is lost once the device is unmounted");
    }
    for (Partition partition : partitions) {
      if (partition.directory().getFileName().toString().startsWith(METADATA)) {
        throw new CommandFailure(
            partition.directory()
                + " has lost its segments from "
                + partition.lost().get(0).getFileName()
                + " on: the cluster's metadata log is never removed or cut",
            "restore the tier or the log directory from a backup, or reformat this node as"
                + " Kafka's documentation says for a lost controller disk");
      }
    }
    if (keepPrefix) {
      cut();
    } else {
      checkpoints = OffsetCheckpoints.readable(logDir);
      for (Partition partition : partitions) {
        // Their files go with them, and what lies outside the tiers is somebody else's.
        partition.kept().stream().filter(LogDirScan.Entry::linked).forEach(tiers::tierOf);
      }
    }
  }

  /** One that can't be read isn't gone: some of its segments may be saved. */
  private boolean isGone(TierRef tier) {
    try {
      return KnownTiers.wrong(tier).isPresent();
    } catch (IOException e) {
      throw new CommandFailure(
          "tier " + tierName + " can't be read: " + PlainText.reason(e),
          KnownTiers.MOUNT_AGAIN
              + " and bring home what can be read: "
              + drain()
              + "; when it isn't mounted, the tier counts as lost (nothing was changed)",
          e);
    }
  }

  private String drain() {
    return "headpond drain '" + logDir + "' --tier " + tierName;
  }

  private void cut() throws IOException {
    checkpoints = OffsetCheckpoints.read(logDir);
    for (Partition partition : partitions) {
      LogCut cut = LogCut.of(partition, checkpoints);
      cut.above().stream().filter(LogDirScan.Entry::linked).forEach(tiers::tierOf);
      cuts.add(cut);
    }
  }

  private void partition(Path directory) throws IOException {
    List<LogDirScan.Entry> segments = LogDirScan.segments(directory);
    for (LogDirScan.Entry segment : segments) {
      refuseShared(segment);
    }
    String name = directory.getFileName().toString();
    Matcher matcher = PARTITION.matcher(name);
    if (!matcher.matches()) {
      return;
    }
    List<Path> lost = new ArrayList<>();
    List<LogDirScan.Entry> kept = new ArrayList<>();
    for (LogDirScan.Entry segment : segments) {
      Optional<TierRef> tier = segment.linked() ? tiers.tierOf(segment.target()) : Optional.empty();
      boolean here = tier.isPresent() && tier.get().tier().equals(tierName);
      // A tier directory that isn't the right one holds none of it, whatever a file there is named.
      boolean gone = here && (segment.dangling() || forgotten.contains(tier.get()));
      if (gone && SegmentName.mayDangle(name, segment.name().getFileName().toString())) {
        deletedLinks.add(segment.name());
      } else if (gone) {
        lost.add(segment.name());
      } else if (!segment.dangling() || segment.lost()) {
        kept.add(segment); // of another tier that isn't there it is a name, which stays one
      }
    }
    if (!lost.isEmpty()) {
      int number = Integer.parseInt(matcher.group(2));
      partitions.add(new Partition(directory, topic(directory, matcher), number, lost, kept));
    }
  }

  private static String topic(Path directory, Matcher name) throws IOException {
    Path file = directory.resolve(TOPIC_FILE);
    return APART_ENDING.matcher(name.group()).find() && NameLook.exists(file)
        ? Files.readString(file)
        : name.group(1);
  }

  /**
   * Refuses a file with two names: taken out of one log, it would be missing in the other, which
   * may be the log that it was written to. A start refuses it too.
   */
  private void refuseShared(LogDirScan.Entry segment) throws IOException {
    if (!segment.linked()) {
      return;
    }
    Optional<Path> other = tiers.claim(segment.target(), segment.name());
    if (other.isPresent()) {
      throw new CommandFailure(
          other.get() + " and " + segment.name() + " link to the same file " + segment.target(),
          "remove the links that are the copy (rm), which deletes no data (nothing was changed)");
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

  /** The cuts of these partitions, in the same order; none if whole partitions go. */
  List<LogCut> cuts() {
    return cuts;
  }

  /**
   * Removes or cuts the partitions, and removes the tier's directories from the identity.
   *
   * @param nowMs milliseconds since 1970
   * @return the files that were set aside, as they are named now
   * @throws CommandFailure if home has no room for that; nothing was changed then
   */
  List<Path> accept(LogDirChanges changes, long nowMs) throws IOException {
    HomeRoom.make(logDir, changes);
    SetAside aside = new SetAside(logDir, identity.id(), changes, nowMs);
    if (!partitions.isEmpty()) {
      // With it the broker would register as one that has all it had when it stopped.
      changes.delete(logDir.resolve(CLEAN_SHUTDOWN_FILE));
      changes.force(logDir);
    }
    setApart(changes);
    if (!partitions.isEmpty()) {
      checkpoints.lower(ends(), changes);
    }
    for (Path link : deletedLinks) {
      changes.delete(link);
    }
    for (LogCut cut : cuts) {
      cut.make(tiers, forgotten::contains, aside, changes);
      if (cut.empty()) {
        remove(cut.partition(), List.of(), changes);
      }
    }
    if (!keepPrefix) {
      for (Partition partition : partitions) {
        remove(partition, partition.kept(), changes);
      }
    }
    List<TierRef> rest =
        identity.tiers().stream().filter(tier -> !forgotten.contains(tier)).toList();
    if (rest.isEmpty()) {
      changes.make(identity::remove);
    } else if (!forgotten.isEmpty()) {
      changes.make(() -> identity.writeTiers(rest));
    }
    return aside.files();
  }

  /** A partition directory's name, without what {@link #setApart} adds to it. */
  static String logName(Path directory) {
    return APART_ENDING.matcher(directory.getFileName().toString()).replaceFirst("");
  }

  /**
   * Gives the logs of which nothing stays a name by which the next run knows it. The reason may be
   * among the first things to go: a line of a checkpoint, a half-done compaction. Without it a run
   * after a kill would keep a log with a hole, or records that were deleted.
   */
  private void setApart(LogDirChanges changes) throws IOException {
    boolean some = false;
    for (LogCut cut : cuts) {
      if (cut.empty() && cut.partition().isLog()) {
        Path directory = cut.partition().directory();
        String name = newName(cut.partition(), APART, STRAY);
        if (!name.startsWith(cut.partition().name() + ".")) {
          changes.write(directory.resolve(TOPIC_FILE), directory, cut.partition().topic());
          changes.force(directory);
        }
        changes.rename(directory, logDir.resolve(name));
        some = true;
      }
    }
    if (some) {
      changes.force(logDir);
      plan();
    }
  }

  /**
   * The ends of the logs. A copy, or what was found to be nobody's, has the name of another log.
   */
  private Map<String, Long> ends() {
    Map<String, Long> ends = new HashMap<>();
    for (Partition partition : partitions) {
      if (partition.isLog() || partition.isApart()) {
        ends.put(partition.name(), GONE);
      }
    }
    for (LogCut cut : cuts) {
      if (cut.partition().isLog() && !cut.empty()) {
        ends.put(cut.partition().name(), cut.end());
      }
    }
    return ends;
  }

  /** First under a name that Kafka itself deletes at its next start: there is no half of it. */
  private void remove(Partition partition, List<LogDirScan.Entry> kept, LogDirChanges changes)
      throws IOException {
    Path condemned = logDir.resolve(newName(partition, "", DELETE));
    changes.rename(partition.directory(), condemned);
    changes.force(logDir);
    for (LogDirScan.Entry segment : kept) {
      if (segment.linked()) {
        changes.delete(segment.target());
      }
    }
    changes.make(() -> deleteTree(condemned));
    changes.force(logDir);
  }

  /** As Kafka names what it deletes: of a long topic only the beginning has room. */
  private static String newName(Partition partition, String prefix, String suffix) {
    String unique = prefix + UUID.randomUUID().toString().replace("-", "");
    String ending = "-" + partition.number() + "." + unique + suffix;
    String topic = partition.topic();
    return topic.substring(0, Math.min(topic.length(), NAME_LENGTH_MAX - ending.length())) + ending;
  }

  private static void deleteTree(Path path) throws IOException {
    if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
      for (Path child : NameLook.list(path)) {
        deleteTree(child);
      }
    }
    Files.delete(path);
  }
}
