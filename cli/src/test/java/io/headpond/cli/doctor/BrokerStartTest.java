// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.doctor;

import static io.headpond.cli.Run.succeeds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.headpond.cli.Run;
import io.headpond.cli.logdir.LockHolder;
import io.headpond.store.event.EventCode.Words;
import io.headpond.store.layout.HomeIdentity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The states in which a broker may find its directories: doctor counts something wrong where the
 * real store refuses the start, with the refusal's code and remedy, and nowhere else. It leaves
 * everything as it was.
 */
class BrokerStartTest {
  @TempDir Path root;
  private BrokerFiles files;

  @BeforeEach
  void directories() throws IOException {
    files = new BrokerFiles(root);
  }

  static Stream<BrokerStates.State> states() {
    return Stream.of(
            BrokerStates.configurations(), BrokerStates.tiers(), BrokerStates.logDirectories())
        .flatMap(each -> each);
  }

  @ParameterizedTest
  @MethodSource("states")
  void isWrongExactlyWhereAStartIsRefused(BrokerStates.State state) throws Exception {
    state.spoil().in(files);
    Map<Path, String> before = files.everything();
    Run run = files.doctor();
    assertThat(files.everything()).as("what doctor leaves").isEqualTo(before);
    Optional<Words> refusal = files.refusal();
    assertThat(refusal.map(words -> words.code().code()).orElse(BrokerStates.STARTS))
        .isEqualTo(state.code());
    assertThat(run.exitCode()).as(run.out()).isEqualTo(refusal.isPresent() ? 1 : 0);
    assertThat(run.out().contains("\n0 things wrong")).as(run.out()).isEqualTo(refusal.isEmpty());
    refusal.ifPresent(
        words -> {
          String remedy =
              state.remedy() == BrokerStates.THE_STORES_OWN ? words.remedy() : state.remedy();
          assertThat(run.out()).contains(words.finding()).contains(remedy);
          if (!remedy.startsWith("mkdir")) {
            assertThat(run.out()).doesNotContain("mkdir");
          }
        });
  }

  @Test
  void aLogDirectoryThatIsLeftOutIsCalledThat() throws Exception {
    Files.delete(files.twoLogDirs().used().file());
    assertThat(files.doctor().out())
        .containsPattern("wrong +HP0112 " + files.logDir + ".*leaves .* out .*HP0117")
        .contains("1 thing wrong");
  }

  @Test
  void whatAStartOnlyWarnsOfIsAWarning() throws Exception {
    Files.createSymbolicLink(files.used().logDir.resolve("u-0"), root.resolve("none"));
    assertThat(files.doctor().out()).containsPattern("warning +HP0201 .*u-0");
    files.away(files.logDir);
    Files.createDirectory(files.logDir);
    assertThat(files.doctor().out()).containsPattern("warning +HP0204 .*that is not there");
    Files.delete(files.logDir);
    assertThat(files.doctor().out())
        .containsPattern("warning +" + files.logDir + ": isn't there; Kafka without ZooKeeper ends")
        .contains("if it is new: kafka-storage.sh format --ignore-formatted");
  }

  @Test
  void anEngineThatHoldsTheTierAloneIsAnotherOne() throws Exception {
    files.used();
    try (LockHolder engine = new LockHolder(files.tier.resolve(".headpond.lock"))) {
      assertThat(files.refusal().orElseThrow().code().code()).isEqualTo("HP0106");
      Run run = files.doctor();
      assertThat(run.exitCode()).isEqualTo(1);
      assertThat(run.out())
          .contains("HP0106 tier fast: " + files.tier)
          .contains("another engine (process " + engine.pid() + ")")
          .contains("give each engine a tier directory of its own");
    }
  }

  @Test
  void aRunningBrokerIsNamedAndLeftAlone() throws Exception {
    Files.delete(files.used().file()); // as beside one that is deleting
    Path lock = Files.createFile(files.logDir.resolve(".lock"));
    Map<Path, String> before = files.everything();
    try (LockHolder broker = new LockHolder(lock, files.tier.resolve(".headpond.lock"))) {
      Run run = files.doctor();
      assertThat(run.exitCode()).as(run.out()).isZero();
      assertThat(run.out())
          .contains(files.logDir + ": is in use by process " + broker.pid())
          .contains("headpond verify " + files.logDir)
          .contains(files.tier + ": is in use by process " + broker.pid());
      assertThat(files.everything()).isEqualTo(before);
      files.away(files.tier);
      assertThat(files.doctor().out()).contains("HP0102 tier fast").doesNotContain("mkdir");
    }
  }

