// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import static io.headpond.store.StoreFixture.CREATE;
import static io.headpond.store.StoreFixture.append;
import static io.headpond.store.StoreFixture.await;
import static io.headpond.store.StoreFixture.bytes;
import static io.headpond.store.StoreFixture.segment;
import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.store.facts.TimeSource;
import io.headpond.store.layout.MirrorName;
import io.headpond.store.layout.NameLook;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Mirrors keep few descriptors, however many segments there are and whatever fails. */
class MirrorDescriptorsTest {
  private static final int KIB = 1 << 10;

  @AutoClose private final MirroredTier tier = new MirroredTier();
  private final StoreFixture fixture = tier.fixture;

  /** Segments come and go on, and the mirrors of all of them are behind. */
  @Test
  void roundsThatFailKeepNoMoreDescriptorsThanOthers() throws Exception {
    fixture.with("headpond.tier.pmem.type", "file").time(TimeSource.SYSTEM); // time between rounds
    try (FileChannel channel = tier.open()) {
      tier.started();
      append(channel, bytes(KIB, 1));
      fixture.store().open(segment(tier.partition, 1), CREATE).close();
      await("a whole mirror", () -> Files.exists(tier.whole(tier.name)));
      Files.delete(tier.whole(tier.name));
      Files.createDirectory(tier.whole(tier.name)); // which nobody can write to
      append(channel, bytes(KIB, 2)); // each round fails from now on
      await("suspended", () -> fixture.store().facts().mirrors().get(0).suspended());
      for (int i = 0; i < 300; i++) {
        try (FileChannel other =
            fixture.store().open(segment(fixture.partition("many-" + i), 0), CREATE)) {
          append(other, bytes(KIB, i));
        }
      }
      await(
          "all are copied",
          () -> tier.mirrors().stream().filter(MirroredTier::isKib).count() >= 300);
      await("descriptors go", () -> openMirrors() <= 256);
    }
  }

  /** Few are written to at a time, and all of them by and by. */
  @Test
  void mirrorsThatNobodyWritesToKeepNoDescriptors() throws Exception {
    fixture.with("headpond.tier.pmem.type", "file");
    final List<FileChannel> channels = new ArrayList<>();
    try {
      channels.add(tier.open());
      tier.started();
      for (int i = 0; i < 300; i++) {
        channels.add(fixture.store().open(segment(fixture.partition("many-" + i), 0), CREATE));
        append(channels.get(i), bytes(KIB, i));
      }
      await("descriptors go", () -> openMirrors() <= 256);
      append(channels.get(0), bytes(KIB, 1));
      assertThat(tier.mirrorOf(tier.name)).hasSize(2 * KIB);
    } finally {
      for (final FileChannel channel : channels) {
        channel.close();
      }
    }
  }

  @Test
  void mirrorsThatCannotBeCaughtUpKeepNoDescriptors() throws Exception {
    final int segments = 4;
    try (ModelRun run = new ModelRun(ModelRun.Setup.of(false, "file"), 1)) {
      run.start();
      for (int i = 0; i < segments; i++) {
        run.disk.createDirectory(run.real("home0/t-" + i));
        try (FileChannel channel = run.open("home0/t-" + i + "/00000000000000000000.log")) {
          append(channel, bytes(KIB, 1));
        }
      }
      run.stop();
      run.with("headpond.tier.t0.mirror", "0").with(new FastTime());
      final Path tier = run.real("tier00");
      run.disk.schedule(
          (call, path, made) -> {
            if (call == ModelFaults.Call.READ && path.startsWith(tier.resolve("segments"))) {
              run.disk.faults().breakDown(tier, call);
            }
          });
      run.start();
      await("all were tried", () -> MirroredTier.mirrors(run.real("home0")).size() == segments);
      assertThat(run.disk.stillOpen())
          .filteredOn(path -> MirrorName.ofMirror(path) != null)
          .as("of the one that is being tried")
          .hasSizeLessThanOrEqualTo(1);
      run.disk.schedule((call, path, made) -> {});
      run.disk.faults().heal();
      await(
          "they are caught up",
          () -> MirroredTier.mirrors(run.real("home0")).stream().allMatch(MirroredTier::isKib));
    }
  }

  private long openMirrors() throws IOException {
    long open = 0;
    for (final Path descriptor : NameLook.list(Path.of("/proc/self/fd"))) {
      try {
        open += MirrorName.ofMirror(Files.readSymbolicLink(descriptor)) != null ? 1 : 0;
      } catch (final NoSuchFileException closed) {
        continue;
      }
    }
    return open;
  }
}
