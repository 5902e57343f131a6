// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.demo;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;

/**
 * How many bytes the brokers' lives have appended to the fast tier, from the counters that the
 * plug-in puts beside the tier about once a second. A life that ended by SIGKILL counts with what
 * it had put there last, so the sum is a lower bound. One thread at a time.
 */
final class FastTierLog {

  private static final String FILE_NAME = ".headpond.live";
  private static final String KEY = "tier.fast.appended.bytes";

  private final Path file;
  private final Map<String, Long> bytesByProcess = new HashMap<>();

  FastTierLog(Path tier) {
    this.file = tier.resolve(FILE_NAME);
  }

  /** Reads the counters again. */
  void look() throws IOException {
    Properties counters = new Properties();
    try (InputStream in = Files.newInputStream(file)) {
      counters.load(in);
    } catch (NoSuchFileException notYet) {
      return;
    }
    String value = counters.getProperty(KEY);
    if (value != null) {
      bytesByProcess.merge(counters.getProperty("pid", ""), Long.parseLong(value), Math::max);
    }
  }

  /** Bytes appended, as far as seen. */
  long bytes() {
    return bytesByProcess.values().stream().mapToLong(Long::longValue).sum();
  }
}