  @Test
  void aBrokerWithoutHeadpondIsToldFromOneWithIt() throws Exception {
    Path lock = Files.createFile(files.used().logDir.resolve(".lock"));
    try (LockHolder broker = new LockHolder(lock)) {
      assertThat(files.doctor().out())
          .contains("is in use by process " + broker.pid())
          .containsPattern("advice +" + files.tier + ": isn't in use, .*without Headpond");
    }
  }

  @Test
  void whatKafkaItselfRefusesIsWrongToo() throws Exception {
    Path link = Files.createSymbolicLink(files.root.resolve("link"), files.logDir);
    files.set("log.dirs", files.logDir + "," + link);
    assertThat(files.doctor().out()).contains("is the same log directory as " + files.logDir);
    Path nowhere = Files.createSymbolicLink(files.root.resolve("mnt"), files.root.resolve("gone"));
    files.set("log.dirs", nowhere.toString());
    assertThat(files.doctor().out()).contains(nowhere + ": is a link that leads nowhere");
    files.set("log.dirs", files.configuration.toString());
    assertThat(files.doctor().out()).contains(files.configuration + ": isn't a directory");
    Path missing = files.root.resolve("missing");
    files.set("log.dirs", files.logDir + "," + missing).set("process.roles", "broker");
    Run run = files.doctor();
    assertThat(run.out()).containsPattern("wrong +" + missing + ": isn't there, and Kafka ends");
    assertThat(run.exitCode()).isEqualTo(1);
  }

  @Test
  void aTierThatIsReadOnlyBelowARunningBrokerIsWrong() throws Exception {
    Path lock = Files.createFile(files.used().logDir.resolve(".lock"));
    String tier = files.tier.toString();
    try (LockHolder broker = new LockHolder(lock, files.tier.resolve(".headpond.lock"))) {
      assertThat(broker.pid()).isPositive();
      assertThat(files.doctor().exitCode()).isZero();
      assumeThat(succeeds("mount", "--bind", tier, tier)).isTrue();
      try {
        assumeThat(succeeds("mount", "-o", "remount,bind,ro", tier)).isTrue();
        Run run = files.doctor();
        assertThat(run.exitCode()).as(run.out()).isEqualTo(1);
        assertThat(run.out())
            .containsPattern("wrong +HP0115 tier fast: .*read-only; .* its next start is refused")
            .contains("dmesg");
      } finally {
        succeeds("umount", tier);
      }
    }
  }

  /** An overlay of two file systems shows files by another device than the table of locks. */
  @Test
  void aBrokerWhoseLocksShowNoProcessIsNoOtherOne() throws Exception {
    String lower = files.used().logDir.toString();
    String layers = Files.createDirectory(files.root.resolve("layers")).toString();
    String options =
        String.format("lowerdir=%s,upperdir=%s/upper,workdir=%s/work", lower, layers, layers);
    assumeThat(succeeds("mount", "-t", "tmpfs", "layers", layers)).isTrue();
    try {
      assertThat(succeeds("mkdir", layers + "/upper", layers + "/work")).isTrue();
      assumeThat(succeeds("mount", "-t", "overlay", "-o", options, "overlay", lower)).isTrue();
      Path lock = Files.createFile(files.logDir.resolve(".lock"));
      try (LockHolder broker = new LockHolder(lock, files.tier.resolve(".headpond.lock"))) {
        Run run = files.doctor();
        assertThat(run.exitCode()).as(run.out()).isZero();
        assertThat(run.out()).contains(files.tier + ": is in use by process " + broker.pid());
      } finally {
        succeeds("umount", lower);
      }
    } finally {
      succeeds("umount", layers);
    }
  }

