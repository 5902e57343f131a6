// SPDX-License-Identifier: Apache-2.0
package io.headpond.dist;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.dist.BillOfMaterials.Component;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What the archives bundle of others: each library is in the bill of materials, with a licence
 * whose text comes along, and its notices are passed on. {@code -Dheadpond.docs.write=true} writes
 * the list and the notices anew, into src/licenses, where texts are added by hand.
 */
class BundledLicencesIT {
  private static final Path SOURCES = Path.of("src/licenses").toAbsolutePath();
  private static final Pattern NOTICE = Pattern.compile("(META-INF/)?NOTICE(\\.txt|\\.md)?");

  private static final Pattern LICENCE =
      Pattern.compile("(META-INF/)?LICENSE(-[A-Za-z]+)?(\\.txt|\\.md)?");

  /** The licence under which most are bundled, whose text is Headpond's own. */
  private static final String APACHE = "Apache-2.0";

  /** Characters of a licence's text that are its title at least, and no more than two lines. */
  private static final int TITLE_LENGTH = 60;

  /** Names that libraries give to their licences, where CycloneDX finds no identifier. */
  private static final Map<String, String> IDENTIFIERS =
      Map.of(
          "Apache License, 2.0", APACHE,
          "GNU General Public License (GPL), version 2, with the Classpath exception",
              "GPL-2.0-with-classpath-exception",
          "The GNU General Public License (GPL), Version 2, With Classpath Exception",
              "GPL-2.0-with-classpath-exception",
          "The (New) BSD License", "BSD-3-Clause",
          "Go License", "BSD-3-Clause");

  @TempDir Path root;

  @ParameterizedTest
  @ValueSource(strings = {Archive.OPERATORS, Archive.LABORATORY})
  void theBillOfMaterialsHasEveryJarByItsChecksum(String property) throws Exception {
    Archive archive = Archive.unpack(property, root);
    BillOfMaterials bill = BillOfMaterials.read(archive.resolve("sbom"));
    assertThat(archive.bundledJars()).isNotEmpty();
    for (Path jar : archive.bundledJars()) {
      assertThat(bill.of(jar)).as(jar.toString()).isNotNull();
      assertThat(bill.of(jar).sha256()).as(jar.toString()).isEqualTo(sha256(jar));
    }
  }

  private static String sha256(Path file) throws Exception {
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    return HexFormat.of().formatHex(digest.digest(Files.readAllBytes(file)));
  }

  @ParameterizedTest
  @ValueSource(strings = {Archive.OPERATORS, Archive.LABORATORY})
  void everyLibraryIsListedAndItsLicenceHasAText(String property) throws Exception {
    Archive archive = Archive.unpack(property, root);
    BillOfMaterials bill = BillOfMaterials.read(archive.resolve("sbom"));
    List<String> texts = names(archive.resolve("licenses"));
    texts.removeAll(List.of("README.md", "NOTICE.txt"));
    TreeSet<String> used = new TreeSet<>();
    TreeMap<String, String> rows = new TreeMap<>();
    for (Path jar : archive.bundledJars()) {
      Component library = bill.of(jar);
      List<String> licences =
          library.licences().stream().map(l -> IDENTIFIERS.getOrDefault(l, l)).distinct().toList();
      String text = text(library.name(), licences, jar, texts);
      used.add(text);
      rows.put(
          library.name(),
          "| " + library.name() + " | " + String.join(", ", licences) + " | " + text + " |\n");
    }
    used.removeIf(text -> !texts.contains(text));
    assertThat(texts).as("texts that nothing needs").containsExactlyInAnyOrderElementsOf(used);
    assertWritten(
        archive,
        "README.md",
        "# Libraries of others\n\n"
            + "What this archive bundles, with versions and checksums: the documents in `../sbom`"
            + " (CycloneDX).\nTheir notices: [NOTICE.txt](NOTICE.txt). Headpond itself:"
            + " [LICENSE](../LICENSE), [NOTICE](../NOTICE).\n\n"
            + "Of several licences, those of the text that is named hold here.\n\n"
            + "| library | licence | text |\n|---|---|---|\n"
            + String.join("", rows.values()));
  }

