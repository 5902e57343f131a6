// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import static io.headpond.store.StoreFixture.CREATE;
import static io.headpond.store.StoreFixture.append;
import static io.headpond.store.StoreFixture.await;
import static io.headpond.store.StoreFixture.bytes;
import static io.headpond.store.StoreFixture.segment;
import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.store.facts.Count;
import io.headpond.store.home.HomeSpace;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** Home has little room left, or a fast device fails: the broker lives while anything has room. */
class DegradedHomeTest {
  private static final int MIB = 1 << 20;
  private static final int HOME_BYTES = 16 * MIB;
  private static final String MAY_MOUNT = "io.headpond.store.MountedTmpfs#allowed";
  private static final String NO_MOUNT = "needs root and the right to mount a tmpfs";

  private StoreFixture fixture;
  private final List<FileChannel> channels = new ArrayList<>();

  @BeforeEach
  void makeDirectories() throws Exception {
    fixture = new StoreFixture().with("headpond.home.reserve", "4MiB");
  }

  @AfterEach
  void removeDirectories() throws Exception {
    closeChannels();
    fixture.close();
  }

  private void closeChannels() throws IOException {
    for (final FileChannel channel : channels) {
      channel.close();
    }
    channels.clear();
  }

  private FileChannel open(final Path name) throws IOException {
    final FileChannel channel = fixture.store().open(name, CREATE);
    channels.add(channel);
    return channel;
  }

  private static byte[] read(final FileChannel channel) throws IOException {
    final ByteBuffer all = ByteBuffer.allocate((int) channel.size());
    while (all.hasRemaining() && channel.read(all, all.position()) >= 0) {}
    return all.array();
  }

  /** So much of home is taken by what isn't ours. */
  private static Path ballast(final MountedTmpfs home, final int bytes) throws IOException {
    return Files.write(home.path.resolve("ballast"), new byte[bytes]);
  }

  private MountedTmpfs home() throws IOException {
    final MountedTmpfs home = new MountedTmpfs("size=" + HOME_BYTES);
    fixture.with("headpond.log.dirs", home.path.toString());
    return home;
  }

  @Test
  @EnabledIf(value = MAY_MOUNT, disabledReason = NO_MOUNT)
  void whatGrowsAtAHomeThatFillsGoesOnInATier() throws Exception {
    fixture.with("headpond.tier.pmem.migrate.threshold", "0.9");
    fixture.with("headpond.migrate.policy", ArchiveStaysHome.class.getName());
    try (MountedTmpfs home = home()) {
      ballast(home, 8 * MIB);
      final Path partition = Files.createDirectory(home.path.resolve("archive-0"));
      final Path name = segment(partition, 0);
      final FileChannel growing = open(name);
      final byte[] data = bytes(7 * MIB, 1);
      for (int at = 0; at < 5 * MIB; at += MIB / 4) { // room at home is 4 MiB
        append(growing, Arrays.copyOfRange(data, at, at + MIB / 4));
      }
      await("it goes on in the tier", () -> Files.isSymbolicLink(name));
      append(growing, Arrays.copyOfRange(data, 5 * MIB, data.length));
      assertThat(read(growing)).isEqualTo(data);
      assertThat(fixture.store().counters().sum(Count.EVACUATED_SEGMENTS))
          .as("appends didn't have to wait for its move")
          .isZero();
      await("home has room again", () -> !anyLow());
      Files.write(home.path.resolve("more"), new byte[5 * MIB]);
      await("home is at its reserve again", this::anyLow);
      final FileChannel next = open(segment(partition, 1));
      append(next, bytes(MIB, 2));
      assertThat(Files.isSymbolicLink(segment(partition, 1)))
          .as("also what the policy keeps home")
          .isTrue();
      assertThat(read(next)).isEqualTo(bytes(MIB, 2));
      Files.delete(home.path.resolve("more"));
      Files.delete(home.path.resolve("ballast"));
      await("what the policy keeps there goes back", () -> !Files.isSymbolicLink(name));
      assertThat(read(growing)).isEqualTo(data);
      closeChannels();
      fixture.stop();
    }
  }

  @Test
  @EnabledIf(value = MAY_MOUNT, disabledReason = NO_MOUNT)
  void aTierThatCannotBeRelievedSaysSoAndAppendsGoOn() throws Exception {
    fixture
        .with("headpond.tier.pmem.capacity", "16MiB")
        .with("headpond.tier.pmem.migrate.threshold", "0.25");
    try (MountedTmpfs home = home()) {
      final Path ballast = ballast(home, 13 * MIB);
      final Path partition = Files.createDirectory(home.path.resolve("orders-0"));
      for (int i = 0; i < 10; i++) {
        append(open(segment(partition, i)), bytes(MIB, i));
      }
      final TieredStore store = fixture.store();
      await("it is reported", () -> store.migrator().blocked().contains("no room is below"));
      for (int i = 0; i < 10; i++) {
        assertThat(Files.isSymbolicLink(segment(partition, i))).isTrue();
      }
      Files.delete(ballast);
      await("no longer", () -> store.migrator().blocked().isEmpty());
      await("the tier is relieved", () -> StoreFixture.usedBytes(store, fixture.tier) <= 4 * MIB);
      for (int i = 0; i < 10; i++) {
        assertThat(read(channels.get(i))).isEqualTo(bytes(MIB, i));
      }
      assertThat(home.path.toFile().getUsableSpace()).isGreaterThanOrEqualTo(4 * MIB);
      closeChannels();
      fixture.stop();
    }
  }

  @Test
  @EnabledIf(value = MAY_MOUNT, disabledReason = NO_MOUNT)
  void aSegmentThatJustFitsGoesHomeThoughItsCopyTakesTheRoom() throws Exception {
    fixture
        .with("headpond.tier.pmem.capacity", "16MiB")
        .with("headpond.tier.pmem.migrate.threshold", "-1");
    try (MountedTmpfs home = home()) {
      ballast(home, 5 * MIB); // which leaves 7 MiB above the reserve
      final Path name = segment(Files.createDirectory(home.path.resolve("orders-0")), 0);
      final FileChannel channel = open(name);
      append(channel, bytes(6 * MIB, 1));
      assertThat(fixture.store().migration(bytes -> {}).move(name, null, true))
          .isEqualTo(SegmentMigration.Outcome.MOVED);
      assertThat(read(channel)).isEqualTo(bytes(6 * MIB, 1));
      closeChannels();
      fixture.stop();
    }
  }

  private boolean anyLow() throws Exception {
    return fixture.store().homes().spaces().stream().anyMatch(HomeSpace::low);
  }
}
