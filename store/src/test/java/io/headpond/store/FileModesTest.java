// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.headpond.store.home.BallastSteps;
import io.headpond.store.layout.CopySteps;
import io.headpond.store.layout.HomeIdentity;
import io.headpond.store.layout.SegmentCopy;
import io.headpond.store.layout.SegmentName;
import io.headpond.store.layout.ShutdownCounts;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the store makes belongs to the engine's user and is open to nobody else but as Kafka's. */
final class FileModesTest {
  private static final int EVENTS = 400;
  private static final int OTHER_GROUP = 65_534;
  private static final int OTHER_USER = 12_345;
  private static final int BALLAST = 1 << 20;
  private static final int SETGID_MODE = 02755;

  /** Before the command of a process that can't give files away. */
  private static final List<String> LESS = without("-chown");

  /** Of one that can't write to another user's files either. */
  private static final List<String> LEAST = without("-chown,-dac_override");

  @TempDir Path root;

  private static List<String> without(final String capabilities) {
    return List.of(
        "setpriv",
        "--clear-groups",
        "--bounding-set=" + capabilities,
        "--inh-caps=" + capabilities);
  }

  @ParameterizedTest
  @CsvSource({"022, rw-r--r--, rwxr-xr-x", "077, rw-------, rwx------"})
  void nothingIsOpenWiderThanTheUmaskSays(
      final String umask, final String file, final String directory) throws Exception {
    final Path home = Files.createDirectory(root.resolve("home"));
    final Path tier = Files.createDirectory(root.resolve("tier"));
    run(umask, configuration(home, tier), List.of());
    final Set<String> modes = new TreeSet<>();
    for (final Path made : List.of(home, tier)) {
      try (Stream<Path> all = Files.walk(made)) {
        for (final Path path : all.filter(each -> !each.equals(made)).toList()) {
          if (!Files.isSymbolicLink(path)) {
            modes.add(
                (Files.isDirectory(path) ? directory : file)
                        .equals(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
                    ? "as the umask says"
                    : path + " " + Files.getPosixFilePermissions(path));
            assertThat(Files.getOwner(path, LinkOption.NOFOLLOW_LINKS))
                .isEqualTo(Files.getOwner(root));
          }
        }
      }
    }
    assertThat(modes).containsExactly("as the umask says");
  }

  /** As an engine's user that isn't in the group which its tier's directory gives to new files. */
  @Test
  void aGroupThatCannotBeKeptStopsNoMove() throws Exception {
    assumeRightsCanBeDropped();
    final Path home = Files.createDirectory(root.resolve("home"));
    final Path tier = Files.createDirectory(root.resolve("tier"));
    Files.setAttribute(tier, "unix:gid", OTHER_GROUP);
    Files.setAttribute(tier, "unix:mode", SETGID_MODE);
    final Path configuration = configuration(home, tier);
    final String errors = run("027", configuration, LESS);
    assertThat(errors).doesNotContain("HP0401", "HP0402", "HP07").containsOnlyOnce("HP0405");
    final Set<String> found = new TreeSet<>();
    try (Stream<Path> all = Files.walk(home)) {
      for (final Path path :
          all.filter(each -> SegmentName.matches(each.getFileName().toString())).toList()) {
        if (!Files.isSymbolicLink(path)) {
          found.add(mode(path) + " " + Files.getAttribute(path, "unix:gid"));
        }
      }
    }
    assertThat(found).as("of another group, whose members read nothing").contains("rw------- 0");
  }

  @Test
  void anotherGroupGetsNoRightToAFileThatIsReplaced() throws Exception {
    assumeRightsCanBeDropped();
    final Path file = counts("rw-rw----");
    Files.setAttribute(file, "unix:gid", OTHER_GROUP);
    assertThat(said(LESS, Replacement.class)).containsOnlyOnce("HP0405");
    assertThat(file).hasContent("modules=m=2");
    assertThat(mode(file) + " " + Files.getAttribute(file, "unix:gid")).isEqualTo("rw------- 0");
  }

  @Test
  void aFileIsNotReplacedByOneThatItsOwnerCannotRead() throws Exception {
    assumeRightsCanBeDropped();
    final Path file = counts("rw-------");
    Files.setAttribute(file, "unix:uid", OTHER_USER);
    Files.setAttribute(root, "unix:uid", OTHER_USER);
    assertThat(said(LESS, Replacement.class))
        .contains("can't be given to " + OTHER_USER, file.toString(), "chown -R root '" + root);
    assertThat(file).hasContent("modules=m=1");
    assertThat(Files.getAttribute(file, "unix:uid")).isEqualTo(OTHER_USER);
  }

  /** As the engine's user does with what a command of root has left in its log directory. */
  @Test
  void aFileInAUsersOwnDirectoryIsReplaced() throws Exception {
    assumeRightsCanBeDropped();
    final Path file = counts("rw-------");
    Files.setAttribute(file, "unix:uid", OTHER_USER);
    assertThat(said(LESS, Replacement.class)).doesNotContain("can't be given");
    assertThat(file).hasContent("modules=m=2");
    assertThat(Files.getAttribute(file, "unix:uid")).isEqualTo(0);
  }

  /** As a start as root leaves it in the log directory of the engine's user. */
  @ParameterizedTest
  @ValueSource(ints = {BALLAST / 4, BALLAST, 2 * BALLAST})
  void aBallastInAUsersOwnDirectoryIsReplaced(final int bytes) throws Exception {
    assumeRightsCanBeDropped();
    final Path ballast = Files.write(root.resolve(HomeIdentity.BALLAST), new byte[bytes]);
    Files.setAttribute(ballast, "unix:uid", OTHER_USER);
    assertThat(said(LEAST, BallastTaken.class)).isEmpty();
    assertThat(said(LEAST, BallastTaken.class)).as("of one that was given back").isEmpty();
    assertThat(Files.getAttribute(ballast, "unix:uid")).isEqualTo(0);
    assertThat(ballast).hasSize(BALLAST - BALLAST / BallastSteps.STEPS);
  }

  /** Takes a ballast and gives a part of it back. */
  static final class BallastTaken {
    private BallastTaken() {}

    public static void main(final String[] args) throws IOException {
      new BallastSteps(Path.of(args[0]), BALLAST).takeAndGiveBack();
    }
  }

  /** A small file that is replaced as a whole. */
  private Path counts(final String mode) throws IOException {
    ShutdownCounts.note(root, "m=1");
    final Path file = root.resolve(ShutdownCounts.FILE_NAME);
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
  }

  /** Runs a class with the directory in a process with fewer rights; what that says. */
  private String said(final List<String> rights, final Class<?> main) throws Exception {
    final List<String> command = new ArrayList<>(rights);
    command.addAll(java(main));
    command.add(root.toString());
    final Path errors = root.resolve("errors");
    final Process child = new ProcessBuilder(command).redirectError(errors.toFile()).start();
    assertThat(child.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return Files.readString(errors);
  }

  /** The command that runs a class's main method in a JVM like this one. */
  private static List<String> java(final Class<?> main) {
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-cp",
        System.getProperty("java.class.path"),
        main.getName());
  }

  /** Replaces the counts of a directory. */
  static final class Replacement {
    private Replacement() {}

    public static void main(final String[] args) throws IOException {
      ShutdownCounts.note(Path.of(args[0]), "m=2");
    }
  }

  private static void assumeRightsCanBeDropped() throws Exception {
    assumeTrue(
        "root".equals(System.getProperty("user.name")) && works(LESS), "root alone drops rights");
  }

  private static boolean works(final List<String> less) throws Exception {
    final List<String> command = new ArrayList<>(less);
    command.add("true");
    try {
      return new ProcessBuilder(command).start().waitFor() == 0;
    } catch (final IOException none) {
      return false;
    }
  }

  private Path configuration(final Path home, final Path tier) throws IOException {
    final Properties properties = new Properties();
    properties.setProperty("headpond.log.dirs", home.toString());
    properties.setProperty("headpond.tiers", "nvme");
    properties.setProperty("headpond.tier.nvme.paths", tier.toString());
    properties.setProperty("headpond.tier.nvme.capacity", "2MiB");
    properties.setProperty("headpond.home.reserve", "0%");
    final Path file = root.resolve("headpond.properties");
    try (Writer out = Files.newBufferedWriter(file)) {
      properties.store(out, null);
    }
    return file;
  }

  /** An engine in a process of its own, which appends until something was evacuated or moved. */
  private String run(final String umask, final Path configuration, final List<String> rights)
      throws Exception {
    final List<String> command =
        new ArrayList<>(List.of("sh", "-c", "umask $0; exec \"$@\"", umask));
    command.addAll(rights);
    command.addAll(java(CrashWriter.class));
    command.addAll(List.of(configuration.toString(), "2", "200000", "0", "1"));
    final Path errors = root.resolve("errors");
    final Process child = new ProcessBuilder(command).redirectError(errors.toFile()).start();
    try (BufferedReader out =
        new BufferedReader(
            new InputStreamReader(child.getInputStream(), StandardCharsets.US_ASCII))) {
      int events = 0;
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        assertThat(line).as(Files.readString(errors)).doesNotStartWith("FAILED");
        if (++events == EVENTS) {
          child.getOutputStream().close();
        }
      }
      assertThat(child.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(child.exitValue()).as(Files.readString(errors)).isZero();
      return Files.readString(errors);
    } finally {
      child.destroyForcibly().waitFor();
    }
  }

  @Test
  void aCopyInTheMakingIsOpenToItsOwnerOnly() throws Exception {
    final Path source = Files.write(root.resolve("source"), new byte[1_000]);
    Files.setPosixFilePermissions(source, PosixFilePermissions.fromString("rw-r-----"));
    final Path target = root.resolve("headpond-0123456789abcdef.move");
    final Set<String> seen = new TreeSet<>();
    try (SegmentCopy copy =
        new SegmentCopy(
            source, target, false, new CopySteps(() -> 0), bytes -> seen.add(mode(target)))) {
      copy.copyRest(1_000);
      copy.keepAttributes();
    }
    assertThat(seen).containsExactly("rw-------");
    assertThat(mode(target)).isEqualTo("rw-r-----");
  }

  private static String mode(final Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }
}