  private static List<String> names(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return new ArrayList<>(files.map(file -> file.getFileName().toString()).sorted().toList());
    }
  }

  /**
   * A text that comes along is the one that a library brings in its jar, where it brings one: word
   * for word, as far as a licence has terms.
   */
  @ParameterizedTest
  @ValueSource(strings = {Archive.OPERATORS, Archive.LABORATORY})
  void textsAreThoseOfTheJarsThatHaveOne(String property) throws Exception {
    Archive archive = Archive.unpack(property, root);
    BillOfMaterials bill = BillOfMaterials.read(archive.resolve("sbom"));
    List<String> texts = names(archive.resolve("licenses"));
    TreeSet<String> compared = new TreeSet<>();
    for (Path jar : archive.bundledJars()) {
      String inside = entry(jar, LICENCE);
      Component library = bill.of(jar);
      for (String licence : library.licences()) {
        String identifier = IDENTIFIERS.getOrDefault(licence, licence);
        String own = ofLibrary(library.name(), identifier, texts);
        String text =
            own != null ? own : identifier.equals(APACHE) ? "../LICENSE" : identifier + ".txt";
        Path file = archive.resolve("licenses").resolve(text);
        if (inside == null || Files.notExists(file)) {
          continue;
        }
        String ours = words(Files.readString(file));
        String theirs = words(read(jar, inside));
        // Some name a licence in place of its text.
        if (own != null || theirs.contains(ours.substring(0, TITLE_LENGTH))) {
          assertThat(theirs).as(inside + " in " + jar + ", beside " + text).contains(ours);
          compared.add(text);
        }
      }
    }
    assertThat(compared).as("texts that were compared with a jar's").contains("../LICENSE");
    assertThat(compared.contains("EPL-2.0.txt")).isEqualTo(texts.contains("EPL-2.0.txt"));
  }

  /** The text of a licence in the name of the holders of a library's rights; null if none is. */
  private static String ofLibrary(String library, String licence, List<String> texts) {
    return texts.stream()
        .filter(text -> text.endsWith("." + licence + ".txt"))
        .filter(text -> library.startsWith(text.substring(0, text.indexOf("." + licence))))
        .findFirst()
        .orElse(null);
  }

  private static String words(String text) {
    return text.split("END OF TERMS AND CONDITIONS")[0].replaceAll("[^A-Za-z0-9]+", " ").strip();
  }

  /**
   * Where the text is under which a library is bundled: a file of all libraries that begin with its
   * name's first part, as {@code slf4j.MIT.txt}; or the one that its jar brings; or the text of one
   * of its licences, if that names no holder of rights.
   */
  private static String text(String library, List<String> licences, Path jar, List<String> texts)
      throws IOException {
    for (String licence : licences) {
      String own = ofLibrary(library, licence, texts);
      if (own != null) {
        return own;
      }
    }
    String inside = entry(jar, LICENCE);
    if (inside != null) {
      return inside + " in its jar";
    }
    if (licences.contains(APACHE)) {
      return "../LICENSE";
    }
    return licences.stream()
        .map(licence -> licence + ".txt")
        .filter(texts::contains)
        .findFirst()
        .orElseThrow(
            () -> new AssertionError(library + ", of " + licences + ", has no text of a licence"));
  }

  /** Name of the first entry of a jar that is such a file; null if it has none. */
  private static String entry(Path jar, Pattern name) throws IOException {
    try (JarFile file = new JarFile(jar.toFile())) {
      return file.stream()
          .map(JarEntry::getName)
          .filter(each -> name.matcher(each).matches())
          .findFirst()
          .orElse(null);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {Archive.OPERATORS, Archive.LABORATORY})
  void theNoticesOfLibrariesArePassedOn(String property) throws Exception {
    Archive archive = Archive.unpack(property, root);
    BillOfMaterials bill = BillOfMaterials.read(archive.resolve("sbom"));
    Map<String, TreeSet<String>> libraries = new LinkedHashMap<>();
    for (Path jar : archive.bundledJars()) {
      String notice = notice(jar);
      if (!notice.isEmpty()) {
        libraries.computeIfAbsent(notice, text -> new TreeSet<>()).add(bill.of(jar).name());
      }
    }
    StringBuilder all = new StringBuilder("Notices of the libraries that this archive bundles.\n");
    libraries.forEach(
        (notice, names) ->
            all.append("\n==== ")
                .append(String.join(", ", names))
                .append("\n\n")
                .append(notice)
                .append("\n"));
    assertWritten(archive, "NOTICE.txt", all.toString());
  }

  private static String notice(Path jar) throws IOException {
    String notice = entry(jar, NOTICE);
    if (notice == null) {
      return "";
    }
    return read(jar, notice).replace("\r", "").replaceAll("(?m)[ \t]+$", "").strip();
  }

  private static String read(Path jar, String entry) throws IOException {
    try (JarFile file = new JarFile(jar.toFile());
        InputStream in = file.getInputStream(file.getEntry(entry))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static void assertWritten(Archive archive, String name, String text) throws IOException {
    boolean lab = archive.folder().getFileName().toString().startsWith("headpond-lab-");
    Path source = SOURCES.resolve(lab ? "lab" : "headpond").resolve(name);
    if (Boolean.getBoolean("headpond.docs.write")) {
      Files.writeString(source, text);
    }
    assertThat(source)
        .as("run this test with -Dheadpond.docs.write=true to bring it up to date")
        .hasContent(text);
  }
}
