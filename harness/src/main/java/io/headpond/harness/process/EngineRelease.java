// SPDX-License-Identifier: Apache-2.0
package io.headpond.harness.process;

import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The jars of one unmodified release of an engine.
 *
 * @param version full version, taken from the name of the server's jar, as {@code 4.3.1}
 * @param jars every jar of its class path
 */
public record EngineRelease(String version, List<Path> jars) {

  public EngineRelease {
    jars = List.copyOf(jars);
  }

  /** The jars joined for {@code -cp}. */
  public String classPath() {
    return jars.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
  }

  /** True if this is {@code major.minor} or newer. */
  public boolean isAtLeast(int major, int minor) {
    String[] numbers = version.split("[.-]");
    int ownMajor = Integer.parseInt(numbers[0]);
    return ownMajor > major || ownMajor == major && Integer.parseInt(numbers[1]) >= minor;
  }
}
