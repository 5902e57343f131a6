// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.migrate;

import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Topics by their names, {@code *} for any characters. Immutable. */
public final class TopicPatterns {
  private final List<String> all;
  private final Set<String> names;
  private final List<Pattern> patterns;

  public TopicPatterns(final List<String> topics) {
    all = List.copyOf(topics);
    names = Set.copyOf(topics);
    patterns =
        topics.stream().filter(topic -> topic.contains("*")).map(TopicPatterns::pattern).toList();
  }

  private static Pattern pattern(final String topics) {
    return Pattern.compile(
        Pattern.compile("\\*")
            .splitAsStream(topics + "\0")
            .map(part -> part.replace("\0", ""))
            .map(Pattern::quote)
            .collect(Collectors.joining(".*")));
  }

  /** True if a topic is one of them. */
  public boolean match(final String topic) {
    if (names.contains(topic)) {
      return true;
    }
    for (final Pattern pattern : patterns) {
      if (pattern.matcher(topic).matches()) {
        return true;
      }
    }
    return false;
  }

  public boolean isEmpty() {
    return all.isEmpty();
  }

  /** As a configuration has them. */
  @Override
  public String toString() {
    return String.join(",", all);
  }
}
