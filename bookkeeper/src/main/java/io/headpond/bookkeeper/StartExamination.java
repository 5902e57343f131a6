// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper;

import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.function.UnaryOperator;
import org.apache.bookkeeper.conf.ServerConfiguration;

/** Says once for each bookie which of its settings should be others. */
final class StartExamination {

  /** A bookie with several journal directories has several providers and one configuration. */
  private static final Set<ServerConfiguration> EXAMINED =
      Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

  private StartExamination() {}

  /** One line for each setting. */
  static void once(ServerConfiguration configuration, boolean writesDurable) {
    if (!EXAMINED.add(configuration)) {
      return;
    }
    UnaryOperator<String> configured = key -> value(configuration, key);
    for (BookieSettings.Finding each : BookieSettings.examine(configured, writesDurable)) {
      BookieCodes.SETTING.log(each.key(), each.value(), each.wanted(), each.reason());
    }
  }

  private static String value(ServerConfiguration configuration, String key) {
    Object value = configuration.getProperty(key);
    return value == null ? null : value.toString();
  }
}
