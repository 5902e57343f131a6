// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.harness.process.Engine;
import io.headpond.harness.process.EngineRelease;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every class of Kafka's server that writes files past the default file system provider, where
 * nothing waits for room at a full home. From the byte code.
 */
class KafkaFilesTest {
  /** What these write isn't seen. */
  private static final List<String> PAST =
      List.of("java/io/FileOutputStream", "java/io/RandomAccessFile", "java/io/FileWriter");

  /** Each with what follows if it finds no room. */
  private static final Map<String, String> KNOWN =
      Map.of(
          "CheckpointFile", "the log directory goes offline",
          "PartitionMetadataFile", "the log directory goes offline",
          "FileQuorumStateStore", "the log directory goes offline",
          "PropertiesUtils", "no start: meta.properties",
          "CleanShutdownFileHandler", "all is recovered at the next start",
          "AbstractIndex", "nothing: its segment's creation or append has waited for room before",
          "FileRecords", "the log directory goes offline; only with preallocate=true");

  private static final Pattern SERVER =
      Pattern.compile("kafka(_2\\.13|-(?!tools-|streams)[a-z-]*)-?\\d.*\\.jar");

  private final Set<String> found = new TreeSet<>();

  @ParameterizedTest
  @ValueSource(strings = {"3.9", "4.0", "4.4"})
  void allThatKafkaWritesPastTheProviderIsKnown(String release) throws IOException {
    EngineRelease kafka = Engine.KAFKA.find(release);
    for (Path jar : kafka.jars()) {
      if (SERVER.matcher(jar.getFileName().toString()).matches()) {
        collect(jar);
      }
    }
    assertThat(found).isEqualTo(KNOWN.keySet());
  }

  private void collect(Path jar) throws IOException {
    try (JarFile file = new JarFile(jar.toFile())) {
      Enumeration<JarEntry> entries = file.entries();
      while (entries.hasMoreElements()) {
        JarEntry entry = entries.nextElement();
        if (entry.getName().endsWith(".class") && writesPast(file, entry)) {
          found.add(simpleName(entry.getName()));
        }
      }
    }
  }

  /** Of the outermost class. */
  private static String simpleName(String entry) {
    return entry.replaceFirst(".*/", "").replaceFirst("[$.].*", "");
  }

  /** The names of the classes that it uses stand in a class file as they are. */
  private static boolean writesPast(JarFile file, JarEntry entry) throws IOException {
    String bytes =
        new String(file.getInputStream(entry).readAllBytes(), StandardCharsets.ISO_8859_1);
    return PAST.stream().anyMatch(bytes::contains);
  }
}
