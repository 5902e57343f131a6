// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut;

import io.headpond.harness.process.OwnJar;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.LoggerFactory;

/** The jars of the guest's own programs, gathered in a folder of the host. */
public final class Programs {
  private Programs() {}

  /** The folder {@code lib} below {@code folder}, to give to {@link Guest#boot}. */
  public static Path gather(Path folder) throws IOException {
    List<Path> jars = own("torture", "store", "pmem");
    jars.add(OwnJar.location(LoggerFactory.class));
    jars.add(OwnJar.location(LoggerFactory.getILoggerFactory().getClass()));
    return gather(folder.resolve("lib"), jars);
  }

  /** The jars of Headpond's modules. */
  static List<Path> own(String... modules) throws IOException {
    List<Path> jars = new ArrayList<>();
    for (String module : modules) {
      jars.add(OwnJar.find(module));
    }
    return jars;
  }

  /** Copies jars, with their times, into a folder, which is made. */
  static Path gather(Path folder, List<Path> jars) throws IOException {
    Files.createDirectories(folder);
    for (Path jar : jars) {
      Files.copy(
          jar,
          folder.resolve(jar.getFileName()),
          StandardCopyOption.REPLACE_EXISTING,
          StandardCopyOption.COPY_ATTRIBUTES);
    }
    return folder;
  }

  /** Copies a folder and all that is in it. */
  static void copy(Path source, Path target) throws IOException {
    try (Stream<Path> files = Files.walk(source)) {
      for (Path file : files.toList()) {
        Path to = target.resolve(source.relativize(file).toString());
        Files.createDirectories(to.getParent());
        Files.copy(
            file, to, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.COPY_ATTRIBUTES);
      }
    }
  }

  /** The jars of a gathered folder as the guest's class path, always in the same order. */
  static String classPath(Path gathered) throws IOException {
    try (Stream<Path> jars = Files.list(gathered)) {
      return jars.map(jar -> "/app/" + gathered.getFileName() + "/" + jar.getFileName())
          .sorted()
          .collect(Collectors.joining(":"));
    }
  }

  /** True if this build has the layer for Java 22 and newer, and with it libpmem. */
  public static boolean haveLibpmem() throws IOException {
    try (JarFile jar = new JarFile(OwnJar.find("pmem").toFile())) {
      return jar.stream().anyMatch(entry -> entry.getName().startsWith("META-INF/versions/22/"));
    }
  }
}
