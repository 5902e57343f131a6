// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import io.headpond.cli.console.Lines;
import io.headpond.cli.console.Units;
import io.headpond.cli.logdir.ForgetTierCommand.PartitionJson;
import io.headpond.cli.logdir.OtherReplicas.Answer;
import java.io.PrintWriter;
import java.util.List;

/** The loss of a tier, in words. */
final class ForgetTierText {
  private static final int PARTITIONS_SHOWN_MAX = 100;

  private final PrintWriter out;
  private final boolean keepPrefix;

  /**
   * @param keepPrefix partitions are cut, else removed
   */
  ForgetTierText(PrintWriter out, boolean keepPrefix) {
    this.out = new Lines(out);
    this.keepPrefix = keepPrefix;
  }

  /** Each partition, and what goes of it. */
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
    int shown = 0;
    for (PartitionJson partition : partitions) {
      // Those that nothing brings back are always shown.
      if (++shown > PARTITIONS_SHOWN_MAX && Answer.of(partition.otherReplica()).safe()) {
        continue;
      }
      out.println(
          "  "
              + partition.topic()
              + "-"
              + partition.partition()
              + ": "
              + Units.count(partition.lostSegments().size(), "segment")
              + " lost, "
              + (keepPrefix ? cut(partition) : removed(partition))
              + "; "
              + words(partition.otherReplica()));
    }
    out.flush();
  }

  private static String removed(PartitionJson partition) {
    return Units.count(partition.keptSegmentsRemoved(), "other")
        + " ("
        + Units.bytes(partition.keptBytesRemoved())
        + ") removed with it";
  }

  private static String cut(PartitionJson partition) {
    return (partition.keptSegments() == 0
            ? "nothing stays"
            : Units.count(partition.keptSegments(), "segment")
                + " ("
                + Units.bytes(partition.keptBytes())
                + ") "
                + (partition.keptSegments() == 1 ? "stays" : "stay"))
        + (partition.setAsideSegments() == 0
            ? ""
            : ", "
                + partition.setAsideSegments()
                + " ("
                + Units.bytes(partition.setAsideBytes())
                + ") set aside")
        + ", it ends before offset "
        + partition.fromOffset()
        + (partition.knownToOffset() == null
            ? ""
            : " (offsets up to " + partition.knownToOffset() + " are known to have been there)");
  }

  private static String words(String otherReplica) {
    return switch (Answer.of(otherReplica)) {
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

  /** What was done, and what to do next. */
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
    long back = partitions.stream().filter(p -> Answer.of(p.otherReplica()).safe()).count();
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
