// SPDX-License-Identifier: Apache-2.0
package io.headpond.nio;

import io.headpond.store.event.RefusedStart;
import java.nio.file.FileSystem;

/**
 * Configuration and refusal while the JVM has no default file system yet.
 *
 * <p>Messages go to standard error: the engine's logging can't be started here. Nothing here names
 * a class of the other jars, so that it can be said if one is missing.
 */
final class Startup {
  private Startup() {}

  /**
   * Reads the configuration.
   *
   * @param builtIn the built-in file system
   * @return null if there is nothing to route
   */
  static Router router(final FileSystem builtIn) {
    final String dump = ArchiveDump.option();
    if (dump != null) {
      refuse(
          dump
              + " makes this JVM write a class data archive (it does so even now: delete that"
              + " file), and no JVM could start from one that holds Headpond's provider: write the"
              + " archive without Headpond, then start with -javaagent:headpond-nio.jar");
    }
    final String file = System.getProperty(HeadpondAgent.CONFIG_KEY, "");
    if (file.isBlank()) {
      System.err.println(
          "headpond: no -D"
              + HeadpondAgent.CONFIG_KEY
              + "=FILE is given: every file operation passes through unchanged");
      return null;
    }
    try {
      final Router router = Router.configured(builtIn, file);
      if (router == null) {
        System.err.println(
            "headpond: "
                + file
                + " names no log directory: every file operation passes through unchanged");
      }
      return router;
    } catch (final IllegalArgumentException e) {
      throw refuse(e.getMessage());
    } catch (final LinkageError e) {
      throw refuse(
          e
              + ": the jars headpond-nio, headpond-observe, headpond-store and headpond-pmem of one version must lie"
              + " in one folder");
    }
  }

  /**
   * Ends the JVM before anything else runs: without Headpond, an engine would miss its data. As
   * {@link RefusedStart}, of which only the constant is used, and that is copied here.
   *
   * @param reason with its code, unless it is that of the configuration
   */
  static Error refuse(final String reason) {
    final String code = reason.startsWith("HP") ? "" : "HP0101 ";
    System.err.println("headpond: the start is refused: " + code + reason);
    Runtime.getRuntime().halt(RefusedStart.EXIT_CODE);
    return new Error(reason);
  }
}
