// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import static io.headpond.store.StoreFixture.CREATE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headpond.store.claim.SegmentProof;
import io.headpond.store.claim.StartCheck;
import io.headpond.store.config.StoreConfig;
import io.headpond.store.event.StoreRefusedException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Persistent memory that counts shutdowns at which it lost something: sysfs is made up. */
final class ShutdownCheckTest {
  private static final int RECORD_BYTES = 1 << 10;
  private static final int RECORDS = 8;

  private ModelRun run;
  private StoreConfig config;
  private boolean stoppedCleanly;

  /** Records are blocks of one letter. */
  private final class Blocks implements SegmentProof {
    @Override
    public long wholeBytes(final Path segment, final long end) throws IOException {
      final byte[] bytes = Files.readAllBytes(segment);
      int whole = 0;
      while (whole + RECORD_BYTES <= bytes.length && isRecord(bytes, whole)) {
        whole += RECORD_BYTES;
      }
      return whole;
    }

    private static boolean isRecord(final byte[] bytes, final int from) {
      return Arrays.equals(bytes, from, from + RECORD_BYTES, record(), 0, RECORD_BYTES);
    }

    @Override
    public boolean recovers(final Path logDir) {
      return !stoppedCleanly;
    }
  }

  private static byte[] record() {
    final byte[] record = new byte[RECORD_BYTES];
    Arrays.fill(record, (byte) 'R');
    return record;
  }

  @BeforeEach
  void aLogOfTwoSegments() throws Exception {
    run = new ModelRun(ModelRun.Setup.of(true, "dax"), 1).with(new Blocks());
    counted("nmem0", 4);
    run.disk.createDirectory(run.real("home0/t-0"));
    run.start();
    for (final long base : new long[] {0, RECORDS}) {
      try (FileChannel channel = run.store().open(segment(base), CREATE)) {
        for (int i = 0; i < RECORDS; i++) {
          channel.write(ByteBuffer.wrap(record()));
        }
      }
    }
    config = run.store().config();
    run.stop();
  }

  @AfterEach
  void close() throws IOException {
    run.close();
  }

  private Path segment(final long base) {
    return StoreFixture.segment(run.path("home0/t-0"), base);
  }

  /** What the module below the tier has counted so far. */
  private void counted(final String module, final long times) throws IOException {
    final Path bus = run.real("kernel/sys/dev/block");
    Files.writeString(bus.resolve("0:2/mapping0"), module + ",0,17179869184,0");
    final Path facts = Files.createDirectories(bus.resolve(module).resolve("nfit"));
    Files.writeString(facts.resolve("id"), "8089-a2-1748-00000f1b\n");
    Files.writeString(facts.resolve("dirty_shutdown"), times + "\n");
  }

  private void uncounted() throws IOException {
    Files.delete(run.real("kernel/sys/dev/block/0:2/mapping0"));
  }

  /** Damages a record where it lies. */
  private void tear(final long base, final int index) throws IOException {
    final Path file = StoreFixture.segment(run.real("home0/t-0"), base).toRealPath();
    final byte[] bytes = Files.readAllBytes(file);
    bytes[index * RECORD_BYTES + 100] ^= 1;
    Files.write(file, bytes);
  }

  /** Starts and stops in good order, and answers what was said. */
  private String life() throws Exception {
    final PrintStream before = System.err;
    final ByteArrayOutputStream said = new ByteArrayOutputStream();
    System.setErr(new PrintStream(said, true, StandardCharsets.UTF_8));
    try {
      run.start();
      run.stop();
    } finally {
      System.setErr(before);
    }
    return said.toString(StandardCharsets.UTF_8);
  }

  @Test
  void withoutALossNothingIsVerified() throws Exception {
    tear(0, 3);
    assertThat(life()).doesNotContain("HP0207", "verified");
  }

  @Test
  void afterALossEverySegmentIsVerifiedOnce() throws Exception {
    counted("nmem0", 5);
    final StartCheck check = new StartCheck(config);
    assertThat(check.links(run.path("home0"))).isTrue();
    assertThat(check.findings())
        .extracting(each -> each.words().code().code())
        .containsExactly("HP0207");
    assertThat(life())
        .contains(
            "HP0207 tier t0: ",
            "(dirty_shutdown of 8089-a2-1748-00000f1b: 4 to 5); 2 segments (16.0 KiB) of ",
            "2 of 2 segments verified, 16384 of 16384 B");
    assertThat(life()).doesNotContain("HP0207", "verified");
  }

  @Test
  void aTornSegmentInTheMiddleOfALogIsRefused() throws Exception {
    counted("nmem0", 5);
    tear(0, 3);
    for (int start = 0; start < 2; start++) { // nothing was remembered
      assertThatThrownBy(() -> run.start())
          .isInstanceOf(StoreRefusedException.class)
          .hasMessageContainingAll("HP0120 ", "00000000000000000000.log", " from byte 3072 on");
    }
  }

  @Test
  void theEndOfALogIsLeftToTheEnginesRecovery() throws Exception {
    counted("nmem0", 5);
    tear(RECORDS, 2);
    assertThat(life()).contains("HP0208 ", "00000000000000000008.log", "byte 2048 of 8192");
  }

  @Test
  void anEngineThatWasStoppedCleanlyRecoversNothing() throws Exception {
    stoppedCleanly = true;
    counted("nmem0", 5);
    tear(RECORDS, 2);
    assertThatThrownBy(() -> run.start())
        .isInstanceOf(StoreRefusedException.class)
        .hasMessageContainingAll("HP0120 ", "00000000000000000008.log", " from byte 2048 on");
  }

  @Test
  void aSegmentWhoseSuccessorHoldsNothingEndsTheLog() throws Exception {
    counted("nmem0", 5);
    tear(0, 0);
    tear(RECORDS, 0);
    assertThat(life()).contains("HP0208 ", "00000000000000000000.log", "byte 0 of 8192");
  }

  @Test
  void aModuleIsKnownByItsOwnIdentifier() throws Exception {
    counted("nmem7", 4);
    assertThat(life()).doesNotContain("HP0207");
    counted("nmem3", 5);
    assertThat(life()).contains("HP0207 ");
  }

  @Test
  void countsAreRememberedWhileTheKernelShowsNone() throws Exception {
    uncounted();
    assertThat(life()).doesNotContain("HP0207");
    counted("nmem0", 5);
    assertThat(life()).contains("HP0207 ");
  }

  @Test
  void zerosBehindTheLastRecordAreNoLoss() throws Exception {
    final Path file = StoreFixture.segment(run.real("home0/t-0"), RECORDS).toRealPath();
    Files.write(file, Arrays.copyOf(Files.readAllBytes(file), 1 << 16));
    counted("nmem0", 5);
    assertThat(life()).contains("HP0207 ").doesNotContain("HP0208");
  }
}