  /** After an error of its journal an ext4 takes nothing more, and the mount needn't show it. */
  @Test
  void aDiskThatTakesNothingAfterAnErrorIsCalledReadOnly() throws Exception {
    String image = files.root.resolve("image").toString();
    String logDir = files.logDir.toString();
    assumeThat(succeeds("truncate", "-s", "16M", image)).isTrue();
    assumeThat(succeeds("mkfs.ext4", "-q", "-F", image)).isTrue();
    assumeThat(succeeds("mount", "-o", "loop", image, logDir)).isTrue();
    try {
      assertThat(files.doctor().out()).doesNotContain("HP0116");
      assumeThat(succeeds("mount", "-o", "remount,abort", logDir)).isTrue();
      assertThat(files.doctor().out())
          .containsPattern("wrong +HP0116 " + logDir + ": .* its file system is mounted read-only")
          .contains("look at dmesg");
    } finally {
      succeeds("umount", logDir);
    }
  }

  @Test
  void aFullLogDirectoryWithoutBallastIsWrong() throws Exception {
    String logDir = files.logDir.toString();
    assumeThat(succeeds("mount", "-t", "tmpfs", "-o", "size=4m", "full", logDir)).isTrue();
    try {
      assertThat(files.doctor().out()).doesNotContain("HP0321");
      Path ballast = Files.write(files.logDir.resolve(HomeIdentity.BALLAST), new byte[2 << 20]);
      Files.write(files.logDir.resolve("others"), new byte[3 << 19]);
      assertThat(files.doctor().out()).as("it makes room").doesNotContain("HP0321");
      Files.delete(ballast);
      Files.write(files.logDir.resolve("more"), new byte[2 << 20]);
      Run run = files.doctor();
      assertThat(run.exitCode()).isEqualTo(1);
      assertThat(run.out())
          .containsPattern("wrong +HP0321 " + logDir + ": its disk is full \\(.* free\\)");
    } finally {
      succeeds("umount", logDir);
    }
  }

  @Test
  void whatStandsInPlaceOfATierIsTold() throws Exception {
    Files.delete(files.tier);
    Files.createFile(files.tier);
    assertThat(files.doctor().out())
        .contains("HP0102 tier fast: " + files.tier + " is not there: it is a file");
    Files.delete(files.tier);
    Files.createSymbolicLink(files.tier, files.root.resolve("gone"));
    assertThat(files.doctor().out())
        .contains(files.tier + " is not there: it is a link that leads");
    assertThat(files.refusal().orElseThrow().finding()).endsWith("a link that leads nowhere");
  }

  @Test
  void rootIsToldThatTheBrokersUserMayNotWrite() throws Exception {
    assumeThat(System.getProperty("user.name")).isEqualTo("root");
    files.used();
    openToAll();
    UserPrincipal nobody = nobody();
    assertThat(files.doctor().out()).doesNotContain("HP0115");
    Files.setOwner(files.logDir, nobody);
    Run run = files.doctor();
    assertThat(run.exitCode()).as(run.out()).isZero();
    assertThat(run.out())
        .containsPattern("warning +HP0115 tier fast: .* runs as nobody has no right to write there")
        .containsPattern("chown -R nobody:\\S+ '" + files.tier + "'");
    Files.setOwner(files.tier, nobody); // but not what is in it
    assertThat(files.doctor().out()).contains("HP0115");
    Path segments = files.tier.resolve("segments");
    Path ofTheLogDir = segments.resolve(HomeIdentity.read(files.logDir).orElseThrow().id() + "");
    for (Path inner : List.of(files.tier.resolve(".headpond.lock"), segments, ofTheLogDir)) {
      assertThat(files.doctor().out()).contains("HP0115");
      Files.setOwner(inner, nobody);
    }
    assertThat(files.doctor().out()).doesNotContain("HP0115");
    Path missing = files.root.resolve("missing");
    files.set("headpond.tier.fast.paths", files.tier + "," + missing);
    assertThat(files.doctor().out())
        .containsPattern("mkdir -p '" + missing + "' && chown nobody:\\S+ '" + missing + "'");
  }

