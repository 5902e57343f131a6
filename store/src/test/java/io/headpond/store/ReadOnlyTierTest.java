// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import static io.headpond.store.StoreFixture.CREATE;
import static io.headpond.store.StoreFixture.append;
import static io.headpond.store.StoreFixture.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.store.ModelRun.Setup;
import io.headpond.store.segment.SegmentChannel;
import io.headpond.store.tier.TierDirectory;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A tier that can only be read any more, as the kernel leaves a file system whose journal met an
 * error: its segments go on elsewhere, whatever is asked of them first.
 */
final class ReadOnlyTierTest {
  private static final int BYTES = 20_000;
  private static final String DIRECTORY = "home0/t-0";

  static Stream<Setup> tiers() {
    return Stream.of(
        Setup.of(false, "dax"),
        Setup.of(true, "dax"),
        Setup.of(true, "file"),
        Setup.of(false, "growing"));
  }

  private final List<FileChannel> channels = new ArrayList<>();
  private ModelRun run;

  private void start(final Setup tier) throws IOException {
    run = new ModelRun(tier, 1).with("headpond.tier.t0.capacity", "8MiB");
    run.start();
    run.disk.createDirectory(run.real(DIRECTORY));
  }

  @AfterEach
  void close() throws IOException {
    for (final FileChannel channel : channels) {
      channel.close();
    }
    run.disk.faults().heal();
    run.disk.schedule((call, path, made) -> {});
    run.close();
  }

  private Path name(final long base) {
    return StoreFixture.segment(run.path(DIRECTORY), base);
  }

  private Path real(final long base) {
    return StoreFixture.segment(run.real(DIRECTORY), base);
  }

  private FileChannel open(final long base) throws IOException {
    final FileChannel channel = run.store().open(name(base), CREATE);
    channels.add(channel);
    return channel;
  }

  private void makeReadOnly() {
    run.disk.faults().makeReadOnly(run.real("tier00"));
  }

  private void assertAtHome(final long base, final byte[]... content) throws IOException {
    assertThat(Files.isSymbolicLink(real(base))).isFalse();
    assertHolds(base, content);
    assertThat(run.store().tiers().get(0).get(0).failed()).isTrue();
  }

  private void assertHolds(final long base, final byte[]... content) throws IOException {
    final ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (final byte[] each : content) {
      all.write(each);
    }
    assertThat(Files.readAllBytes(real(base))).startsWith(all.toByteArray());
  }

  @ParameterizedTest
  @MethodSource("tiers")
  void anAppendToAnIdleSegmentGoesOnAtHome(final Setup tier) throws Exception {
    start(tier);
    final FileChannel channel = open(0);
    append(channel, bytes(BYTES, 1));
    ((SegmentChannel) channel).segment().sealIfIdle(0);
    makeReadOnly();
    append(channel, bytes(BYTES, 2));
    assertAtHome(0, bytes(BYTES, 1), bytes(BYTES, 2));
  }

  @ParameterizedTest
  @MethodSource("tiers")
  void theFirstAppendToASegmentGoesOnAtHome(final Setup tier) throws Exception {
    start(tier);
    final FileChannel channel = open(0);
    makeReadOnly();
    append(channel, bytes(BYTES, 1));
    assertAtHome(0, bytes(BYTES, 1));
  }

  @ParameterizedTest
  @MethodSource("tiers")
  void aRollIntoASpareGoesOnAtHome(final Setup tier) throws Exception {
    start(tier);
    for (int i = 0; i < 3; i++) {
      append(open(i), bytes(BYTES, i));
    }
    StoreFixture.awaitSpare(run.store(), run.path(DIRECTORY));
    makeReadOnly();
    final FileChannel channel = open(3);
    append(channel, bytes(BYTES, 3));
    assertThat(Files.isSymbolicLink(real(3))).isFalse();
    assertThat(Files.readAllBytes(real(3))).isEqualTo(bytes(BYTES, 3));
    assertThat(Files.readAllBytes(real(2))).isEqualTo(bytes(BYTES, 2));
  }

  @ParameterizedTest
  @MethodSource("tiers")
  void aSegmentThatIsOpenedAgainGoesOnAtHome(final Setup tier) throws Exception {
    start(tier);
    final FileChannel first = open(0);
    append(first, bytes(BYTES, 1));
    first.close();
    makeReadOnly();
    final FileChannel channel = open(0);
    channel.position(channel.size());
    append(channel, bytes(BYTES, 2));
    assertAtHome(0, bytes(BYTES, 1), bytes(BYTES, 2));
  }

  @ParameterizedTest
  @MethodSource("tiers")
  void aSegmentThatHasJustMovedThereIsRead(final Setup tier) throws Exception {
    start(tier);
    final FileChannel channel = open(0);
    append(channel, bytes(BYTES, 1));
    migrate(null);
    run.disk.schedule(
        (call, path, made) -> {
          if (!made && call == ModelFaults.Call.RENAME && path.startsWith(run.real("home0"))) {
            makeReadOnly(); // the name leads there, and no channel has followed
          }
        });
    migrate(run.store().tiers().get(0).get(0));
    assertThat(channel.size()).isEqualTo(BYTES);
    append(channel, bytes(BYTES, 2));
    assertAtHome(0, bytes(BYTES, 1), bytes(BYTES, 2));
  }

  private void migrate(final TierDirectory to) throws IOException {
    assertThat(run.store().migration(bytes -> {}).move(name(0), to, false))
        .isEqualTo(SegmentMigration.Outcome.MOVED);
  }

  @ParameterizedTest
  @MethodSource("tiers")
  void aTruncationIsDoneAtHome(final Setup tier) throws Exception {
    start(tier);
    final FileChannel channel = open(0);
    append(channel, bytes(BYTES, 1));
    assertTruncatedAtHome(channel);
  }

  @ParameterizedTest
  @MethodSource("tiers")
  void aTruncationOfAnIdleSegmentIsDoneAtHome(final Setup tier) throws Exception {
    start(tier);
    final FileChannel channel = open(0);
    append(channel, bytes(BYTES, 1));
    ((SegmentChannel) channel).segment().sealIfIdle(0);
    assertTruncatedAtHome(channel);
  }

  private void assertTruncatedAtHome(final FileChannel channel) throws IOException {
    makeReadOnly();
    channel.truncate(BYTES / 2);
    assertThat(channel.size()).isEqualTo(BYTES / 2);
    assertAtHome(0, Arrays.copyOf(bytes(BYTES, 1), BYTES / 2));
  }

  @ParameterizedTest
  @MethodSource("tiers")
  void aForceAfterARollGoesOn(final Setup tier) throws Exception {
    start(tier);
    append(open(0), bytes(BYTES, 0));
    final FileChannel channel = open(1);
    append(channel, bytes(BYTES, 1));
    makeReadOnly();
    channel.force(true);
    append(channel, bytes(BYTES, 2));
    assertHolds(1, bytes(BYTES, 1), bytes(BYTES, 2));
    assertThat(Files.readAllBytes(real(0))).isEqualTo(bytes(BYTES, 0));
  }
}
