// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.console;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** The version that the build wrote into the jar. */
public final class Version implements IVersionProvider {
  private static final String RESOURCE = "/io/headpond/cli/version.properties";

  /** The version of this build, for example {@code 0.2.0}. */
  public static String number() {
    Properties properties = new Properties();
    try (InputStream in = Version.class.getResourceAsStream(RESOURCE)) {
      properties.load(in);
    } catch (IOException e) {
      throw new IllegalStateException(RESOURCE + " in this program's jar can't be read", e);
    }
    return properties.getProperty("version");
  }

  @Override
  public String[] getVersion() {
    return new String[] {
      "${ROOT-COMMAND-NAME} " + number(),
      "Java " + Runtime.version() + " (" + System.getProperty("java.vendor") + ")"
    };
  }
}
