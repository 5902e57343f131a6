// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.store.ModelRun.Setup;
import io.headpond.store.tier.TierDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * A log as a chain on simulated devices: two segments, of which the first is written while the fast
 * tier is full.
 */
final class ModelChain implements AutoCloseable {
  static final int POWER_CUTS = 90;
  static final int BYTES_MAX = 20_000;

  /** What the log's directory may be renamed to. */
  static final String OTHER_DIRECTORY = "home0/t-0-stray";

  final ModelRun run;
  private final ModelScript script = new ModelScript(1);
  EngineLog log;
  private long heldBytes;
  private final Map<EngineSegment, EngineSegment> opened = new HashMap<>();
  EngineSegment below;
  EngineSegment above;

  ModelChain(final Setup setup) throws IOException {
    run = new ModelRun(setup, 1);
    run.start();
    log = new EngineLog(run, script, "home0/t-0");
    heldBytes = fastest().capacityBytes - fastest().space.usedBytes();
    assertThat(fastest().space.reserve(heldBytes)).isTrue();
  }

  TierDirectory fastest() {
    return run.store().tiers().get(0).get(0);
  }

  void appendBelow() throws IOException {
    log.roll();
    below = log.last();
    below.append(BYTES_MAX);
    assertThat(below.segment().file().promisesWrites()).isFalse();
  }

  Path fileOf(final EngineSegment segment) throws IOException {
    return Files.readSymbolicLink(run.real(segment.name));
  }

  HungCalls hungForces(final Path... files) {
    return new HungCalls(
        run.disk, (call, path) -> call == ModelFaults.Call.FORCE && List.of(files).contains(path));
  }

  void fillFastTier() {
    heldBytes = fastest().capacityBytes - fastest().space.usedBytes();
    assertThat(fastest().space.reserve(heldBytes)).isTrue();
  }

  void freeFastTier() {
    fastest().space.release(heldBytes);
  }

  /** The process ends and another begins; the power stays. */
  void restart() throws IOException {
    log.close();
    run.stop();
    run.start();
    log = new EngineLog(run, script, "home0/t-0");
    below = EngineSegment.reopened(run, script, below.model, below.name);
    log.found(below);
  }

  /** The same, and of these only an open channel is known; others are opened by nobody. */
  void restart(final EngineSegment... reopened) throws IOException {
    log.close();
    run.stop();
    run.start();
    log = new EngineLog(run, script, "home0/t-0");
    for (final EngineSegment each : reopened) {
      opened.put(each, EngineSegment.reopened(run, script, each.model, each.name));
      log.found(opened.get(each));
    }
  }

  EngineSegment found(final EngineSegment before) {
    return opened.get(before);
  }

  void appendAbove() throws IOException {
    log.roll();
    above = log.last();
    above.append(BYTES_MAX);
  }

  /** Cuts it many times at this instant: what is above is there, and so is all below it. */
  void cutPower() throws IOException {
    assertThat(above.segment().file().promisesWrites()).isTrue();
    final Random random = new Random(1);
    for (int i = 0; i < POWER_CUTS; i++) {
      final ModelImage image = run.disk.cut(random);
      assertThat(content(image, above)).isEqualTo(above.model.now());
      assertThat(content(image, below)).as("power cut %d", i).isEqualTo(below.model.now());
    }
  }

  private static String otherName(final EngineSegment segment) {
    return OTHER_DIRECTORY + segment.name.substring(segment.name.lastIndexOf('/'));
  }

  byte[] content(final ModelImage image, final EngineSegment segment) throws IOException {
    return image.below(run.real("")).stream()
        .filter(
            entry ->
                entry.path().equals(run.real(segment.name))
                    || entry.path().equals(run.real(otherName(segment))))
        .map(image::read)
        .map(bytes -> Arrays.copyOf(bytes, Math.min(bytes.length, segment.model.now().length)))
        .findFirst()
        .orElse(null);
  }

  @Override
  public void close() throws IOException {
    log.close();
    run.close();
  }
}
