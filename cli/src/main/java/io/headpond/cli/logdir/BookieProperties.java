// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import java.util.Collections;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;

/**
 * The keys of a bookie's configuration file, and which of them it gives more than once. Of these
 * Java keeps the last value. BookKeeper takes the first one, and of a list all.
 */
public final class BookieProperties extends Properties {
  private static final long serialVersionUID = 1;

  private final transient Set<String> repeated = new TreeSet<>();

  @Override
  public synchronized Object put(Object key, Object value) {
    Object before = super.put(key, value);
    if (before != null) {
      repeated.add(key.toString());
    }
    return before;
  }

  /** The keys with more than one line. */
  public Set<String> repeated() {
    return Collections.unmodifiableSet(repeated);
  }
}
