// SPDX-License-Identifier: Apache-2.0
package io.headpond.harness.process;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;

/** A properties file that configures a child process. */
public final class PropertiesFile {

  private PropertiesFile() {}

  /** Writes {@code settings} into {@code file}, replacing it. */
  public static void write(Path file, Map<?, ?> settings) throws IOException {
    Properties all = new Properties();
    all.putAll(settings);
    try (OutputStream out = Files.newOutputStream(file)) {
      all.store(out, null);
    }
  }

  /** Reads a file. */
  public static Properties read(Path file) throws IOException {
    Properties settings = new Properties();
    try (InputStream in = Files.newInputStream(file)) {
      settings.load(in);
    }
    return settings;
  }
}
