// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A mirrored tier on simulated devices: at any operation the power is cut and the tier's device is
 * lost with it. Everything that was acknowledged is in the mirrors, and nothing else; where appends
 * don't wait for these, in those that are called whole. After a power cut that the tier survives,
 * without what wasn't forced there, a start has everything that was acknowledged.
 *
 * <p>{@code -Dheadpond.test.model.seeds=N} for more.
 */
@Tag("simulation")
class MirrorModelTest {
  private static final long SEEDS = Long.getLong("headpond.test.model.seeds", 15);
  private static final long SEEDS_TO_FIND_MAX = 500;

  @ParameterizedTest
  @ValueSource(strings = {MirrorRun.WAITS, MirrorRun.BEHIND})
  void aPowerCutAndALostDeviceLoseNothingAcknowledged(final String limit) throws Exception {
    final long first = System.nanoTime();
    System.out.println("first seed " + first);
    final long[] looks = new long[1];
    StoreModelTest.quietly(
        () -> {
          for (long seed = first; seed < first + SEEDS; seed++) {
            looks[0] += MirrorRun.play(seed, limit);
          }
          return null;
        });
    System.out.println(SEEDS + " seeds, " + looks[0] + " power cuts looked at");
    assertThat(looks[0]).isPositive();
  }

  @ParameterizedTest
  @ValueSource(strings = {MirrorRun.WAITS, MirrorRun.BEHIND})
  void readsOfATierThatCannotBeReadAreRight(final String limit) throws Exception {
    final long first = System.nanoTime();
    System.out.println("first seed " + first);
    final long[] reads = new long[1];
    StoreModelTest.quietly(
        () -> {
          for (long seed = first; seed < first + SEEDS; seed++) {
            reads[0] += MirrorRun.playUnreadable(seed, limit);
          }
          return null;
        });
    System.out.println(SEEDS + " seeds, " + reads[0] + " reads of segments");
    assertThat(reads[0]).isPositive();
  }

  @Test
  void aMirrorThatNoReadGoesOnWithIsFound(@TempDir final Path folder) throws Exception {
    assertThat(
            found(
                new PlantedDefect(folder)
                    .in("UnreadFile", "nowNanos - triedNanos >= PATIENCE_NANOS", "nowNanos == 0"),
                "findUnreadable"))
        .contains("can't be read");
  }

  @Test
  void aStartAfterAPowerCutHasWhatIsInATierOrItsMirror() throws Exception {
    final long first = System.nanoTime();
    System.out.println("first seed " + first);
    StoreModelTest.quietly(
        () -> {
          for (long seed = first; seed < first + SEEDS; seed++) {
            MirrorRun.restart(seed);
          }
          return null;
        });
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      textBlock =
          """
          compared = Math.max(0, position - UNFORCED_BYTES_MAX); ~ compared = position;           ~ findAfterRestart ~ differs at
          if (Math.max(position, reached) > size || !live) {     ~ if (!live) {                   ~ find             ~ differs
          !file.link(atHome) && bytes > 0                        ~ !file.link(atHome)             ~ find             ~ acknowledged
          usable() && position == told && forced == position     ~ usable()                       ~ findBehind       ~ is called whole with
          """)
  void aPlantedDefectOfAMirrorIsFound(
      final String line,
      final String planted,
      final String search,
      final String said,
      @TempDir final Path folder)
      throws Exception {
    assertThat(found(new PlantedDefect(folder).in("MirrorCopy", line, planted), search))
        .contains(said);
  }

  @Test
  void aMirrorThatIsNotForcedIsFound() throws Exception {
    assertThat(
            found(
                () ->
                    new ModelDisk.Defect() {
                      @Override
                      public boolean skipsForce() {
                        return StoreModelTest.within("MirrorCopy", "force");
                      }
                    }))
        .contains("acknowledged");
  }

  @Test
  void aMirrorWhoseNameIsNotForcedIsFound() throws Exception {
    assertThat(
            found(
                () ->
                    new ModelDisk.Defect() {
                      @Override
                      public boolean skipsForce() {
                        return StoreModelTest.within("HomeMirror", "round")
                            && !StoreModelTest.within("MirrorCopy", "force")
                            && !StoreModelTest.within("MirrorState", "write");
                      }
                    }))
        .contains("no mirror");
  }

  /** What a search of {@link MirrorRun}'s, by its name, says of classes with a defect. */
  private static String found(final PlantedDefect defect, final String search) throws Exception {
    final String[] said = new String[1];
    StoreModelTest.quietly(
        () -> {
          try (URLClassLoader loader = defect.loader()) {
            said[0] =
                (String)
                    loader
                        .loadClass(MirrorRun.class.getName())
                        .getMethod(search, long.class)
                        .invoke(null, SEEDS_TO_FIND_MAX);
          }
          return null;
        });
    return said[0];
  }

  private static String found(final Supplier<ModelDisk.Defect> defect) throws Exception {
    final String[] said = new String[1];
    StoreModelTest.quietly(
        () -> {
          said[0] = MirrorRun.find(SEEDS_TO_FIND_MAX, MirrorRun.WAITS, defect);
          return null;
        });
    return said[0];
  }
}
