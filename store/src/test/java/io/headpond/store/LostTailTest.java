// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import static io.headpond.store.StoreFixture.append;
import static io.headpond.store.StoreFixture.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headpond.store.claim.SegmentProof;
import io.headpond.store.event.StoreRefusedException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A mirrored tier that has lost what wasn't forced there, and a start with it. */
class LostTailTest {
  private static final int RECORD_BYTES = 1 << 10;

  /** Of the segment from then on. */
  private static final long NEXT = 8;

  private boolean stoppedCleanly;
  private long forced;
  @AutoClose private final MirroredTier tier = new MirroredTier();
  private final StoreFixture fixture = tier.fixture;

  /** Records are blocks of one letter, and their offsets follow from 0 on. */
  private final class Blocks implements SegmentProof {
    @Override
    public long wholeBytes(final Path segment, final long end) throws IOException {
      final byte[] bytes = Files.readAllBytes(segment);
      int whole = 0;
      while (whole + RECORD_BYTES <= bytes.length
          && whole / RECORD_BYTES < end
          && bytes[whole] >= 'A'
          && isOne(bytes, whole)) {
        whole += RECORD_BYTES;
      }
      return whole;
    }

    private static boolean isOne(final byte[] bytes, final int from) {
      for (int i = from; i < from + RECORD_BYTES; i++) {
        if (bytes[i] != bytes[from]) {
          return false;
        }
      }
      return true;
    }

    @Override
    public boolean recovers(final Path logDir) {
      return !stoppedCleanly;
    }

    @Override
    public Map<String, Long> forcedOffsets(final Path logDir) {
      return Map.of("orders-0", forced);
    }
  }

  @BeforeEach
  void records() {
    fixture.proof(new Blocks());
  }

  private static byte[] records(final String letters) {
    final ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (final char letter : letters.toCharArray()) {
      final byte[] record = new byte[RECORD_BYTES];
      Arrays.fill(record, (byte) letter);
      all.writeBytes(record);
    }
    return all.toByteArray();
  }

  /** Writes a segment, and stops. */
  private Path written(final String letters) throws Exception {
    try (FileChannel channel = tier.open()) {
      append(channel, records(letters));
    }
    fixture.stop();
    assertThat(tier.mirrored()).isEqualTo(records(letters));
    return Files.readSymbolicLink(tier.name);
  }

  private byte[] read() throws IOException {
    fixture.store();
    return Files.readAllBytes(tier.name);
  }

  private static void cut(final Path file, final int records) throws IOException {
    Files.write(file, Arrays.copyOf(Files.readAllBytes(file), records * RECORD_BYTES));
  }

  @Test
  void whatATierHasLostIsTakenFromTheMirror() throws Exception {
    final Path file = written("ABCDEF");
    cut(file, 2);
    assertThat(fixture.foreseen()).as("a start goes on").isEmpty();
    assertThat(file).as("a look").hasSize(2 * RECORD_BYTES);
    assertThat(read()).isEqualTo(records("ABCDEF"));
    assertThat(tier.name).isRegularFile();
    assertThat(Files.isSymbolicLink(tier.name)).isFalse();
    assertThat(file).doesNotExist(); // what is left of it is in quarantine
    try (Stream<Path> kept = Files.walk(fixture.tier.resolve("quarantine"))) {
      assertThat(kept.filter(Files::isRegularFile)).hasSize(1).allSatisfy(this::isWhatWasLeft);
    }
    try (FileChannel channel = tier.open()) {
      channel.position(channel.size());
      append(channel, records("G"));
    }
    assertThat(Files.readAllBytes(tier.name)).isEqualTo(records("ABCDEFG"));
  }

  private void isWhatWasLeft(final Path file) {
    assertThat(file).hasBinaryContent(records("AB"));
  }

  @Test
  void zerosAreNoRecordsAndTheMirrorIsTaken() throws Exception {
    final Path file = written("ABCDEF");
    final FileTime before = Files.getLastModifiedTime(file);
    final byte[] holed = records("ABCDEF");
    Arrays.fill(holed, 2 * RECORD_BYTES, 3 * RECORD_BYTES + 100, (byte) 0);
    Files.write(file, holed);
    Files.setLastModifiedTime(file, before);
    assertThat(read()).isEqualTo(records("ABCDEF"));
  }

