// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.cli.console.Progress;
import io.headpond.store.config.StoreConfig;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A tier whose device has lost writes in a power failure, by the count that the kernel shows. */
class LostWritesTest {
  private static final String BEFORE = "module=1";
  private static final String NOW = "module=2";

  @TempDir Path root;
  private CutFixture fixture;

  @BeforeEach
  void makeLogDir() throws IOException {
    fixture = new CutFixture(root);
    fixture.noteCount(BEFORE);
  }

  private static String count(Path directory) {
    return directory.endsWith("tier pmem") ? NOW : "";
  }

  private LogDirCheck verify() throws IOException {
    Progress progress = new Progress(new PrintWriter(Writer.nullWriter()));
    LogDirState state = LogDirState.of(fixture.logDir());
    LogDirCheck check = new LogDirCheck(fixture.logDir(), state, progress, LostWritesTest::count);
    check.run();
    return check;
  }

  private List<Recovery.LogDirJson> recover() throws Exception {
    StoreConfig config = StoreConfig.load(fixture.configuration(false));
    try (Recovery recovery =
        new Recovery(config, "pmem", EmptyDevice.MOUNTS, LostWritesTest::count)) {
      recovery.plan((logDir, partitions) -> Map.of());
      return recovery.make(new LogDirChanges());
    }
  }

  @Test
  @Tag("HP0120")
  void verifyNotesTheCountIfNoSegmentIsDamaged() throws IOException {
    LogDirCheck check = verify();
    assertThat(check.problems()).isZero();
    assertThat(check.findings())
        .extracting(Finding::kind)
        .containsExactly(Finding.Kind.LOST_WRITES);
    assertThat(check.findings().get(0).detail())
        .contains("dirty_shutdown module=1, now module=2", "the next start goes ahead");
    assertThat(fixture.notedCount()).isEqualTo(NOW);
    assertThat(verify().findings()).isEmpty();
  }

  @Test
  void verifyNamesTheOffsetsThatAreDamaged() throws IOException {
    fixture.damage(100);
    LogDirCheck check = verify();
    assertThat(check.findings())
        .extracting(Finding::kind)
        .contains(Finding.Kind.CORRUPT_BATCH, Finding.Kind.LOST_WRITES);
    assertThat(check.findings().get(0).path()).isEqualTo(fixture.segment("orders-0", 100));
    assertThat(check.findings().get(0).detail()).startsWith("offset 100, batch at byte 0: ");
    assertThat(check.findings())
        .anyMatch(each -> each.detail().contains("headpond recover FILE --tier pmem"));
    assertThat(fixture.notedCount()).isEqualTo(BEFORE);
  }

  @Test
  void damageElsewhereLeavesTheTierWhole() throws IOException {
    fixture.damage(50);
    fixture.damage(200);
    assertThat(verify().problems()).isEqualTo(2);
    assertThat(fixture.notedCount()).isEqualTo(NOW);
  }

  @Test
  void besideARunningBrokerNothingIsNoted() throws Exception {
    try (LockHolder broker = new LockHolder(fixture.logDir().resolve(".lock"))) {
      assertThat(broker.pid()).isPositive();
      assertThat(verify().findings()).isEmpty();
    }
    assertThat(fixture.notedCount()).isEqualTo(BEFORE);
  }

  @Test
  void recoverCutsTheLogAtItsFirstDamagedSegment() throws Exception {
    fixture.damage(250);
    Path file = Files.readSymbolicLink(fixture.segment("orders-0", 250));
    Recovery.LogDirJson done = recover().get(0);
    assertThat(done.partitions())
        .extracting(Recovery.PartitionJson::endOffset)
        .containsExactly(250L);
    assertThat(done.setAside()).containsExactly(file.toString());
    assertThat(file).exists();
    assertThat(fixture.names("orders-0"))
        .contains("00000000000000000200.log")
        .doesNotContain("00000000000000000250.log");
    assertThat(fixture.notedCount()).isEqualTo(NOW);
    assertThat(verify().problems()).isZero();
  }

  @Test
  void spaceThatWasGrownAheadIsNoDamage() throws Exception {
    Path last = fixture.segment("orders-0", 250).toRealPath();
    Files.write(last, LogDirFixture.zeroTail(Files.readAllBytes(last), 100));
    assertThat(recover().get(0).partitions()).isEmpty();
    assertThat(fixture.notedCount()).isEqualTo(NOW);
  }
}
