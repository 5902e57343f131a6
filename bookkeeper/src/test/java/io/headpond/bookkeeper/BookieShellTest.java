// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * BookKeeper's own shell, with the class path that its script makes of what docs/pulsar.md says.
 */
class BookieShellTest {
  private static final Pattern EXPORT = Pattern.compile(" +export ([A-Z_]+_CLASSPATH)=\"(.*)\"");
  private static final String JARS = "/opt/headpond/lib/*";
  private static final int LIMIT_SECONDS = 60;

  @TempDir Path folder;

  /** As a shell that reads conf/bkenv.sh sets them. */
  private static Map<String, String> documented() throws IOException {
    Map<String, String> set = new TreeMap<>();
    for (String line : Files.readAllLines(Path.of("..", "docs", "pulsar.md"))) {
      Matcher export = EXPORT.matcher(line);
      if (export.matches()) {
        String value = export.group(2);
        for (Map.Entry<String, String> before : set.entrySet()) {
          value = value.replace("$" + before.getKey(), before.getValue());
        }
        set.put(export.group(1), value);
      }
    }
    return set;
  }

  /** Headpond's classes, or everything else of this JVM's class path. */
  private static String classPath(boolean headpond) {
    List<String> entries = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      boolean ours = entry.endsWith("target/classes") || entry.contains("headpond-");
      if (ours == headpond && !entry.endsWith("test-classes")) {
        entries.add(entry);
      }
    }
    return String.join(File.pathSeparator, entries);
  }

  private String lastMark(String extraClassPath) throws IOException, InterruptedException {
    BookieDirectories bookie = new BookieDirectories(folder);
    bookie.checkpoint(0x1234, 5632);
    Path configuration =
        Files.writeString(
            folder.resolve("bookkeeper.conf"),
            "journalDirectories="
                + bookie.journals.getParent()
                + "\nledgerDirectories="
                + bookie.ledgers.getParent()
                + "\njournalChannelProvider="
                + BookieDirectories.OURS
                + "\nmetadataServiceUri=null\n");
    Path output = folder.resolve("output");
    Process shell =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                classPath(false)
                    + File.pathSeparator
                    + extraClassPath.replace(JARS, classPath(true)),
                "org.apache.bookkeeper.bookie.BookieShell",
                "-conf",
                configuration.toString(),
                "lastmark")
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertThat(shell.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
    } finally {
      shell.destroyForcibly();
    }
    return Files.readString(output);
  }

  @Test
  void lastMarkIsShownWithTheClassPathOfTheDocumentation() throws Exception {
    assertThat(lastMark(documented().getOrDefault("BOOKIE_EXTRA_CLASSPATH", "")))
        .contains("1234.txn", "5632");
  }

  /** Why: the shell makes a journal, and that its provider. */
  @Test
  void lastMarkNeedsTheJournalsProvider() throws Exception {
    assertThat(lastMark("")).contains(BookieDirectories.OURS).doesNotContain("1234.txn");
  }
}
