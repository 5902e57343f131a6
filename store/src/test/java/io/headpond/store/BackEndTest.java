// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.headpond.pmem.Device;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The device decides how a tier is written. */
class BackEndTest {
  private static String backEnd(final TieredStore store) {
    return store.facts().tiers().get(0).backEnd();
  }

  @ParameterizedTest
  @CsvSource({
    "file, false, write",
    "file, true, dsync",
    "growing, false, write",
    "growing, true, write",
  })
  void aDiskIsWrittenAndNeverMapped(final String device, final boolean append, final String backEnd)
      throws Exception {
    try (ModelRun run = new ModelRun(ModelRun.Setup.of(append, device), 1)) {
      run.start();
      assertThat(backEnd(run.store())).isEqualTo(backEnd);
    }
  }

  @Test
  void persistentMemoryIsMapped() throws Exception {
    try (ModelRun run = new ModelRun(ModelRun.Setup.of(false, "dax"), 1)) {
      run.start();
      assertThat(backEnd(run.store())).isIn(List.of("libpmem", "jep352"));
    }
  }

  @Test
  void memoryIsWrittenUnlessAnExperimentMapsIt() throws Exception {
    for (final boolean mapped : List.of(false, true)) {
      try (StoreFixture fixture = new StoreFixture().mapped(mapped)) {
        assumeTrue(Device.detect(fixture.tier).inMemory());
        assertThat(backEnd(fixture.store())).isEqualTo(mapped ? "none" : "write");
      }
    }
  }
}
