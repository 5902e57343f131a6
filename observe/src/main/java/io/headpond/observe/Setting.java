// SPDX-License-Identifier: Apache-2.0
package io.headpond.observe;

import io.headpond.store.config.ConfigKey;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A key of the configuration with what is in effect. Immutable.
 *
 * @param key its name
 * @param value the value in effect, the default included
 * @param set whether the operator set it
 * @param meaning what it does, one sentence
 * @param doubt why it should be another; empty: nothing is wrong with it
 */
public record Setting(
    String key, String value, boolean set, String meaning, Optional<Doubt> doubt) {

  /**
   * A reason to change a value.
   *
   * @param warning something is at risk or undone; false: it works, not as well as it could
   * @param reason why
   * @param remedy what to do about it
   */
  public record Doubt(boolean warning, String reason, String remedy) {
    /** The level of the alert that it makes. */
    public Alert.Level level() {
      return warning ? Alert.Level.WARNING : Alert.Level.ADVICE;
    }
  }

  /**
   * A key as it is configured.
   *
   * @param name the key's name, with a tier's in it where it has one
   * @param given what the operator set; null: the default holds
   */
  public static Setting of(
      final ConfigKey<?> key, final String name, final String given, final Optional<Doubt> doubt) {
    return new Setting(
        name, given == null ? key.standard() : given, given != null, key.meaning(), doubt);
  }

  /** As the status documents have it. */
  public Map<String, Object> json() {
    final Map<String, Object> map = new LinkedHashMap<>();
    map.put("key", key);
    map.put("value", value);
    map.put("set", set);
    map.put("meaning", meaning);
    map.put("level", doubt.map(each -> each.level().key()).orElse(null));
    map.put("reason", doubt.map(Doubt::reason).orElse(null));
    map.put("remedy", doubt.map(Doubt::remedy).orElse(null));
    return map;
  }
}
