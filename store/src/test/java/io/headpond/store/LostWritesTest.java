// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import static io.headpond.store.StoreFixture.CREATE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headpond.store.claim.StartCheck;
import io.headpond.store.config.StoreConfig;
import io.headpond.store.event.StoreRefusedException;
import io.headpond.store.layout.HomeIdentity;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Persistent memory that counts power failures at which it lost writes: sysfs is made up. */
final class LostWritesTest {
  @AutoClose private ModelRun run;
  private StoreConfig config;

  @BeforeEach
  void aLog() throws Exception {
    run = new ModelRun(ModelRun.Setup.of(true, "dax"), 1);
    counted("nmem0", 4);
    run.disk.createDirectory(run.real("home0/t-0"));
    run.start();
    final Path segment = StoreFixture.segment(run.path("home0/t-0"), 0);
    try (FileChannel channel = run.store().open(segment, CREATE)) {
      channel.write(ByteBuffer.allocate(100));
    }
    config = run.store().config();
    run.stop();
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

  private void life() throws Exception {
    run.start();
    run.stop();
  }

  private void refused() {
    for (int start = 0; start < 2; start++) { // nothing was noted
      assertThatThrownBy(() -> run.start())
          .isInstanceOf(StoreRefusedException.class)
          .hasMessageContaining("HP0120 tier t0: ")
          .hasMessageContaining("8089-a2-1748-00000f1b=4, now 8089-a2-1748-00000f1b=5)")
          .hasMessageContaining("headpond verify " + run.path("home0"))
          .hasMessageContaining("headpond recover " + config.source() + " --tier t0");
    }
  }

  @Test
  void theSameCountStarts() throws Exception {
    life();
    life();
  }

  @Test
  void aChangedCountIsRefusedUntilItIsNoted() throws Exception {
    counted("nmem0", 5);
    assertThat(new StartCheck(config).findings())
        .extracting(each -> each.words().code().code())
        .containsExactly("HP0120");
    refused();
    final HomeIdentity identity = HomeIdentity.read(run.path("home0")).orElseThrow();
    final UUID tier = identity.tiers().get(0).id();
    identity.noteShutdowns(tier, "8089-a2-1748-00000f1b=5");
    identity.writeTiers(identity.tiers());
    life();
  }

  @Test
  void aModuleIsKnownByItsOwnIdentifier() throws Exception {
    counted("nmem7", 4);
    life();
    counted("nmem3", 5);
    refused();
  }

  @Test
  void countsAreRememberedWhileTheKernelShowsNone() throws Exception {
    uncounted();
    life();
    counted("nmem0", 5);
    refused();
  }
}
