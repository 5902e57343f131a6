// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** All that is wrong with a configuration, so that one look tells of it. One thread. */
final class ConfigProblems {
  /** Reads a value that may be refused. */
  interface Read<T> {
    T value() throws ConfigException;
  }

  private final String source;
  private final List<String> found = new ArrayList<>();

  /** None yet; {@code source} is what error messages call the configuration. */
  ConfigProblems(final String source) {
    this.source = source;
  }

  /** A value; another one, which nobody will see, if it is refused. */
  <T> T read(final Read<T> from, final T otherwise) {
    try {
      return from.value();
    } catch (final ConfigException e) {
      add(e);
      return otherwise;
    }
  }

  /** A key's value; its default, which nobody will see, if it is refused. */
  <T> T read(final ConfigValues values, final ConfigKey<T> key) throws ConfigException {
    try {
      return values.get(key);
    } catch (final ConfigException e) {
      add(e);
      return new ConfigValues(Map.of(), source).get(key);
    }
  }

  /** One more problem, unless it was told before. */
  void add(final ConfigException problem) {
    problem.problems().stream().filter(each -> !found.contains(each)).forEach(found::add);
  }

  /** Refuses the configuration if anything is wrong with it. */
  void refuse() throws ConfigException {
    if (!found.isEmpty()) {
      throw new ConfigException(source, found);
    }
  }

  /** True if nothing is wrong so far. */
  boolean none() {
    return found.isEmpty();
  }
}
