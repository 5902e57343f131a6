// SPDX-License-Identifier: Apache-2.0
package io.headpond.nio;

import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

/**
 * Runs a JVM to its end.
 *
 * @param exitCode what it ended with
 * @param out its standard output
 * @param err its standard error
 */
record ChildJvm(int exitCode, String out, String err) {
  /** Sets the default provider without an agent. */
  static final String PROVIDER =
      "-D" + HeadpondAgent.PROVIDER_KEY + "=" + HeadpondFileSystemProvider.class.getName();

  private static final long SECONDS_MAX = 120;

  static ChildJvm run(final TestJdks jdk, final Path folder, final String... arguments)
      throws IOException, InterruptedException {
    final List<String> command = new ArrayList<>();
    command.add(jdk.home().resolve("bin/java").toString());
    command.addAll(List.of(arguments));
    final Path out = folder.resolve("out.txt");
    final Path err = folder.resolve("err.txt");
    final ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile());
    builder.environment().keySet().removeAll(List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"));
    final Process process = builder.start();
    if (!process.waitFor(SECONDS_MAX, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new IOException("no end after " + SECONDS_MAX + " s: " + command);
    }
    return new ChildJvm(process.exitValue(), Files.readString(out), Files.readString(err));
  }

  /** Puts the three built jars beside each other, as an installation has them. */
  static Path installPlugin(final Path folder) throws IOException {
    final Path plugin = copyJar(HeadpondAgent.class, folder);
    copyJar(classOf("io.headpond.observe.Observation"), folder);
    copyJar(classOf("io.headpond.store.config.StoreConfig"), folder);
    copyJar(classOf("io.headpond.pmem.Device"), folder);
    return plugin;
  }

  private static Class<?> classOf(final String name) {
    try {
      return Class.forName(name);
    } catch (final ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Path copyJar(final Class<?> type, final Path folder) throws IOException {
    final Path jar = location(type);
    if (!Files.isRegularFile(jar)) {
      throw new IOException("run this test after 'package': " + jar + " is not a jar");
    }
    return Files.copy(jar, folder.resolve(jar.getFileName()));
  }

  /**
   * Makes a jar.
   *
   * @param attribute a line of its manifest; may be empty
   */
  static Path jar(final Path jar, final String attribute, final Class<?>... classes)
      throws IOException {
    final Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    if (!attribute.isEmpty()) {
      final String[] parts = attribute.split(": ");
      manifest.getMainAttributes().putValue(parts[0], parts[1]);
    }
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar), manifest)) {
      for (final Class<?> type : classes) {
        final String name = type.getName().replace('.', '/') + ".class";
        out.putNextEntry(new JarEntry(name));
        try (InputStream in = type.getResourceAsStream("/" + name)) {
          in.transferTo(out);
        }
      }
    }
    return jar;
  }

  /** Where a class was loaded from. */
  static Path location(final Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (final URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }
}
