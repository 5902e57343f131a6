// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper;

import io.headpond.bookkeeper.SettingsExamination.Finding;
import io.headpond.bookkeeper.SettingsExamination.Severity;
import io.headpond.observe.HttpSettings;
import io.headpond.observe.Setting;
import io.headpond.store.config.ConfigKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.bookkeeper.conf.ServerConfiguration;

/** A bookie's configuration as far as it is Headpond's business, as the live page shows it. */
final class EffectiveSettings {
  private final ServerConfiguration configuration;
  private final List<Setting> settings = new ArrayList<>();

  EffectiveSettings(ServerConfiguration configuration) {
    this.configuration = configuration;
  }

  /**
   * Takes over how the journals are written.
   *
   * @param devices what all journals lie on
   */
  EffectiveSettings journals(JournalDevices devices) {
    Map<String, Finding> findings =
        SettingsExamination.examine(key -> StartExamination.value(configuration, key), devices)
            .stream()
            .collect(Collectors.toMap(Finding::key, Function.identity()));
    for (ConfigKey<?> key : BookieSettings.EXAMINED) {
      add(key, Optional.ofNullable(findings.get(key.name())).map(EffectiveSettings::doubt));
    }
    return keys(JournalSettings.ALL);
  }

  private static Setting.Doubt doubt(Finding finding) {
    return new Setting.Doubt(
        finding.severity() == Severity.UNSAFE,
        finding.reason(),
        "Set " + finding.key() + "=" + finding.wanted() + ".");
  }

  /** Keys of Headpond, which refuses what is wrong with them. */
  EffectiveSettings keys(List<ConfigKey<?>> keys) {
    keys.forEach(key -> add(key, Optional.empty()));
    return this;
  }

  private void add(ConfigKey<?> key, Optional<Setting.Doubt> doubt) {
    settings.add(
        Setting.of(key, key.name(), StartExamination.value(configuration, key.name()), doubt));
  }

  /** All that were added, and where metrics are served. */
  List<Setting> all() {
    return List.copyOf(keys(HttpSettings.KEYS).settings);
  }
}
