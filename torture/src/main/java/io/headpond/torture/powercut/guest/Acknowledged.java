// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut.guest;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The guest's promises so far, from its report: records by partition and offset, less those that it
 * announced to delete.
 */
public final class Acknowledged {
  private final Map<Integer, TreeMap<Long, Integer>> partitions = new TreeMap<>();
  private final Set<Integer> deleted = new TreeSet<>();
  private final Set<Integer> truncating = new TreeSet<>();
  private long records;

  /** Takes a line of the report; lines that promise nothing are passed over. */
  public void line(String line) {
    String[] words = line.split(" ");
    switch (words[0]) {
      case Report.ACKNOWLEDGED -> {
        records++;
        truncating.remove(Integer.parseInt(words[1]));
        of(words).put(Long.parseLong(words[2]), (int) Long.parseLong(words[3], 16));
      }
      case Report.LOG_START -> of(words).headMap(Long.parseLong(words[2])).clear();
      case Report.TRUNCATED_TO -> {
        of(words).tailMap(Long.parseLong(words[2])).clear();
        truncating.add(Integer.parseInt(words[1]));
      }
      case Report.PARTITION_DELETED -> {
        deleted.add(Integer.parseInt(words[1]));
      }
      default -> {}
    }
  }

  /** The fewest lines that promise the same. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    deleted.forEach(partition -> lines.add(Report.PARTITION_DELETED + " " + partition));
    living()
        .forEach(
            (partition, promised) -> {
              // That it is there, even if it is empty.
              lines.add(Report.LOG_START + " " + partition + " 0");
              promised.forEach(
                  (offset, crc) ->
                      lines.add(
                          String.join(
                              " ",
                              Report.ACKNOWLEDGED,
                              partition.toString(),
                              offset.toString(),
                              Integer.toHexString(crc))));
              if (truncating(partition)) {
                long end = promised.isEmpty() ? 0 : promised.lastKey() + 1;
                lines.add(Report.TRUNCATED_TO + " " + partition + " " + end);
              }
            });
    return lines;
  }

  private TreeMap<Long, Integer> of(String[] words) {
    return partitions.computeIfAbsent(Integer.parseInt(words[1]), p -> new TreeMap<>());
  }

  /** Was a truncation of the partition announced, and nothing acknowledged since? */
  boolean truncating(int partition) {
    return truncating.contains(partition);
  }

  /** All acknowledgements ever. */
  public long records() {
    return records;
  }

  /** Checksums by offset, of every partition that was not announced to be deleted. */
  public Map<Integer, TreeMap<Long, Integer>> living() {
    Map<Integer, TreeMap<Long, Integer>> living = new TreeMap<>(partitions);
    living.keySet().removeAll(deleted);
    return living;
  }
}
