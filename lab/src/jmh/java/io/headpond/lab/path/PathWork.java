// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.path;

import io.headpond.harness.process.FolderRemoval;
import java.io.IOException;
import java.io.Reader;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarFile;
import org.apache.kafka.common.TopicPartition;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Work of an application that starts: nothing in it is diverted. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class PathWork {
  private static final int FILES = 100;
  private static final int CLASSES = 200;
  private static final int KEYS = 100;

  private String folder;
  private URL jar;
  private List<String> classes;

  /** Makes the files; claims the store if {@code -Dheadpond.bench.claim} names a log directory. */
  @Setup
  public void prepare() throws IOException, URISyntaxException {
    final Path made = Files.createTempDirectory("headpond-path");
    folder = made.toString();
    final List<String> lines = new ArrayList<>();
    for (int i = 0; i < KEYS; i++) {
      lines.add("some.key.number." + i + "=some value, number " + i);
    }
    Files.write(made.resolve("server.properties"), lines);
    for (int i = 0; i < FILES; i++) {
      Files.write(made.resolve("file-" + i + ".class"), new byte[3000]);
    }
    jar = TopicPartition.class.getProtectionDomain().getCodeSource().getLocation();
    try (JarFile file = new JarFile(Path.of(jar.toURI()).toFile())) {
      classes =
          file.stream()
              .map(entry -> entry.getName())
              .filter(name -> name.startsWith("org/apache/kafka/common/requests/"))
              .filter(name -> name.endsWith("Request.class"))
              .map(name -> name.replace(".class", "").replace('/', '.'))
              .sorted()
              .limit(CLASSES)
              .toList();
    }
    final String logDir = System.getProperty("headpond.bench.claim");
    if (logDir != null) {
      FileChannel.open(
              Path.of(logDir, ".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)
          .close();
    }
  }

  /** Removes the files. */
  @TearDown
  public void remove() throws IOException {
    FolderRemoval.remove(Path.of(folder), true);
  }

  /** Finds and parses a file of 100 keys. */
  @Benchmark
  public int readConfiguration() throws IOException {
    final Path file = Path.of(folder, "server.properties");
    if (!Files.isRegularFile(file)) {
      throw new IOException(file + " is gone");
    }
    final Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(file)) {
      properties.load(reader);
    }
    return properties.size();
  }

  /** Loads about a hundred classes from a jar, with a loader of their own. */
  @Benchmark
  public int loadClasses() throws IOException, ClassNotFoundException {
    int sum = 0;
    try (URLClassLoader loader = new URLClassLoader(new URL[] {jar}, null)) {
      for (final String name : classes) {
        sum += Class.forName(name, false, loader).getModifiers();
      }
    }
    return sum;
  }

  /** Reads a hundred small files, as a loader of a class folder does. */
  @Benchmark
  public int readClassFiles() throws IOException {
    final Path directory = Path.of(folder);
    int sum = 0;
    for (int i = 0; i < FILES; i++) {
      sum += Files.readAllBytes(directory.resolve("file-" + i + ".class")).length;
    }
    return sum;
  }

  /** Lists a folder of about a hundred files and asks what each is. */
  @Benchmark
  public int listFolder() throws IOException {
    int found = 0;
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(Path.of(folder), "*.class")) {
      for (final Path entry : entries) {
        found += Files.isRegularFile(entry) ? 1 : 0;
      }
    }
    return found;
  }

  /** Asks for a file that is there. */
  @Benchmark
  public boolean askForPresent() {
    return Files.exists(Path.of(folder, "server.properties"));
  }

  /** Asks for a file that isn't there. */
  @Benchmark
  public boolean askForMissing() {
    return Files.exists(Path.of(folder, "missing.properties"));
  }

  /** Paths alone: no system call, so the wrapper itself shows. */
  @Benchmark
  public String pathsAlone() {
    return Path.of(folder).resolve("../x").normalize().getParent().toString();
  }
}
