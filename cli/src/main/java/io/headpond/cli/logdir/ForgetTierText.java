// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import io.headpond.cli.console.Lines;
import io.headpond.cli.console.Units;
import io.headpond.cli.logdir.ForgetTierCommand.PartitionJson;
import io.headpond.cli.logdir.OtherReplicas.Answer;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/** The loss of a tier, in words. */
final class ForgetTierText {
  private final PrintWriter out;
  private final boolean keepPrefix;
  private final boolean verbose;

  /**
   * @param keepPrefix partitions are cut, else removed
   * @param verbose each partition has a line, else each topic
   */
  ForgetTierText(PrintWriter out, boolean keepPrefix, boolean verbose) {
    this.out = new Lines(out);
    this.keepPrefix = keepPrefix;
    this.verbose = verbose;
  }

  /** Each topic or partition, and what goes of it. */
  void plan(String tier, List<String> forgotten, List<PartitionJson> partitions, boolean done) {
    out.println(
        "tier "
            + tier
            + " is lost"
            + (forgotten.isEmpty() ? " in part" : ": " + String.join(", ", forgotten)));
    out.println(
        Units.count(partitions.size(), "partition")
            + (done ? " will be " : " would be ")
            + (keepPrefix ? "cut here:" : "removed here:"));
    if (verbose) {
      partitions.forEach(this::partition);
    } else {
      boolean together = false;
      for (List<PartitionJson> alike : byTopicAndAnswer(partitions)) {
        together |= alike.size() > 1;
        if (alike.size() > 1) {
          topic(alike);
        } else {
          partition(alike.get(0));
        }
      }
      if (together) {
        out.println("(each partition, and where it is cut: with --verbose, or --json)");
      }
    }
    out.flush();
  }

  private static Collection<List<PartitionJson>> byTopicAndAnswer(List<PartitionJson> partitions) {
    Map<List<String>, List<PartitionJson>> alike = new LinkedHashMap<>();
    for (PartitionJson each : partitions) {
      alike
          .computeIfAbsent(
              List.of(each.topic(), replica(each)), topicAndAnswer -> new ArrayList<>())
          .add(each);
    }
    return alike.values();
  }

  private void topic(List<PartitionJson> partitions) {
    long lost = partitions.stream().mapToLong(each -> each.lostSegments().size()).sum();
    out.println(
        "  "
            + TopicWords.of(partitions.stream().map(PartitionJson::id).toList())
            + ": "
            + Units.count(lost, "segment")
            + " lost, "
            + (keepPrefix
                ? kept(
                    sum(partitions, PartitionJson::keptSegments),
                    sum(partitions, PartitionJson::keptBytes),
                    sum(partitions, PartitionJson::setAsideSegments),
                    sum(partitions, PartitionJson::setAsideBytes))
                : removed(
                    sum(partitions, PartitionJson::keptSegmentsRemoved),
                    sum(partitions, PartitionJson::keptBytesRemoved)))
            + "; "
            + replica(partitions.get(0)));
  }

  private static long sum(List<PartitionJson> partitions, ToLongFunction<PartitionJson> figure) {
    return partitions.stream().mapToLong(figure).sum();
  }

  private void partition(PartitionJson partition) {
    out.println(
        "  "
            + partition.id()
            + ": "
            + Units.count(partition.lostSegments().size(), "segment")
            + " lost, "
            + (keepPrefix
                ? cut(partition)
                : removed(partition.keptSegmentsRemoved(), partition.keptBytesRemoved()))
            + "; "
            + replica(partition));
  }

  private static String removed(long segments, long bytes) {
    return Units.count(segments, "other") + " (" + Units.bytes(bytes) + ") removed with it";
  }

  private static String cut(PartitionJson partition) {
    return kept(
            partition.keptSegments(),
            partition.keptBytes(),
            partition.setAsideSegments(),
            partition.setAsideBytes())
        + ", it ends before offset "
        + partition.fromOffset()
        + (partition.knownToOffset() == null
            ? ""
            : " (offsets up to " + partition.knownToOffset() + " are known to have been there)");
  }

  private static String kept(long segments, long bytes, long aside, long asideBytes) {
    return (segments == 0
            ? "nothing stays"
            : Units.count(segments, "segment")
                + " ("
                + Units.bytes(bytes)
                + ") "
                + (segments == 1 ? "stays" : "stay"))
        + (aside == 0 ? "" : ", " + aside + " (" + Units.bytes(asideBytes) + ") set aside");
  }

  private static String replica(PartitionJson partition) {
    return switch (Answer.of(partition.otherReplica())) {
      case IN_SYNC -> "another broker leads and has all of it";
      case STILL_COUNTED ->
          "THE CLUSTER STILL COUNTS THIS BROKER AS IN SYNC: started now it may lead without them";
      case NOT_IN_SYNC ->
          "NO OTHER REPLICA IN SYNC IS UP: what only this broker had is lost, and if it leads, the"
              + " others cut their logs to its";
      case NONE -> "NO OTHER REPLICA: its records are lost";
      case DELETED -> "the cluster has deleted this topic";
      case UNKNOWN -> "other replicas unknown (ask with --bootstrap-server)";
    };
  }

  /** Prints the outcome and the operator's next step. */
  void end(boolean done, List<PartitionJson> partitions, List<String> aside) {
    if (!done) {
      out.println(
          "nothing was changed; to do it: run this again with --if-in-sync or --accept-loss");
      out.flush();
      return;
    }
    aside.forEach(file -> out.println("set aside: " + file));
    if (!aside.isEmpty()) {
      out.println("delete what was set aside when nobody needs it");
    }
    long back = partitions.stream().filter(PartitionJson::safe).count();
    out.println(
        back == partitions.size()
            ? "done; start the broker: it brings back what it lost from the others"
            : "done; start the broker: it brings back what other brokers have of "
                + Units.count(partitions.size(), "partition")
                + ", of "
                + (partitions.size() - back)
                + " of them nobody is known to have everything");
    out.flush();
  }
}
