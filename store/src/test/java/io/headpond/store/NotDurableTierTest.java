// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import static io.headpond.store.StoreFixture.CREATE;
import static io.headpond.store.StoreFixture.append;
import static io.headpond.store.StoreFixture.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.pmem.Durability;
import io.headpond.store.facts.Count;
import io.headpond.store.facts.StoreFacts;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Tiers on devices whose forced bytes aren't known to stay: sysfs is made up. */
final class NotDurableTierTest {
  private static final int BYTES = 4 << 10;

  /** What the kernel says of the tier's device; the home's is the first. */
  private static Path device(final ModelRun run) {
    return run.real("kernel/sys/dev/block/0:2");
  }

  private static ModelRun run() throws IOException {
    return new ModelRun(ModelRun.Setup.of(true, "file"), 1);
  }

  /** Starts, appends, and answers what the start said. */
  private static String appended(final ModelRun run) throws Exception {
    final PrintStream before = System.err;
    final ByteArrayOutputStream said = new ByteArrayOutputStream();
    System.setErr(new PrintStream(said, true, StandardCharsets.UTF_8));
    try {
      run.disk.createDirectory(run.real("home0/t-0"));
      run.start();
      final Path name = StoreFixture.segment(run.path("home0/t-0"), 0);
      try (FileChannel channel = run.store().open(name, CREATE)) {
        append(channel, bytes(BYTES, 0));
      }
    } finally {
      System.setErr(before);
    }
    return said.toString(StandardCharsets.UTF_8);
  }

  private static void called(
      final ModelRun run, final Durability word, final Count count, final String reason)
      throws Exception {
    final String said = appended(run);
    assertThat(said).contains("HP0205 tier t0: ", " is " + word + ": ", reason);
    assertThat(run.store().counters().sum(count)).isEqualTo(BYTES);
    assertThat(run.store().counters().sum(Count.APPENDED_DURABLE)).isZero();
    final StoreFacts facts = run.store().facts();
    assertThat(facts.appendedBytes()).isEqualTo(BYTES);
    assertThat(facts.tiers().get(0).durability()).isEqualTo(word);
  }

  @Test
  void bytesOnInstanceStorageAreCalledEphemeral() throws Exception {
    try (ModelRun run = run()) {
      Files.createDirectory(device(run).resolve("device"));
      Files.writeString(device(run).resolve("device/model"), "nvme_card\n");
      called(run, Durability.EPHEMERAL, Count.APPENDED_EPHEMERAL, "nvme_card");
    }
  }

  @Test
  void bytesOnADeviceWithoutFactsAreCalledUnknown() throws Exception {
    try (ModelRun run = run()) {
      Files.delete(device(run).resolve("queue/write_cache"));
      called(run, Durability.UNKNOWN, Count.APPENDED_UNKNOWN, "queue/write_cache");
    }
  }

  @Test
  void ofADurableTierNothingIsSaidAtTheStart() throws Exception {
    try (ModelRun run = run()) {
      assertThat(appended(run)).doesNotContain("HP0205");
      assertThat(run.store().counters().sum(Count.APPENDED_DURABLE)).isEqualTo(BYTES);
    }
  }
}
