// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.AccessibleObject;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The arrows between modules and packages, and what may be used inside a broker or a bookie. */
class ArchitectureTest {
  /** What runs inside an engine. */
  private static final List<String> PLUGINS =
      List.of("pmem", "store", "observe", "nio", "bookkeeper");

  private static final String STORE = "io.headpond.store";

  private static final List<String> OPERATORS = List.of("harness", "cli", "torture", "lab");

  /** The clients of the laboratory's engines, whose packages lie below the laboratory's. */
  private static final List<String> CLIENTS = List.of("lab-bookkeeper", "lab-pulsar");

  private static JavaClasses plugins;
  private static JavaClasses all;

  @BeforeAll
  static void load() {
    plugins = classes(PLUGINS.stream());
    all = classes(Stream.of(PLUGINS, OPERATORS, CLIENTS).flatMap(List::stream));
  }

  private static JavaClasses classes(final Stream<String> modules) {
    final List<Path> folders =
        modules.map(module -> Path.of("..", module, "target", "classes")).toList();
    assertThat(folders).allMatch(Files::isDirectory);
    return new ClassFileImporter().importPaths(folders);
  }

  /** Each module, and what it may use of the others. */
  static Stream<Arguments> arrows() {
    return Stream.of(
        Arguments.of("pmem", List.of()),
        Arguments.of("store", List.of("pmem")),
        Arguments.of("observe", List.of("pmem", "store")),
        Arguments.of("nio", List.of("pmem", "store", "observe")),
        Arguments.of("bookkeeper", List.of("pmem", "store", "observe")),
        Arguments.of("harness", List.of()),
        Arguments.of("cli", above("harness")),
        Arguments.of("torture", above("harness", "cli")),
        Arguments.of("lab-bookkeeper", List.of("harness", "lab")),
        Arguments.of("lab-pulsar", List.of("harness", "lab")),
        Arguments.of("lab", above("harness", "cli", "torture")));
  }

  private static List<String> above(final String... operators) {
    return Stream.concat(PLUGINS.stream(), Stream.of(operators)).toList();
  }

  @ParameterizedTest
  @MethodSource("arrows")
  void aModuleUsesOnlyModulesBelowIt(final String module, final List<String> below) {
    final String[] others =
        Stream.concat(PLUGINS.stream(), OPERATORS.stream())
            .filter(other -> !other.equals(module) && !below.contains(other))
            .map(ArchitectureTest::packagesOf)
            .toArray(String[]::new);
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(others)
        .check(classes(Stream.of(module)));
  }

  /** Names and texts in class files and pages; constants of other modules are inlined there too. */
  @Test
  void observeKnowsNoEngine() throws IOException {
    final Pattern engine = Pattern.compile("(?i)bookie|bookkeeper|kafka|pulsar");
    try (Stream<Path> files = Files.walk(Path.of("..", "observe", "target", "classes"))) {
      for (final Path file : files.filter(Files::isRegularFile).toList()) {
        assertThat(file.getFileName().toString()).doesNotContainPattern(engine);
        assertThat(Files.readString(file, StandardCharsets.ISO_8859_1))
            .as("the names and texts of " + file)
            .doesNotContainPattern(engine);
      }
    }
  }

  private static String packagesOf(final String module) {
    return "io.headpond." + module + "..";
  }

  @Test
  void aPlugInNeedsNothingButSlf4jAndItsEngine() {
    final ArchRule rule =
        noClasses()
            .that()
            .resideOutsideOfPackage("io.headpond.bookkeeper..")
            .should()
            .dependOnClassesThat(
                not(
                    resideInAnyPackage(
                        "java..",
                        "javax.management..",
                        "com.sun.management",
                        "com.sun.net.httpserver..",
                        "jdk.nio.mapmode",
                        "org.slf4j",
                        "io.headpond..")));
    rule.check(plugins);
    noClasses()
        .that()
        .resideInAPackage("io.headpond.bookkeeper..")
        .should()
        .dependOnClassesThat(
            not(
                resideInAnyPackage(
                    "java..",
                    "org.slf4j",
                    "org.apache.bookkeeper..",
                    "org.apache.commons.configuration2..",
                    "io.netty.buffer..",
                    "io.netty.util..",
                    "io.headpond..")))
        .check(plugins);
  }

  /**
   * Inside a broker the default file system is Headpond's own, which would be asked for itself. A
   * bookie has no such file system, and hands over files.
   */
  @Test
  void aPlugInMakesNoPathsOfTheDefaultFileSystem() {
    noClasses().should().callMethod(Path.class, "of", String.class, String[].class).check(plugins);
    noClasses()
        .should()
        .callMethod(Paths.class, "get", String.class, String[].class)
        .check(plugins);
    noClasses()
        .that()
        .resideOutsideOfPackage(packagesOf("bookkeeper"))
        .should()
        .callMethod(File.class, "toPath")
        .check(plugins);
  }

