// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import static io.headpond.cli.logdir.LogDirFixture.batches;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.headpond.cli.Run;
import io.headpond.store.layout.MirrorName;
import io.headpond.store.layout.MirrorState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Logs that have lost segments with a mirrored tier, and go on with the mirrors at home. */
class MirrorRepairTest {
  private static final String UNTIL = "2023-11-14T22:13:20Z";

  @TempDir Path root;
  private CutFixture fixture;

  @BeforeEach
  void makeLogDir() throws IOException {
    fixture = new CutFixture(root);
  }

  private Run forget(String... more) {
    List<String> fixed =
        List.of("forget-tier", fixture.logDir().toString(), "pmem", "--keep-prefix");
    return Run.of(Stream.concat(fixed.stream(), Stream.of(more)).toArray(String[]::new));
  }

  private void assertLog(long base, byte[] content) {
    assertThat(fixture.segment("orders-0", base)).isRegularFile().hasBinaryContent(content);
  }

  @Test
  void wholeMirrorsRepairALogWithoutReplicas() throws IOException {
    fixture.mirror(100, batches(100, 5), true);
    fixture.mirror(250, batches(250, 4), false);
    fixture.lose();
    Run run = forget("--if-in-sync", "--alone");
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out())
        .contains("2 segments lost")
        .contains("repaired by their mirrors, it ends before offset 290")
        .contains("what was acknowledged after " + UNTIL + " may be missing");
    assertLog(100, batches(100, 5));
    assertLog(250, batches(250, 4));
    assertThat(Files.isSymbolicLink(fixture.segment("orders-0", 200))).isTrue();
    assertThat(fixture.names("orders-0"))
        .contains("00000000000000000250.snapshot")
        .doesNotContain("00000000000000000300.snapshot", "00000000000000000250.index");
    assertThat(fixture.checkpoint("recovery-point-offset-checkpoint"))
        .contains("orders 0 290", "orders 1 50");
    assertThat(fixture.logDir().resolve(".kafka_cleanshutdown")).doesNotExist();
    Run verify = Run.of("verify", fixture.logDir().toString());
    assertThat(verify.exitCode()).as(verify.out()).isZero();
  }

  @Test
  void aMirrorIsCutAtItsFirstBatchThatIsNotWhole() throws IOException {
    byte[] torn = batches(250, 5);
    int fourBatches = batches(250, 4).length;
    Arrays.fill(torn, fourBatches + 100, torn.length, (byte) 0);
    fixture.mirror(100, batches(100, 5), true);
    fixture.mirror(250, torn, false);
    fixture.lose();
    assertThat(forget("--if-in-sync", "--alone").exitCode()).isZero();
    assertLog(250, batches(250, 4));
  }

  @Test
  void aLogIsCutBehindAMirrorThatMissesSomething() throws IOException {
    fixture.mirror(100, batches(100, 3), false);
    fixture.mirror(250, batches(250, 5), true);
    fixture.lose();
    Run refused = forget("--if-in-sync", "--alone");
    assertThat(refused.exitCode()).isEqualTo(1);
    assertThat(refused.err()).contains("none: orders (0)");
    Run run = forget("--accept-loss", "--json");
    assertThat(run.exitCode()).as(run.err()).isZero();
    JsonNode partition = new ObjectMapper().readTree(run.out()).at("/partitions/0");
    assertThat(partition.get("from_offset").asLong()).isEqualTo(130);
    assertThat(partition.get("mirrored_segments").asInt()).isEqualTo(1);
    assertThat(partition.get("mirrored_until").asText()).isEqualTo(UNTIL);
    assertThat(partition.get("mirrored").asBoolean()).isFalse();
    assertLog(100, batches(100, 3));
    assertThat(fixture.names("orders-0")).doesNotContain("00000000000000000150.log");
  }

  @Test
  void aSegmentThatIsYoungerThanTheMirrorsHasNothingOlder() throws IOException {
    fixture.mirror(100, batches(100, 5), true);
    fixture.lose();
    Run run = forget("--if-in-sync", "--alone");
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out())
        .contains("it ends before offset 250")
        .contains("no other replica; what was acknowledged after " + UNTIL + " may be missing");
    assertThat(fixture.names("orders-0")).doesNotContain("00000000000000000250.log");
  }

  @Test
  void aSegmentThatShouldHaveAMirrorIsMissed() throws IOException {
    fixture.mirror(100, batches(100, 5), true);
    long laterMs = System.currentTimeMillis() + 60_000;
    new MirrorState(true, false, laterMs).write(fixture.logDir());
    fixture.lose();
    Run refused = forget("--if-in-sync", "--alone");
    assertThat(refused.exitCode()).isEqualTo(1);
    assertThat(refused.err()).contains("none: orders (0)");
  }

  /** What was moved lately has a link that is younger than the segment; Kafka's indexes stay. */
  @Test
  void aSegmentIsNoYoungerThanItsIndexes() throws IOException {
    fixture.mirror(100, batches(100, 5), true);
    indexed(250, FileTime.fromMillis(1_600_000_000_000L));
    fixture.lose();
    Run refused = forget("--if-in-sync", "--alone");
    assertThat(refused.exitCode()).as(refused.out()).isEqualTo(1);
    assertThat(refused.err()).contains("none: orders (0)");
    indexed(250, FileTime.fromMillis(System.currentTimeMillis()));
    assertThat(forget("--if-in-sync", "--alone").exitCode()).isZero();
  }

  /** The indexes of a segment were made at a time. */
  private void indexed(long base, FileTime made) throws IOException {
    for (String ending : List.of(".index", ".timeindex")) {
      Path segment = fixture.segment("orders-0", base);
      String name = segment.getFileName().toString().replace(".log", ending);
      Files.setLastModifiedTime(segment.resolveSibling(name), made);
    }
  }

  /** Its link was kept ready since the roll before it; the one below it is a mirror's, too. */
  @Test
  void aSegmentIsNoOlderThanTheLastWriteToTheOneBeforeIt() throws IOException {
    long untilMs = System.currentTimeMillis();
    for (long base : new long[] {100, 250}) {
      Files.getFileAttributeView(
              fixture.segment("orders-0", base),
              BasicFileAttributeView.class,
              LinkOption.NOFOLLOW_LINKS)
          .setTimes(FileTime.fromMillis(untilMs - 600_000), null, null);
    }
    fixture.mirror(100, batches(100, 5), true);
    indexed(250, FileTime.fromMillis(untilMs - 500));
    new MirrorState(true, false, untilMs).write(fixture.logDir());
    Path before = fixture.segment("orders-0", 200).toRealPath();
    fixture.lose();
    Files.setLastModifiedTime(before, FileTime.fromMillis(untilMs - 5_000));
    assertThat(forget("--if-in-sync", "--alone").err()).contains("none: orders (0)");
    Files.setLastModifiedTime(before, FileTime.fromMillis(untilMs - 500));
    Run run = forget("--if-in-sync", "--alone");
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out()).contains("it ends before offset 250");
  }

  /** What was brought up by hand has a link that is young, and no mirror before the next start. */
  @Test
  void aSegmentThatWasMovedUpByHandSinceIsMissed() throws IOException {
    for (long base : new long[] {0, 50}) {
      Files.delete(fixture.segment("orders-0", base)); // by its retention
    }
    fixture.mirror(100, batches(100, 5), true);
    fixture.mirror(250, batches(250, 5), false);
    Run up = Run.of("migrate", fixture.logDir().toString(), "orders-0", "--to", "pmem");
    assertThat(up.exitCode()).as(up.err()).isZero();
    fixture.lose();
    Run refused = forget("--if-in-sync", "--alone");
    assertThat(refused.exitCode()).as(refused.out()).isEqualTo(1);
    assertThat(refused.err()).contains("none: orders (0)");
    assertThat(refused.out()).contains("nobody can say what is missing");
    assertThat(fixture.names("orders-0")).contains("00000000000000000150.log");
  }

  @Test
  void aMirrorThatWasNotCompleteIsNotTrustedByItself() throws IOException {
    fixture.mirror(100, batches(100, 5), true);
    fixture.mirror(250, batches(250, 5), true);
    new MirrorState(false, false, 1_700_000_000_000L).write(fixture.logDir());
    fixture.lose();
    Run refused = forget("--if-in-sync", "--alone");
    assertThat(refused.exitCode()).isEqualTo(1);
    assertThat(refused.out()).contains("nobody can say what is missing");
    assertThat(forget("--accept-loss").exitCode()).isZero();
    assertLog(250, batches(250, 5));
  }

  @Test
  void anErrorOfTheDeviceIsNoEndOfAMirror() throws IOException {
    Path unreadable = LogDirFixture.unreadable();
    fixture.mirror(100, batches(100, 5), true);
    Path tierFile = Files.readSymbolicLink(fixture.segment("orders-0", 100));
    Path mirror = MirrorName.whole(fixture.logDir(), MirrorName.ofTierFile(tierFile));
    Files.delete(mirror);
    Files.createSymbolicLink(mirror, unreadable);
    fixture.lose();
    Run run = forget("--accept-loss");
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains(mirror.toString());
    assertThat(fixture.names("orders-0")).contains("00000000000000000250.log");
  }

  @Test
  void anErrorOfTheDeviceIsNoEndOfTheLogBelowTheCut() throws IOException {
    Path unreadable = LogDirFixture.unreadable();
    Files.delete(fixture.segment("orders-0", 50));
    Files.createSymbolicLink(fixture.segment("orders-0", 50), unreadable);
    fixture.lose();
    Run run = forget("--accept-loss");
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains("00000000000000000050.log");
    assertThat(fixture.checkpoint("recovery-point-offset-checkpoint")).contains("orders 0 310");
  }

  @Test
  void verifyNamesMirrorsThatTheNextStartRemovesOrMakesAnew() throws IOException {
    fixture.mirror(100, batches(100, 4), true);
    Path unused = MirrorName.whole(fixture.logDir(), "00000000deadbeef");
    Files.write(unused, new byte[5]);
    Run verify = Run.of("verify", fixture.logDir().toString());
    assertThat(verify.exitCode()).as(verify.out()).isZero();
    assertThat(verify.out())
        .contains("unused mirror", unused.getFileName().toString())
        .contains("mirror differs");
  }

  @Test
  void aDrainLeavesNoMirror() throws IOException {
    fixture.mirror(100, batches(100, 5), true);
    fixture.mirror(250, batches(250, 3), false);
    Run drain = Run.of("drain", fixture.logDir().toString());
    assertThat(drain.exitCode()).as(drain.err()).isZero();
    assertThat(fixture.files(fixture.logDir()))
        .noneMatch(name -> name.endsWith(".whole") || name.endsWith(".mirror"))
        .doesNotContain(MirrorState.FILE);
    assertLog(250, batches(250, 5));
  }

  @Test
  void aDrainOfAnotherTierKeepsTheMirrorsThatAreNeeded() throws IOException {
    fixture.mirror(100, batches(100, 5), true);
    fixture.mirror(250, batches(250, 4), false);
    Path unneeded = Files.createFile(MirrorName.whole(fixture.logDir(), "0123456789abcdef"));
    Run drain = Run.of("drain", fixture.logDir().toString(), "--tier", "nvme");
    assertThat(drain.exitCode()).as(drain.err()).isZero();
    assertThat(unneeded).doesNotExist();
    fixture.lose();
    Run run = forget("--if-in-sync", "--alone");
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertLog(100, batches(100, 5));
    assertLog(200, batches(200, 5));
    assertLog(250, batches(250, 4));
  }

  @Test
  void mirrorsThatAppendsWaitedForMissNothing() throws IOException {
    fixture.mirror(100, batches(100, 5), true);
    fixture.mirror(250, batches(250, 5), false);
    new MirrorState(true, true, 1_700_000_000_000L).write(fixture.logDir());
    fixture.lose();
    Run run = forget("--if-in-sync", "--alone");
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out()).contains("nothing that was acknowledged is missing");
  }
}
