// SPDX-License-Identifier: Apache-2.0
package io.headpond.nio;

import java.nio.file.FileSystems;
import java.nio.file.spi.FileSystemProvider;

/**
 * Switches Headpond on by one flag: {@code -javaagent:headpond-nio-VERSION.jar[=CONFIGFILE]}.
 *
 * <p>The agent only sets system properties, and asks for the default file system, so that a
 * configuration error shows before the application's main method. It changes no class.
 *
 * <p><b>Errors.</b> Whatever keeps Headpond from working ends the JVM with exit code 78, and the
 * reason and the remedy on standard error.
 */
public final class HeadpondAgent {
  /** The JDK's property that names default providers. */
  static final String PROVIDER_KEY = "java.nio.file.spi.DefaultFileSystemProvider";

  /** Names the configuration file. */
  static final String CONFIG_KEY = "headpond.config";

  private static final String OURS = HeadpondFileSystemProvider.class.getName();

  private HeadpondAgent() {}

  /**
   * Called by the JDK before the application's main method.
   *
   * @param configuration the configuration file; null or empty if the property names it
   */
  public static void premain(final String configuration) {
    refuseOtherProvider();
    final String file = configured(configuration);
    System.setProperty(PROVIDER_KEY, OURS);
    final FileSystemProvider actual = FileSystems.getDefault().provider();
    if (!actual.getClass().getName().equals(OURS)) {
      Startup.refuse(
          "the default file system ("
              + actual.getClass().getName()
              + ") was in use before Headpond's -javaagent ran: give it before every other"
              + " -javaagent, and not on the class path of a class data archive"
              + " (-XX:SharedArchiveFile)");
    }
    if (((HeadpondFileSystemProvider) actual).router() == null) {
      Startup.refuse(
          file
              + " names no log directory, and without one nothing would lie on the fast device: set"
              + " headpond.log.dirs, or name the engine's own configuration (log.dirs)");
    }
  }

  private static void refuseOtherProvider() {
    final String provider = System.getProperty(PROVIDER_KEY);
    if (provider != null && !provider.equals(OURS)) {
      Startup.refuse(
          "-D"
              + PROVIDER_KEY
              + "="
              + provider
              + " is set already, and a JVM has one default file system: remove either that or"
              + " Headpond's -javaagent");
    }
  }

  /** The configuration file, by the flag or the property, which has it then in either case. */
  private static String configured(final String configuration) {
    if (configuration != null && !configuration.isEmpty()) {
      final String other = System.getProperty(CONFIG_KEY);
      if (other != null && !other.equals(configuration)) {
        Startup.refuse(
            "two configuration files are named: "
                + other
                + " (by -D"
                + CONFIG_KEY
                + " or by another -javaagent of Headpond's) and "
                + configuration
                + " (by -javaagent): name one; KAFKA_OPTS may be set twice");
      }
      System.setProperty(CONFIG_KEY, configuration);
    }
    final String file = System.getProperty(CONFIG_KEY, "");
    if (file.isBlank()) {
      Startup.refuse(
          "-javaagent names no configuration file, and without one nothing would lie on the fast"
              + " device: give it as -javaagent:JAR=FILE, or by -D"
              + CONFIG_KEY
              + "=FILE");
    }
    return file;
  }
}