  /** A temporary folder of a test is its user's alone. */
  private void openToAll() throws IOException {
    Files.setPosixFilePermissions(files.root, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  @Test
  void rootIsToldThatTheBrokersUserCantComeToATier() throws Exception {
    assumeThat(System.getProperty("user.name")).isEqualTo("root");
    openToAll();
    Path mount = Files.createDirectory(files.root.resolve("mount"));
    Path tier = Files.createDirectory(mount.resolve("tier"));
    files.set("headpond.tier.fast.paths", tier.toString());
    for (Path each : List.of(files.logDir, tier)) {
      Files.setOwner(each, nobody());
    }
    assertThat(files.doctor().out()).doesNotContain("HP0115");
    Files.setPosixFilePermissions(mount, PosixFilePermissions.fromString("rwx------"));
    assertThat(files.doctor().out())
        .containsPattern("warning +HP0115 tier fast: .*; " + mount + " doesn't let it in; ")
        .contains("if a broker runs as nobody: chmod a+x '" + mount + "'");
  }

  @Test
  void rootIsToldOfALockAndAConfigurationOfOthers() throws Exception {
    assumeThat(System.getProperty("user.name")).isEqualTo("root");
    openToAll();
    for (Path each : List.of(files.logDir, files.tier)) {
      Files.setOwner(each, nobody());
    }
    assertThat(files.doctor().out()).doesNotContain("HP0116", "has no right");
    Files.createFile(files.logDir.resolve(".lock"));
    assertThat(files.doctor().out())
        .containsPattern("warning +HP0116 " + files.logDir + ".* runs as nobody has no right");
    Files.setOwner(files.logDir.resolve(".lock"), nobody());
    Files.setPosixFilePermissions(
        files.configuration, PosixFilePermissions.fromString("rw-------"));
    assertThat(files.doctor().out())
        .containsPattern("warning +" + files.configuration + ": .*nobody.* no right to read it")
        .containsPattern("chgrp \\S+ '" + files.configuration + "' && chmod g.r '");
  }

  /** A start goes on without new segments there, or what else it would write. */
  @Test
  void whereNobodyMayWriteIsWrongIfAStartMust() throws Exception {
    files.used();
    UUID home = HomeIdentity.read(files.logDir).orElseThrow().id();
    Path segments = files.tier.resolve("segments");
    for (Path each :
        List.of(
            files.tier,
            segments,
            segments.resolve(home.toString()),
            files.tier.resolve(".headpond.lock"))) {
      assertWrongIfAStartMustWrite(each);
    }
    files.twoLogDirs(); // the other one gets a folder
    for (Path each : List.of(files.tier, segments)) {
      assertWrongIfAStartMustWrite(each);
    }
  }

  private void assertWrongIfAStartMustWrite(Path path) throws Exception {
    assumeThat(chattr("+i", path)).isTrue();
    try {
      Run run = files.doctor();
      boolean refused = files.refusal().isPresent();
      assertThat(run.exitCode()).as(path + ":\n" + run.out()).isEqualTo(refused ? 1 : 0);
      assertThat(run.out())
          .contains("has no right to write to " + path)
          .containsPattern(refused ? "wrong +HP0115 tier fast: " : "warning .*: a start goes on");
    } finally {
      chattr("-i", path);
    }
  }

  @Test
  void aLogDirectoryWhereNobodyMayWriteIsWrong() throws Exception {
    files.used();
    assumeThat(chattr("+i", files.logDir)).isTrue();
    try {
      Run run = files.doctor();
      assertThat(run.exitCode()).as(run.out()).isEqualTo(1);
      assertThat(run.out())
          .contains("HP0116", "has no right to write to " + files.logDir, "chown kafka:kafka");
    } finally {
      chattr("-i", files.logDir);
    }
  }

  @Test
  void nobodyIsToGiveAwayWhatTheBrokersUserHas() throws Exception {
    assumeThat(System.getProperty("user.name")).isEqualTo("root");
    files.used();
    Files.setOwner(files.logDir, nobody());
    assumeThat(chattr("+i", files.logDir)).isTrue();
    try {
      assertThat(files.doctor().out())
          .contains("has no right to write to " + files.logDir)
          .doesNotContain("chown nobody:root '" + files.logDir);
    } finally {
      chattr("-i", files.logDir);
    }
  }

  private UserPrincipal nobody() throws IOException {
    return files
        .logDir
        .getFileSystem()
        .getUserPrincipalLookupService()
        .lookupPrincipalByName("nobody");
  }

  private static boolean chattr(String flag, Path directory) throws Exception {
    return new ProcessBuilder("chattr", flag, directory.toString()).start().waitFor() == 0;
  }
}
