// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.config;

import java.util.List;

/** A configuration that Headpond refuses; the message names the file, the keys and the reasons. */
public final class ConfigException extends Exception {
  private static final long serialVersionUID = 1L;

  private final String source;

  /** Key and reason of each problem; strings only, as an exception must be serialisable. */
  private final String[] problems;

  /**
   * A refusal.
   *
   * @param source where the key stands
   * @param reason what is wrong, and what would be right
   */
  public ConfigException(final String source, final String key, final String reason) {
    this(source, List.of(key + ": " + reason));
  }

  /**
   * A refusal for several reasons.
   *
   * @param problems key and reason of each one
   */
  ConfigException(final String source, final List<String> problems) {
    super(source + ": " + joined(problems));
    this.source = source;
    this.problems = problems.toArray(String[]::new);
  }

  ConfigException(final String source, final String reason, final Throwable cause) {
    super(source + ": " + reason, cause);
    this.source = source;
    problems = new String[] {reason};
  }

  private static String joined(final List<String> problems) {
    if (problems.size() == 1) {
      return problems.get(0);
    }
    final StringBuilder all = new StringBuilder().append(problems.size()).append(" problems:");
    for (int i = 0; i < problems.size(); i++) {
      all.append(i == 0 ? " (" : "; (").append(i + 1).append(") ").append(problems.get(i));
    }
    return all.toString();
  }

  /** Key and reason of each problem. */
  List<String> problems() {
    return List.of(problems);
  }

  /** The message of each problem alone. */
  public List<String> messages() {
    return problems().stream().map(problem -> source + ": " + problem).toList();
  }
}
