// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.mirror;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headpond.store.layout.DirectoryForce;
import io.headpond.store.layout.MirrorName;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A copy is a prefix of its tier file, however often it is cut, continued and compared. */
class MirrorCopyTest {
  private static final String KEY = "0123456789abcdef";
  private static final int BYTES = 3 * MirrorCopy.CHUNK_BYTES / 2;

  @TempDir private Path folder;
  private Path logDir;
  private Path tierFile;
  private byte[] bytes;
  private long copiedBytes;
  private final ByteBuffer buffer = ByteBuffer.allocate(MirrorCopy.CHUNK_BYTES);
  private final ByteBuffer other = ByteBuffer.allocate(MirrorCopy.CHUNK_BYTES);
  private MirrorCopy copy;

  private int namesForced;
  private boolean mayFail;

  private final MirrorCopy.Home home =
      new MirrorCopy.Home() {
        @Override
        public void failed(final Path file, final IOException e) {
          if (!mayFail) {
            throw new AssertionError(file.toString(), e);
          }
        }

        @Override
        public void copied(final long more) {
          copiedBytes += more;
        }

        @Override
        public long stepBytes() {
          return MirrorCopy.CHUNK_BYTES;
        }

        @Override
        public void forceNames() throws IOException {
          DirectoryForce.forceNow(logDir);
          namesForced++;
        }
      };

  @BeforeEach
  void makeTierFile() throws IOException {
    logDir = Files.createDirectory(folder.resolve("home"));
    tierFile = folder.resolve("00000000000000000000.log." + KEY);
    bytes = new byte[BYTES];
    new Random(1).nextBytes(bytes);
    Files.write(tierFile, bytes);
  }

  @AfterEach
  void closeFiles() throws IOException {
    if (copy != null) {
      copy.drop();
    }
  }

  private void begin(final boolean isNew) {
    copy = new MirrorCopy(home, new MirrorFile(home, logDir, KEY, tierFile), BYTES, isNew);
  }

  private byte[] mirrored() throws IOException {
    return Files.readAllBytes(MirrorName.lagging(logDir, KEY));
  }

  private void catchUp() throws IOException {
    while (!copy.catchUp(buffer, other)) {}
  }

  @Test
  void aCopyCountsWhenItWasMarkedForcedAndPublished() throws IOException {
    begin(true);
    copy.copyAll(buffer);
    assertThat(mirrored()).isEqualTo(bytes);
    assertThat(copiedBytes).isEqualTo(BYTES);
    assertThat(copy.forced()).isZero();
    assertThat(copy.isWhole()).isFalse();
    copy.mark();
    copy.force();
    copy.published();
    assertThat(copy.forced()).isEqualTo(BYTES);
    assertThat(copy.isWhole()).isTrue();
  }

  /** A round that fails before its end publishes nothing: the next one forces the name again. */
  @Test
  void aNameIsUnforcedUntilItIsPublished() throws IOException {
    begin(true);
    copy.copyAll(buffer);
    for (int failedRound = 0; failedRound < 2; failedRound++) {
      copy.mark();
      copy.force();
      assertThat(copy.isNameUnforced()).isTrue();
    }
    copy.published();
    assertThat(copy.isNameUnforced()).isFalse();
  }

  @Test
  void aNameThatAFormerProcessMadeIsForced() throws IOException {
    Files.write(MirrorName.lagging(logDir, KEY), Arrays.copyOf(bytes, 100));
    begin(false);
    catchUp();
    assertThat(namesForced).isEqualTo(1);
    assertThat(copy.isNameUnforced()).isFalse();
  }

  @Test
  void aCutShortensTheCopyAtOnce() throws IOException {
    begin(true);
    copy.copyAll(buffer);
    copy.cut(100);
    assertThat(mirrored()).isEqualTo(Arrays.copyOf(bytes, 100));
    assertThat(copy.told()).isEqualTo(100);
  }

  @Test
  void whatWasCutOffSinceTheMarkIsNotPublished() throws IOException {
    begin(true);
    copy.copyAll(buffer);
    copy.mark();
    copy.cut(100);
    copy.tell(BYTES);
    copy.copyAll(buffer);
    copy.published();
    assertThat(copy.position()).isEqualTo(BYTES);
    assertThat(copy.forced()).isEqualTo(100);
  }

  @Test
  void whatWasCutOffDoesNotCountAsForced() throws IOException {
    begin(true);
    copy.copyAll(buffer);
    copy.mark();
    copy.force();
    copy.published();
    copy.cut(100);
    copy.tell(BYTES);
    assertThat(copy.forced()).isEqualTo(100);
    assertThat(copy.isWhole()).isFalse();
  }

  @Test
  void aFoundCopyIsCutWhereItFirstDiffers() throws IOException {
    final byte[] found = bytes.clone();
    found[BYTES - 10]++;
    Files.write(MirrorName.lagging(logDir, KEY), found);
    begin(false);
    catchUp();
    assertThat(mirrored()).isEqualTo(bytes);
    assertThat(copiedBytes).isEqualTo(10);
    assertThat(copy.live()).isTrue();
    assertThat(copy.forced()).isEqualTo(BYTES);
  }

