// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests.powercut;

import io.headpond.pmem.Device;
import io.headpond.store.TieredStore;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.LoggerFactory;

/** The jars and programs that a guest finds below /app, gathered in a folder of the host. */
final class Programs {
  private static final String PACKAGE = Programs.class.getPackageName().replace('.', '/');

  private final Path lib;
  private final Path classes;

  Programs(Path folder) throws IOException {
    lib = folder.resolve("lib");
    classes = folder.resolve("classes");
    Files.createDirectories(lib);
    for (Class<?> of :
        List.of(
            Device.class,
            TieredStore.class,
            LoggerFactory.class,
            LoggerFactory.getILoggerFactory().getClass())) {
      Path jar = origin(of);
      if (!Files.isRegularFile(jar)) {
        throw new IOException(
            jar + " is no jar: the guest needs packaged modules, with their layer for Java 22");
      }
      Files.copy(jar, lib.resolve(jar.getFileName()));
    }
    Path target = Files.createDirectories(classes.resolve(PACKAGE));
    try (Stream<Path> found = Files.list(origin(Programs.class).resolve(PACKAGE))) {
      for (Path file : found.toList()) {
        Files.copy(file, target.resolve(file.getFileName()));
      }
    }
  }

  private static Path origin(Class<?> of) {
    return Path.of(URI.create(of.getProtectionDomain().getCodeSource().getLocation().toString()));
  }

  /** To give to {@link Guest#boot}. */
  List<Path> files() {
    return List.of(lib, classes);
  }
}