  @Test
  void aMirrorIsTakenUpToItsLastWholeRecord() throws Exception {
    final Path file = written("ABCDEF");
    cut(file, 2);
    final byte[] torn = records("ABCDEF");
    Arrays.fill(torn, 5 * RECORD_BYTES - 1, torn.length, (byte) 0);
    Files.write(tier.mirrors().get(0), torn);
    assertThat(read()).isEqualTo(records("ABCD"));
  }

  @Test
  void aTruncationIsNotUndoneByAMirror() throws Exception {
    try (FileChannel channel = tier.open()) {
      append(channel, records("ABCDEF"));
      await("a mirror", () -> tier.mirrored().length == 6 * RECORD_BYTES);
      channel.truncate(2 * RECORD_BYTES);
      assertThat(tier.mirrored()).isEqualTo(records("AB"));
    }
    fixture.restart();
    assertThat(read()).isEqualTo(records("AB"));
    assertThat(Files.isSymbolicLink(tier.name)).isTrue();
  }

  @Test
  void aMirrorThatDiffersIsOlderThanTheTier() throws Exception {
    final Path file = written("ABCDEF");
    Files.write(file, records("ABX"));
    assertThat(read()).isEqualTo(records("ABX"));
    try (FileChannel channel = tier.open()) {
      await("the mirror follows", () -> Arrays.equals(tier.mirrored(), records("ABX")));
      assertThat(channel.size()).isEqualTo(3 * RECORD_BYTES);
    }
  }

  @Test
  void whatTheNextSegmentHoldsIsNotTakenFromAMirror() throws Exception {
    final Path file = written("ABCDEFGHIJ");
    Files.write(StoreFixture.segment(tier.partition, NEXT), records("YZ"));
    cut(file, (int) NEXT);
    assertThat(read()).isEqualTo(records("ABCDEFGH"));
    assertThat(Files.isSymbolicLink(tier.name)).isTrue();
  }

  @Test
  void aLostTailEndsWhereTheNextSegmentBegins() throws Exception {
    final Path file = written("ABCDEFGHIJ");
    Files.write(StoreFixture.segment(tier.partition, NEXT), records("YZ"));
    cut(file, 3);
    assertThat(read()).isEqualTo(records("ABCDEFGH"));
    assertThat(Files.isSymbolicLink(tier.name)).isFalse();
  }

  @Test
  void whatTheEngineHasForcedIsRead() throws Exception {
    final Path file = written("ABCDEFGH");
    Files.write(StoreFixture.segment(tier.partition, NEXT), records("YZ"));
    forced = NEXT;
    cut(file, 3); // it is gone all the same
    assertThat(read()).isEqualTo(records("ABCDEFGH"));
  }

  @Test
  void afterACleanStopTheTierIsRight() throws Exception {
    final Path file = written("ABCDEF");
    cut(file, 2);
    stoppedCleanly = true;
    assertThat(read()).isEqualTo(records("AB"));
    assertThat(Files.isSymbolicLink(tier.name)).isTrue();
  }

  @Test
  void aPartitionBehindALinkIsLeftToTheOperator() throws Exception {
    final Path file = written("ABCDEF");
    cut(file, 2);
    final Path elsewhere = fixture.root.resolve("elsewhere");
    Files.move(tier.partition, elsewhere);
    Files.createSymbolicLink(tier.partition, elsewhere);
    final Path mirror = tier.mirrors().get(0);
    final List<String> foreseen = fixture.foreseen();
    assertThat(foreseen).hasSize(1);
    assertThatThrownBy(fixture::store)
        .isInstanceOf(StoreRefusedException.class)
        .hasMessage(foreseen.get(0))
        .hasMessageContaining("HP0122")
        .hasMessageContaining(tier.name.toString())
        .hasMessageContaining("cp " + mirror + " " + file);
    assertThat(tier.mirrored()).isEqualTo(records("ABCDEF"));
    Files.copy(mirror, file, StandardCopyOption.REPLACE_EXISTING);
    assertThat(read()).isEqualTo(records("ABCDEF"));
  }
}
