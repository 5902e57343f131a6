// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import static io.headpond.cli.Run.succeeds;
import static io.headpond.cli.logdir.LogDirFixture.batches;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.headpond.cli.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DrainCommandTest {
  @TempDir Path root;
  private LogDirFixture fixture;
  private String logDir;

  @BeforeEach
  void makeLogDir() throws IOException {
    fixture = new LogDirFixture(root);
    logDir = fixture.logDir.toString();
    fixture.tier("pmem");
    fixture.tier("nvme");
    fixture.tierSegment("pmem", "orders-0", 0, batches(0, 50));
    fixture.tierSegment("nvme", "orders-0", 500, batches(500, 50));
    fixture.homeSegment("orders-0", 1000, batches(1000, 50));
    fixture.tierSegment("pmem", "orders-1", 0, new byte[0]);
    fixture.stoppedCleanly();
  }

  /** Segment names of the log directory with their bytes. */
  private Map<String, byte[]> data() throws IOException {
    Map<String, byte[]> found = new TreeMap<>();
    try (Stream<Path> walk = Files.walk(fixture.logDir)) {
      for (Path path : walk.filter(p -> p.toString().endsWith(".log")).toList()) {
        found.put(path.toString(), Files.readAllBytes(path));
      }
    }
    return found;
  }

  private static void assertSame(Map<String, byte[]> actual, Map<String, byte[]> expected) {
    assertThat(actual.keySet()).isEqualTo(expected.keySet());
    expected.forEach((name, bytes) -> assertThat(actual.get(name)).as(name).isEqualTo(bytes));
  }

  private long links() throws IOException {
    try (Stream<Path> walk = Files.walk(fixture.logDir)) {
      return walk.filter(Files::isSymbolicLink).count();
    }
  }

  /** As {@code cp -a} leaves it, by which somebody wants a topic under another name. */
  @Test
  void aFileWithTwoNamesIsNotTakenFromOneOfThem() throws Exception {
    Path segment = fixture.logDir.resolve("orders-0/00000000000000000000.log");
    Path copy = Files.createDirectory(fixture.logDir.resolve("backup-0"));
    Path copied = copy.resolve(segment.getFileName());
    Files.createSymbolicLink(copied, Files.readSymbolicLink(segment));
    Map<String, byte[]> before = data();
    for (Run run :
        List.of(
            Run.of("drain", logDir),
            Run.of("migrate", logDir, "orders", "--to", "home"),
            Run.of("migrate", logDir, "backup", "--to", "nvme"))) {
      assertThat(run.exitCode()).isEqualTo(1);
      assertThat(run.err())
          .contains(segment.toString(), copied.toString(), "link to the same file")
          .contains("nothing was changed");
    }
    assertSame(data(), before);
    Files.delete(copied);
    Files.copy(segment, copied);
    assertThat(Run.of("drain", logDir).exitCode()).isZero();
  }

  /** The device lost some of its blocks: what is saved now needn't be given up with them. */
  @Test
  void aSegmentThatCannotBeReadKeepsNoOtherFromComingHome() throws Exception {
    Path unreadable = LogDirFixture.unreadable();
    Path bad = fixture.logDir.resolve("orders-0/00000000000000000000.log");
    Map<String, byte[]> before = data();
    String tierFile = Files.readSymbolicLink(bad).toString();
    assumeTrue(succeeds("mount", "--bind", unreadable.toString(), tierFile), "only root may mount");
    try {
      Run run = Run.of("drain", logDir);
      assertThat(run.exitCode()).isEqualTo(1);
      assertThat(run.err())
          .contains(bad + " can't be read: ")
          .contains("1 segment can't be read", "the other 2 are there", "headpond recover FILE");
      assertThat(links()).isEqualTo(1);
      assertThat(fixture.logDir.resolve(".headpond")).exists();
    } finally {
      succeeds("umount", tierFile);
    }
    assertThat(Run.of("drain", logDir).exitCode()).isZero();
    assertSame(data(), before);
  }

  /** As one whose file system reads nothing after an error. */
  @Test
  void aTierThatCannotBeReadIsRefusedWithARemedy() throws Exception {
    Path tier = fixture.tierPath("nvme");
    Path away = Files.move(tier, root.resolve("elsewhere"));
    Files.createSymbolicLink(tier, tier); // too many levels of links
    Run run = Run.of("drain", logDir, "--tier", "nvme");
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err())
        .contains("tier nvme can't be read: ", "mount it again", "nothing was changed")
        .contains("headpond recover FILE --tier nvme");
    Files.delete(tier);
    Files.move(away, tier);
    assertThat(Run.of("drain", logDir, "--tier", "nvme").exitCode()).isZero();
  }

  /** As a file system is mounted after an error of its device. */
  @Test
  void whatIsInAReadOnlyTierComesHome() throws Exception {
    String tier = fixture.tierPath("nvme").toString();
    Files.writeString(fixture.tierPath("nvme").resolve(".headpond.lock"), "");
    Map<String, byte[]> before = data();
    assumeTrue(succeeds("mount", "--bind", tier, tier), "only root may mount");
    try {
      assumeTrue(succeeds("mount", "-o", "remount,bind,ro", tier));
      Run run = Run.of("drain", logDir, "--tier", "nvme");
      assertThat(run.exitCode()).as(run.err()).isZero();
      assertThat(run.out()).contains("1 segment (", "left: files that no link names");
    } finally {
      succeeds("umount", tier);
    }
    assertSame(data(), before);
    assertThat(links()).isEqualTo(2);
    assertThat(fixture.logDir.resolve(".headpond"))
        .content()
        .contains("pmem")
        .doesNotContain("nvme");
  }

  @Test
  void everySegmentComesHomeAndNothingOfHeadpondIsLeft() throws IOException {
    Map<String, byte[]> before = data();
    // Of a broker that was killed: ready for the log's next segment.
    Files.createFile(fixture.segments("pmem").resolve("orders-0.next.0123456789abcdef"));
    Run run = Run.of("drain", logDir);
    assertThat(run.err()).isEmpty();
    assertThat(run.exitCode()).isZero();
    assertSame(data(), before);
    assertThat(links()).isZero();
    assertThat(fixture.logDir.resolve(".headpond")).doesNotExist();
    assertThat(fixture.segments("pmem")).doesNotExist();
    assertThat(fixture.segments("nvme")).doesNotExist();
    assertThat(run.out())
        .contains("3 segments")
        .contains("headpond.* keys")
        .contains("KAFKA_OPTS")
        .contains("CLASSPATH")
        .contains(
            fixture.tierPath("pmem") + " holds no segment any more and may be deleted: rm -r '")
        .contains(
            fixture.tierPath("nvme") + " holds no segment any more and may be deleted: rm -r '");
    assertThat(Run.of("verify", logDir).exitCode()).isZero();
    assertThat(Run.of("drain", logDir).out()).contains("nothing to do");
  }

  /** An operator's command may run as root; the broker doesn't. */
  @Test
  void theIdentityKeepsItsModeAndOwner() throws IOException {
    Path identity = fixture.logDir.resolve(".headpond");
    Files.setPosixFilePermissions(identity, PosixFilePermissions.fromString("rw-rw-r--"));
    boolean root = Files.getAttribute(identity, "unix:uid").equals(0);
    if (root) {
      Files.setAttribute(identity, "unix:uid", 12345);
      Files.setAttribute(identity, "unix:gid", 12346);
    }
    assertThat(Run.of("drain", logDir, "--tier", "nvme").exitCode()).isZero();
    assertThat(identity).content().doesNotContain("tier.nvme");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(identity)))
        .isEqualTo("rw-rw-r--");
    if (root) {
      assertThat(Files.getAttribute(identity, "unix:uid")).isEqualTo(12345);
      assertThat(Files.getAttribute(identity, "unix:gid")).isEqualTo(12346);
    }
  }

  @Test
  void aBrokerThatIsStartingForTheFirstTimeIsNotOvertaken() throws IOException {
    Files.delete(fixture.logDir.resolve(".headpond"));
    try (LockHolder broker = new LockHolder(fixture.logDir.resolve(".lock"))) {
      for (List<String> command :
          List.of(List.of("drain", logDir), List.of("migrate", logDir, "orders", "--to", "pmem"))) {
        Run run = Run.of(command.toArray(String[]::new));
        assertThat(run.exitCode()).as(run.out()).isEqualTo(1);
        assertThat(run.err()).contains("in use by process " + broker.pid());
      }
    }
  }

  @Test
  void aTierWithAnotherHomesSegmentsIsToBeKept() throws IOException {
    Path other = fixture.segments("pmem").resolveSibling("another-home");
    Files.writeString(Files.createDirectories(other).resolve("orders-1.log"), "x");
    assertThat(Run.of("drain", logDir).out())
        .contains(fixture.tierPath("pmem") + ": keep it, ")
        .contains(fixture.tierPath("nvme") + " holds no segment any more and may be deleted");
  }

  @Test
  void oneTierIsEmptiedAndTheOthersStay() throws IOException {
    Map<String, byte[]> before = data();
    Run run = Run.of("drain", "--json", "--tier", "nvme", logDir);
    assertThat(run.exitCode()).as(run.err()).isZero();
    JsonNode json = new ObjectMapper().readTree(run.out());
    assertThat(json.get("segments_moved").asInt()).isEqualTo(1);
    assertThat(json.get("identity_removed").asBoolean()).isFalse();
    assertThat(json.get("bytes_moved").asLong()).isEqualTo(batches(500, 50).length);
    assertSame(data(), before);
    assertThat(links()).isEqualTo(2);
    assertThat(Files.readString(fixture.logDir.resolve(".headpond")))
        .contains("tier.pmem")
        .doesNotContain("tier.nvme");
    assertThat(Run.of("verify", logDir).exitCode()).isZero();
  }

  @Test
  void aLiveBrokerIsNamedByItsProcessAndNothingChanges() throws Exception {
    Map<String, String> before = LogDirFixture.contents(root);
    try (LockHolder broker = new LockHolder(fixture.logDir.resolve(".lock"))) {
      Run run = Run.of("drain", logDir);
      assertThat(run.exitCode()).isEqualTo(1);
      assertThat(run.err()).hasLineCount(1).contains("in use by process " + broker.pid());
    }
    assertThat(LogDirFixture.contents(root)).isEqualTo(before);
  }

  @Test
  void aTierThatAnotherProcessOwnsIsRefused() throws Exception {
    Path lock = Files.writeString(fixture.tierPath("nvme").resolve(".headpond.lock"), "");
    try (LockHolder other = new LockHolder(lock)) {
      Run run = Run.of("drain", logDir);
      assertThat(run.exitCode()).isEqualTo(1);
      assertThat(run.err()).contains("tier nvme").contains("process " + other.pid());
    }
    assertThat(links()).isEqualTo(3);
    assertThat(Run.of("drain", logDir).exitCode()).isZero();
  }

  @Test
  void aMissingTierIsRefusedBeforeAnythingMoves() throws IOException {
    Files.move(fixture.tierPath("nvme"), root.resolve("elsewhere"));
    Run run = Run.of("drain", logDir);
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains("mount tier nvme").contains("headpond recover");
    assertThat(links()).isEqualTo(3);
    // The other tier can be emptied meanwhile.
    assertThat(Run.of("drain", logDir, "--tier", "pmem").exitCode()).isZero();
    Files.move(root.resolve("elsewhere"), fixture.tierPath("nvme"));
    assertThat(Run.of("drain", logDir).exitCode()).isZero();
    assertThat(links()).isZero();
  }

  @Test
  void aLinkThatLeadsElsewhereIsRefused() throws IOException {
    Path outside = Files.write(root.resolve("outside"), new byte[10]);
    Files.createSymbolicLink(fixture.logDir.resolve("orders-1/00000000000000000007.log"), outside);
    Run run = Run.of("drain", logDir);
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains("in no tier");
    assertThat(links()).isEqualTo(4);
  }

  @Test
  void danglingLinksOfDeletedSegmentsGo() throws IOException {
    Path link = fixture.tierSegment("pmem", "orders-1", 7, new byte[0]);
    Files.delete(Files.readSymbolicLink(link));
    Path deleted = Files.move(link, link.resolveSibling(link.getFileName() + ".deleted"));
    assertThat(Run.of("drain", logDir).exitCode()).isZero();
    assertThat(Files.exists(deleted, LinkOption.NOFOLLOW_LINKS)).isFalse();
  }

  @Test
  void aDrainThatIsKilledGoesOnWhereItWas() throws Exception {
    for (int i = 0; i < 40; i++) {
      fixture.tierSegment("pmem", "big-0", i * 100_000L, new byte[4 << 20]);
    }
    Map<String, byte[]> before = data();
    long linksBefore = links();
    Path third = fixture.logDir.resolve("big-0/00000000000000200000.log");
    Path output = root.resolve("output");
    Process process =
        Run.child("drain", logDir)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    while (process.isAlive() && Files.isSymbolicLink(third)) {
      Thread.onSpinWait();
    }
    process.destroyForcibly().waitFor();
    assertThat(links()).as(Files.readString(output)).isBetween(1L, linksBefore - 1);
    assertSame(data(), before);
    Run again = Run.of("drain", logDir);
    assertThat(again.exitCode()).as(again.err()).isZero();
    assertSame(data(), before);
    assertThat(links()).isZero();
    try (Stream<Path> walk = Files.walk(fixture.logDir)) {
      List<Path> moves = walk.filter(path -> path.toString().endsWith(".move")).toList();
      assertThat(moves).isEmpty();
    }
  }

  /** Its links may lead into the tiers, and nobody sees them. */
  @Test
  void aPartitionWhoseDiskIsNotMountedKeepsItsTiers() throws Exception {
    Path link = fixture.linkedDirectory("orders-0");
    byte[] first = Files.readAllBytes(link.resolve("00000000000000000000.log"));
    Path disk = Files.readSymbolicLink(link).getParent();
    Path unmounted = Files.move(disk, root.resolve("not mounted"));
    Map<String, String> before = LogDirFixture.contents(fixture.logDir);
    Map<String, String> tier = LogDirFixture.contents(fixture.segments("pmem"));
    for (Run run : List.of(Run.of("drain", logDir), Run.of("drain", logDir, "--tier", "pmem"))) {
      assertThat(run.exitCode()).isEqualTo(1);
      assertThat(run.err())
          .contains(link + " leads nowhere", "mount the disk", "nothing was changed");
    }
    assertThat(LogDirFixture.contents(fixture.logDir)).isEqualTo(before);
    assertThat(LogDirFixture.contents(fixture.segments("pmem"))).isEqualTo(tier);
    Files.move(unmounted, disk);
    assertThat(Run.of("drain", logDir).exitCode()).isZero();
    Path segment = link.resolve("00000000000000000000.log");
    assertThat(segment).isRegularFile().hasBinaryContent(first);
    assertThat(Files.isSymbolicLink(segment)).isFalse();
  }
}
