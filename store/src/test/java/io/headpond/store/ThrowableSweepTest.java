// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.store.FaultSweep.Played;
import io.headpond.store.ModelRun.Setup;
import io.headpond.store.ModelThrowables.Throw;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each call by which the store leaves its own code (a file, a thread, a task, memory) throws in
 * turn what nobody declares: {@link OutOfMemoryError}, {@link StackOverflowError}, an unchecked
 * exception, and where a mapping is involved {@link InternalError}. {@link FaultRun} says what must
 * hold.
 *
 * <p>{@code -Dheadpond.test.faults=N} tries so many of each set-up, chosen by {@code
 * -Dheadpond.test.seed=S}; {@code all} tries all.
 */
@Tag("simulation")
class ThrowableSweepTest {
  private static final String HOW_MANY = System.getProperty("headpond.test.faults", "8");
  private static final Long SEED = Long.getLong("headpond.test.seed");

  static IntStream setups() {
    return IntStream.range(0, ThrowableSweep.SETUP_COUNT);
  }

  @ParameterizedTest
  @MethodSource("setups")
  void whateverThrowsNothingAcknowledgedIsLost(final int setup, @TempDir final Path folder)
      throws Exception {
    final long seed = SEED == null ? System.nanoTime() : SEED;
    System.out.println(call(outsideCalls(folder), "sweep", new Object[] {setup, HOW_MANY, seed}));
  }

  @Test
  void aThreadMadeBetweenRenameAndSwitchIsFound(@TempDir final Path folder) throws Exception {
    assertFound(
        ThrowableSweep.APPENDS,
        outsideCalls(folder)
            .in(
                "SegmentSwitch",
                "    segment.become(to, precondition);\n",
                """
                    try {
                      host.forceNames(segment);
                    } catch (final IOException e) {
                      throw new java.io.UncheckedIOException(e);
                    }
                    segment.become(to, precondition);
                """));
  }

  @Test
  void anErrorThatEndsAThreadForGoodIsFound(@TempDir final Path folder) throws Exception {
    assertFound(
        ThrowableSweep.MIGRATES,
        outsideCalls(folder)
            .in(
                "Migrator",
                "catch (final IOException | RuntimeException | Error e)",
                "catch (final IOException | RuntimeException e)")
            .in(
                "Background",
                "      } catch (Throwable e) {\n        failed(name, e);\n        pause",
                "      } catch (Exception e) {\n        failed(name, e);\n        pause"));
  }

  @Test
  void aSwitchInMemoryWithoutItsRenameIsFound() throws Exception {
    final ModelDisk.Defect defect =
        new ModelDisk.Defect() {
          @Override
          public boolean keepsName(final Path name) {
            return StoreModelTest.within("SegmentSwitch", "run");
          }
        };
    final Setup setup = Setup.of(true, "file");
    final Played played = new FaultSweep(setup, ThrowableSweep.SCRIPT, defect).play((Throw) null);
    assertThat(played.failure()).isNotNull();
    System.out.println("found: " + played.failure().lines().findFirst().orElseThrow());
  }

  private static void assertFound(final int setup, final PlantedDefect defect) throws Exception {
    final String found = call(defect, "find", new Object[] {setup});
    System.out.println("found: " + found);
    assertThat(found).isNotNull();
  }

  /** Threads, tasks and memory are asked for where a run can refuse them. */
  private static PlantedDefect outsideCalls(final Path folder) throws IOException {
    final String outside = OutsideCalls.class.getName();
    return new PlantedDefect(folder)
        .in("Background", "new Thread(body, name)", outside + ".thread(body, name)")
        .in("Background", "super.execute(surviving)", outside + ".task(); super.execute(surviving)")
        .in("SegmentCopy", "CopyBuffer.take(", outside + ".copyBuffer(");
  }

  private static String call(
      final PlantedDefect planted, final String method, final Object... arguments)
      throws Exception {
    try (URLClassLoader loader = planted.loader()) {
      for (final Method each : loader.loadClass(ThrowableSweep.class.getName()).getMethods()) {
        if (each.getName().equals(method)) {
          return (String) each.invoke(null, arguments);
        }
      }
      throw new AssertionError("no method " + method);
    } catch (final InvocationTargetException e) {
      if (e.getCause() instanceof AssertionError failed) {
        throw failed;
      }
      throw e;
    }
  }
}
