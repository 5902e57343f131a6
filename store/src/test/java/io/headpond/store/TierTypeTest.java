// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.store.config.TierType;
import io.headpond.store.facts.StoreFacts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The type of a tier for which none is configured, or {@code auto}. */
class TierTypeTest {
  private static StoreFacts.Tier tier(final ModelRun run) throws Exception {
    run.start();
    return run.store().facts().tiers().get(0);
  }

  private static ModelRun run(final String device) throws Exception {
    return new ModelRun(ModelRun.Setup.of(false, device), 1)
        .with("headpond.tier.t0.type", TierType.AUTO.name());
  }

  @ParameterizedTest
  @CsvSource({"dax, PMEM", "mapped, FILE"})
  void itFollowsFromTheDevice(final String device, final TierType type) throws Exception {
    try (ModelRun run = run(device)) {
      final StoreFacts.Tier tier = tier(run);
      assertThat(tier.type()).isEqualTo(type);
      assertThat(tier.backEnd().equals("force")).isEqualTo(type == TierType.FILE);
    }
  }

  @Test
  void aDiskIsMappedOnlyIfMsyncIsNamed() throws Exception {
    try (ModelRun run = run("mapped").with("headpond.persist", "msync")) {
      final StoreFacts.Tier tier = tier(run);
      assertThat(tier.type()).isEqualTo(TierType.PMEM);
      assertThat(tier.backEnd()).isEqualTo("msync");
    }
  }

  @Test
  void memoryIsWrittenAsPersistentMemory() throws Exception {
    try (StoreFixture fixture = new StoreFixture()) {
      final StoreFacts.Tier tier = fixture.store().facts().tiers().get(0);
      final boolean memory =
          fixture.store().tiers().get(0).get(0).device.fileSystemType().equals("tmpfs");
      assertThat(tier.type()).isEqualTo(memory ? TierType.PMEM : TierType.FILE);
    }
  }
}
