// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper;

import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;
import org.apache.bookkeeper.conf.ServerConfiguration;

/** Says once for each bookie which of its settings should be others. */
final class StartExamination {

  /** A bookie with several journal directories has several providers and one configuration. */
  private static final Set<ServerConfiguration> EXAMINED =
      Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

  private StartExamination() {}

  /** One line for each setting. */
  static void once(ServerConfiguration configuration, JournalDevices devices) {
    if (!EXAMINED.add(configuration)) {
      return;
    }
    for (SettingsExamination.Finding each :
        SettingsExamination.examine(key -> value(configuration, key), devices)) {
      BookieCodes.SETTING.log(each.key(), each.value(), each.wanted(), each.reason());
    }
  }

  /** A key's value as text, a list's with commas; null where it isn't set. */
  static String value(ServerConfiguration configuration, String key) {
    return configuration.containsKey(key)
        ? String.join(",", configuration.getStringArray(key))
        : null;
  }
}
