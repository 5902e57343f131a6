// SPDX-License-Identifier: Apache-2.0
package io.headpond.harness.kafka;

import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The way in which a broker's JVM gets Headpond's file system provider.
 *
 * @param jar headpond-nio's jar, its siblings beside it
 * @param start by which of the JDK's ways it is switched on
 */
public record PlugIn(Path jar, Start start) {

  private static final String PROVIDER = "io.headpond.nio.HeadpondFileSystemProvider";

  /** The ways an operator can switch the provider on. */
  public enum Start {
    /** {@code -javaagent:JAR=CONFIG}. */
    AGENT,
    /** {@code CLASSPATH=JAR} and the JDK's property that names the provider. */
    CLASS_PATH
  }

  /**
   * The plug-in that belongs to this build: the jar that the system property {@code
   * headpond.plugin.jar} names, or the one this JVM's own class path holds.
   */
  public static PlugIn find(Start start) throws IOException {
    String named = System.getProperty("headpond.plugin.jar");
    Path jar = named != null ? Path.of(named) : ownClassPath();
    if (!Files.isRegularFile(jar)) {
      throw new IOException(
          "the plug-in must be a jar, but "
              + jar
              + " isn't one; name it by -Dheadpond.plugin.jar=JAR");
    }
    return new PlugIn(jar.toAbsolutePath(), start);
  }

  /** Arguments of the JVM that switch it on with the configuration in {@code config}. */
  List<String> jvmArguments(Path config) {
    return switch (start) {
      case AGENT -> List.of("-javaagent:" + jar + "=" + config);
      case CLASS_PATH ->
          List.of(
              "-Djava.nio.file.spi.DefaultFileSystemProvider=" + PROVIDER,
              "-Dheadpond.config=" + config);
    };
  }

  private static Path ownClassPath() throws IOException {
    URL marker = PlugIn.class.getResource("/io/headpond/nio/HeadpondFileSystemProvider.class");
    if (marker == null || !marker.getProtocol().equals("jar")) {
      throw new IOException(
          "headpond-nio's jar isn't on the class path of this JVM; name it by -Dheadpond.plugin.jar=JAR");
    }
    String spec = marker.getPath();
    return Path.of(URI.create(spec.substring(0, spec.indexOf("!/"))));
  }
}
