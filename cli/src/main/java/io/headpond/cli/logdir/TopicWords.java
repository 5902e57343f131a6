// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;

/** Partitions in words: a broker has thousands of them, of tens of topics. */
final class TopicWords {
  private TopicWords() {}

  /** Partitions by topic, as {@code orders (0-3, 7), payments (1)}. */
  static String of(Collection<TopicPartition> partitions) {
    Map<String, TreeSet<Integer>> topics = new TreeMap<>();
    for (TopicPartition each : partitions) {
      topics.computeIfAbsent(each.topic(), name -> new TreeSet<>()).add(each.partition());
    }
    return topics.entrySet().stream()
        .map(topic -> topic.getKey() + " (" + numbers(topic.getValue()) + ")")
        .collect(Collectors.joining(", "));
  }

  /**
   * Those that no other broker is known to have, as {@code none: orders (0-3); not_in_sync: ...}.
   */
  static String byAnswer(Map<TopicPartition, OtherReplicas.Answer> answers) {
    return answers.values().stream()
        .distinct()
        .sorted()
        .map(
            answer ->
                answer.key()
                    + ": "
                    + of(
                        answers.entrySet().stream()
                            .filter(each -> each.getValue() == answer)
                            .map(Map.Entry::getKey)
                            .toList()))
        .collect(Collectors.joining("; "));
  }

  /** As {@code 0-3, 7}. */
  private static String numbers(TreeSet<Integer> numbers) {
    StringBuilder words = new StringBuilder();
    for (int first : numbers) {
      if (numbers.contains(first - 1)) {
        continue;
      }
      int last = first;
      while (numbers.contains(last + 1)) {
        last++;
      }
      words.append(words.isEmpty() ? "" : ", ").append(first);
      if (last > first) {
        words.append('-').append(last);
      }
    }
    return words.toString();
  }
}