  /**
   * The engine's code takes the methods of a {@link Path} for arithmetic. Only {@code toUri} may
   * look at the disk besides, in the JDK's own path: whether it ends with a slash.
   */
  @Test
  void aPathMethodAsksNoDisk() {
    final JavaClass path = plugins.get("io.headpond.nio.HeadpondPath");
    final Set<String> asking = Set.of("toRealPath", "register");
    final Set<String> owners =
        Set.of(
            path.getName(),
            "java.io.File", // its constructor
            "java.lang.NullPointerException",
            "java.lang.Object",
            "java.nio.file.Path",
            "java.nio.file.ProviderMismatchException",
            "java.util.Objects");
    for (final JavaMethod method : path.getMethods()) {
      if (!asking.contains(method.getName())) {
        assertThat(method.getCallsFromSelf())
            .as(method.getFullName())
            .allMatch(call -> owners.contains(call.getTargetOwner().getName()))
            .noneMatch(call -> asking.contains(call.getName()))
            .allMatch(
                call ->
                    !call.getTargetOwner().isEquivalentTo(File.class)
                        || call.getName().equals("<init>"));
      }
    }
  }

  /** The other plug-ins list each of their forces, and tests leave it out. */
  @Test
  void whoHasNoListOfItsForcesHasNone() {
    noClasses()
        .that()
        .resideInAnyPackage(packagesOf("nio"), packagesOf("observe"))
        .should()
        .callMethod(FileChannel.class, "force", boolean.class)
        .check(plugins);
  }

  @Test
  void aPlugInDoesNotReachIntoTheJdk() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("sun..", "jdk.internal..", "java.lang.instrument..")
        .check(plugins);
    noClasses()
        .should()
        .callMethod(AccessibleObject.class, "setAccessible", boolean.class)
        .check(plugins);
  }

  @Test
  void packagesOfAModuleMakeNoCycle() {
    slices().matching("io.headpond.(**)").should().beFreeOfCycles().check(plugins);
    slices().matching("io.headpond.(**)").should().beFreeOfCycles().check(all);
  }

  @Test
  void everyPackageSaysWhatLivesInIt() throws IOException {
    final List<Path> packages;
    try (Stream<Path> files = Files.walk(Path.of(".."))) {
      packages =
          files
              .filter(file -> file.toString().contains("/src/main/java/"))
              .filter(file -> file.toString().endsWith(".java"))
              .map(Path::getParent)
              .distinct()
              .toList();
    }
    assertThat(packages).hasSizeGreaterThan(40);
    assertThat(packages).allMatch(folder -> Files.exists(folder.resolve("package-info.java")));
  }

  /** Tests let a store's time jump. */
  @Test
  void aStoreAsksNoClockButItsOwn() {
    noClasses()
        .that()
        .resideInAPackage(STORE + "..")
        .and()
        .haveNameNotMatching(".*TimeSource.*")
        .should()
        .callMethod(System.class, "nanoTime")
        .orShould()
        .callMethod(System.class, "currentTimeMillis")
        .orShould()
        .callMethod(Instant.class, "now")
        .check(plugins);
  }

  /** The packages below the open store, from the lowest on, and what each may use of it. */
  @ParameterizedTest
  @CsvSource({
    "event, event",
    "migrate, migrate",
    "layout, layout event",
    "config, config event migrate",
    "facts, facts event config migrate",
    "tier, tier facts event layout config migrate",
    "claim, claim tier facts event layout config",
    "home, home claim tier facts event layout config migrate",
    "segment, segment home tier facts event layout migrate",
    "partition, partition segment home claim tier facts event layout",
  })
  void aLeafOfTheStoreUsesOnlyLeavesBelowIt(final String leaf, final String below) {
    final String[] allowed =
        Stream.of(below.split(" ")).map(each -> STORE + "." + each).toArray(String[]::new);
    noClasses()
        .that()
        .resideInAPackage(STORE + "." + leaf)
        .should()
        .dependOnClassesThat(resideInAPackage(STORE + "..").and(not(resideInAnyPackage(allowed))))
        .check(plugins);
  }

  /**
   * A group of classes that need one another can only be understood, and changed, as a whole. A
   * file system, its provider and its paths name one another because {@code java.nio.file} asks for
   * it.
   */
  @ParameterizedTest
  @CsvSource({"pmem, 5", "store, 3", "observe, 5", "nio, 7", "bookkeeper, 5"})
  void noKnotOfMoreThanAHandfulOfClasses(final String module, final int most) {
    assertThat(new ClassKnots(classes(Stream.of(module))).largest())
        .as("classes that need one another")
        .hasSizeLessThanOrEqualTo(most);
  }
}
