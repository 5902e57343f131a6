// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.headpond.harness.process.Engine;
import io.headpond.harness.process.EngineRelease;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every class of Kafka's server that writes files past the default file system provider, and what
 * the provider sees before: there it waits for room at a full home. From the byte code.
 */
class KafkaFilesTest {
  /** What these write isn't seen. */
  private static final List<String> PAST =
      List.of("java/io/FileOutputStream", "java/io/RandomAccessFile", "java/io/FileWriter");

  private static final String FILE = "java.nio.file.Path.toFile";
  private static final String DELETION = "java.nio.file.Files.deleteIfExists";

  /** The call that is seen before each write; or why none has to be. */
  private static final Map<String, String> KNOWN =
      Map.of(
          "CheckpointFile", FILE,
          "PartitionMetadataFile", FILE,
          "FileQuorumStateStore", DELETION,
          "PropertiesUtils", "at the start: meta.properties",
          "CleanShutdownFileHandler", "right after the checkpoints; without it all is recovered",
          "AbstractIndex", "right after its segment's creation or append",
          "FileRecords", "only with preallocate=true, which is reported");

  private static final Pattern SERVER =
      Pattern.compile("kafka(_2\\.13|-(?!tools-|streams)[a-z-]*)-?\\d.*\\.jar");

  private final Map<String, JavaClass> found = new TreeMap<>();

  @ParameterizedTest
  @ValueSource(strings = {"3.9", "4.0", "4.3"})
  void allThatKafkaWritesPastTheProviderIsKnown(String release) throws IOException {
    EngineRelease kafka = Engine.KAFKA.find(release);
    for (Path jar : kafka.jars()) {
      if (SERVER.matcher(jar.getFileName().toString()).matches()) {
        collect(jar);
      }
    }
    assertThat(found.keySet()).isEqualTo(new TreeMap<>(KNOWN).keySet());
    found.forEach(
        (name, type) -> {
          String seen = KNOWN.get(name);
          if (seen.equals(FILE) || seen.equals(DELETION)) {
            assertSeen(type, seen);
          }
        });
  }

  private void collect(Path jar) throws IOException {
    try (JarFile file = new JarFile(jar.toFile())) {
      Enumeration<JarEntry> entries = file.entries();
      while (entries.hasMoreElements()) {
        JarEntry entry = entries.nextElement();
        if (entry.getName().endsWith(".class") && writesPast(file, entry)) {
          URI place = URI.create("jar:" + jar.toUri() + "!/" + entry.getName());
          for (JavaClass type : new ClassFileImporter().importUrl(place.toURL())) {
            found.put(type.getSimpleName(), type);
          }
        }
      }
    }
  }

  /** The names of the classes that it uses stand in a class file as they are. */
  private static boolean writesPast(JarFile file, JarEntry entry) throws IOException {
    String bytes =
        new String(file.getInputStream(entry).readAllBytes(), StandardCharsets.ISO_8859_1);
    return PAST.stream().anyMatch(bytes::contains);
  }

  /** The method that opens a stream makes that call before, itself or by a method of its class. */
  private static void assertSeen(JavaClass type, String seen) {
    List<JavaCodeUnit> writers =
        type.getConstructorCallsFromSelf().stream()
            .filter(call -> call.getTargetOwner().getName().equals("java.io.FileOutputStream"))
            .map(call -> call.getOrigin())
            .toList();
    assertThat(writers).as(type.getName()).isNotEmpty();
    for (JavaCodeUnit writer : writers) {
      int opens =
          writer.getConstructorCallsFromSelf().stream()
              .filter(call -> call.getTargetOwner().getName().equals("java.io.FileOutputStream"))
              .mapToInt(call -> call.getLineNumber())
              .min()
              .orElseThrow();
      assertThat(
              writer.getMethodCallsFromSelf().stream()
                  .filter(call -> call.getLineNumber() <= opens)
                  .anyMatch(
                      call ->
                          name(call.getTargetOwner(), call.getName()).equals(seen)
                              || call.getTargetOwner().equals(type)
                                  && calls(type, call.getName(), seen)))
          .as("%s sees %s first", writer.getFullName(), seen)
          .isTrue();
    }
  }

  private static boolean calls(JavaClass type, String method, String seen) {
    return type.getMethodCallsFromSelf().stream()
        .anyMatch(
            call ->
                call.getOrigin().getName().equals(method)
                    && name(call.getTargetOwner(), call.getName()).equals(seen));
  }

  private static String name(JavaClass owner, String method) {
    return owner.getName() + "." + method;
  }
}
