// SPDX-License-Identifier: Apache-2.0
package io.headpond.nio;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Recognises a JVM that writes a class data archive (AppCDS).
 *
 * <p>A class from an archive is defined by code that asks for the default file system. If the
 * default provider's own class is in the archive, that ends in a circle, and the JVM stops with a
 * NullPointerException before any code of ours can say why. So no archive may ever hold this
 * provider, and the place to see to it is the JVM that would write one.
 */
final class ArchiveDump {
  /** As a path of the kernel: the JDK has no other way to the JVM's own options this early. */
  private static final String COMMAND_LINE = "/proc/self/cmdline";

  private static final List<String> OPTIONS =
      List.of(
          "-XX:ArchiveClassesAtExit=",
          "-XX:+AutoCreateSharedArchive",
          "-XX:+RecordDynamicDumpInfo",
          "-XX:DumpLoadedClassList=",
          "-Xshare:dump",
          "-XX:AOTMode=record",
          "-XX:AOTMode=create",
          "-XX:AOTCacheOutput=");

  private static final List<String> VARIABLES =
      List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS");

  private ArchiveDump() {}

  /** The option that makes this JVM write an archive; null if there is none in sight. */
  static String option() {
    try (InputStream in = new FileInputStream(COMMAND_LINE)) {
      final String found = option(new String(in.readAllBytes(), StandardCharsets.ISO_8859_1), "\0");
      if (found != null) {
        return found;
      }
    } catch (final IOException otherPlatform) {
      // The variables may still tell.
    }
    for (final String variable : VARIABLES) {
      final String value = System.getenv(variable);
      final String found = value == null ? null : option(value, " ");
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  /** The first option that writes an archive. */
  static String option(final String commandLine, final String separator) {
    for (final String argument : commandLine.split(separator)) {
      for (final String option : OPTIONS) {
        if (argument.startsWith(option)) {
          return argument;
        }
      }
    }
    return null;
  }
}
