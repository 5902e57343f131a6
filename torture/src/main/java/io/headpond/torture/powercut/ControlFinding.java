// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut;

import io.headpond.harness.process.PropertiesFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;

/**
 * The finding of a campaign's control, in which nothing is forced, kept beside its disks: a
 * campaign that is taken up again needs no other one.
 *
 * @param acknowledged records
 * @param lost of these
 */
record ControlFinding(long acknowledged, long lost) {
  /** Of a campaign that had no time for one. */
  static final ControlFinding NONE = new ControlFinding(0, 0);

  private static final String ACKNOWLEDGED = "acknowledged";
  private static final String LOST = "lost";

  static ControlFinding of(CutsReport control) {
    return new ControlFinding(control.acknowledged(), control.lost());
  }

  /** Of both. */
  ControlFinding and(ControlFinding other) {
    return new ControlFinding(acknowledged + other.acknowledged, lost + other.lost);
  }

  /** The finding that {@link #save} kept; empty if there is none. */
  static Optional<ControlFinding> load(Path file) throws IOException {
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    Properties kept = PropertiesFile.read(file);
    return Optional.of(
        new ControlFinding(
            Long.parseLong(kept.getProperty(ACKNOWLEDGED)),
            Long.parseLong(kept.getProperty(LOST))));
  }

  void save(Path file) throws IOException {
    PropertiesFile.write(
        file, Map.of(ACKNOWLEDGED, Long.toString(acknowledged), LOST, Long.toString(lost)));
  }
}
