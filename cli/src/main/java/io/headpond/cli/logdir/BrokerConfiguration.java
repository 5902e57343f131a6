// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import io.headpond.cli.console.CommandFailure;
import io.headpond.store.config.ConfigException;
import io.headpond.store.config.StoreConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The configuration of a log directory's broker. */
final class BrokerConfiguration {
  private BrokerConfiguration() {}

  /**
   * Reads it.
   *
   * @param real the log directory's real path
   * @param given null: the file that the broker named when it ran last
   */
  static StoreConfig of(Path real, Path given, Optional<OwnerCounters> owner) throws IOException {
    Path file = given;
    if (file == null) {
      String named = owner.map(counters -> counters.text("configuration")).orElse("");
      file = Path.of(named);
      if (named.isEmpty() || !Files.isReadable(file)) {
        throw new CommandFailure(
            named.isEmpty()
                ? "which configuration the broker has isn't known" + because(real)
                : named + ", which the broker named as its configuration, can't be read",
            "give it: --config FILE");
      }
    }
    try {
      StoreConfig config = StoreConfig.load(file.toAbsolutePath());
      for (Path each : config.logDirs()) {
        if (Files.isDirectory(each) && Files.isSameFile(each, real)) {
          return config;
        }
      }
    } catch (ConfigException e) {
      throw new CommandFailure(e.getMessage(), "docs/configuration.md has all keys", e);
    }
    throw new CommandFailure(
        file + " names other log directories than " + real, "give its broker's: --config FILE");
  }

  /** The broker names it in a tier. */
  private static String because(Path real) throws IOException {
    List<Finding> faults = new ArrayList<>();
    KnownTiers.examined(real, faults::add);
    return faults.isEmpty()
        ? ""
        : ": " + faults.get(0).path() + ", which may say so: " + faults.get(0).detail();
  }
}