  @Test
  void aFoundCopyThatIsLongerIsCutToItsSegment() throws IOException {
    Files.write(MirrorName.lagging(logDir, KEY), Arrays.copyOf(bytes, BYTES + 1_000));
    begin(false);
    catchUp();
    assertThat(mirrored()).isEqualTo(bytes);
  }

  private void makeWhole() throws IOException {
    begin(true);
    copy.copyAll(buffer);
    copy.mark();
    copy.force();
    copy.published();
    copy.finish();
    copy.rest(false);
  }

  @Test
  void aWholeCopyThatIsUnchangedIsTakenAsItIs() throws IOException {
    makeWhole();
    copiedBytes = 0;
    begin(false);
    assertThat(copy.catchUp(buffer, other)).isTrue();
    assertThat(copiedBytes).isZero();
    assertThat(copy.calledWhole()).isTrue();
    copy.goOn();
    assertThat(mirrored()).isEqualTo(bytes);
    assertThat(MirrorName.whole(logDir, KEY)).doesNotExist();
  }

  /** A tier's loss would be repaired by the one that is called whole. */
  @Test
  void aWholeCopyThatCouldNotBeDeletedIsNotLeftBesideANewOne() throws IOException {
    makeWhole();
    begin(false);
    assertThat(copy.catchUp(buffer, other)).isTrue();
    final Path inTheWay = MirrorName.lagging(logDir, KEY);
    Files.createDirectories(inTheWay.resolve("folder"));
    mayFail = true;
    copy.goOn();
    Files.delete(inTheWay.resolve("folder"));
    Files.delete(inTheWay);
    copy.copyAll(buffer);
    assertThat(mirrored()).isEqualTo(bytes);
    assertThat(MirrorName.whole(logDir, KEY)).doesNotExist();
  }

  /** By other hands: its descriptor would take bytes that nobody finds. */
  @Test
  void aCopyThatWasDeletedIsWrittenAnew() throws IOException {
    begin(true);
    copy.tell(MirrorCopy.CHUNK_BYTES);
    copy.copyAll(buffer);
    copy.mark();
    copy.force();
    copy.published();
    Files.delete(MirrorName.lagging(logDir, KEY));
    copy.tell(BYTES);
    assertThatThrownBy(() -> copy.copyAll(buffer)).hasMessageContaining("is written anew");
    assertThat(copy.forced()).isZero();
    copy.copyAll(buffer);
    assertThat(mirrored()).isEqualTo(bytes);
  }

  @Test
  void aCopyThatHasLostItsBytesIsWrittenAnew() throws IOException {
    begin(true);
    copy.tell(BYTES - 10);
    copy.copyAll(buffer);
    copy.mark();
    copy.force();
    copy.published();
    copy.rest(false);
    Files.delete(MirrorName.lagging(logDir, KEY));
    copy.tell(BYTES);
    assertThatThrownBy(() -> copy.copyAll(buffer))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("the mirror has lost bytes");
    assertThat(copy.forced()).isZero();
    copy.copyAll(buffer);
    assertThat(mirrored()).isEqualTo(bytes);
  }

  @Test
  void aWholeCopyOfASegmentThatWasWrittenToSinceIsCompared() throws IOException {
    makeWhole();
    bytes[BYTES - 10]++;
    Files.write(tierFile, bytes);
    Files.setLastModifiedTime(
        tierFile, FileTime.from(Files.getLastModifiedTime(tierFile).toInstant().plusSeconds(1)));
    begin(false);
    catchUp();
    assertThat(mirrored()).isEqualTo(bytes);
  }

  @Test
  void aWholeCopyOfAnotherLengthIsMadeWhole() throws IOException {
    Files.write(MirrorName.whole(logDir, KEY), Arrays.copyOf(bytes, BYTES - 10));
    Files.setLastModifiedTime(MirrorName.whole(logDir, KEY), Files.getLastModifiedTime(tierFile));
    begin(false);
    catchUp();
    assertThat(mirrored()).isEqualTo(bytes);
  }

  @Test
  void otherBytesAreFoundByReadingBack() throws IOException {
    begin(true);
    copy.copyAll(buffer);
    copy.readBack(buffer, other);
    bytes[BYTES / 2]++;
    Files.write(tierFile, bytes);
    assertThatThrownBy(() -> copy.readBack(buffer, other))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("the mirror reads back with other bytes");
    copy.copyAll(buffer);
    copy.readBack(buffer, other);
    assertThat(mirrored()).as("copied anew").isEqualTo(bytes);
  }

  @Test
  void aCopyThatIsGoneIsNeitherCopiedNorMade() throws IOException {
    begin(true);
    copy.drop();
    copy.copyAll(buffer);
    copy.make();
    copy.force();
    assertThat(logDir).isEmptyDirectory();
    assertThat(copy.usable()).isFalse();
  }
}
