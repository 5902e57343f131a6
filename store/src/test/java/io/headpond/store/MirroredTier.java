// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import static io.headpond.store.StoreFixture.CREATE;
import static io.headpond.store.StoreFixture.await;
import static io.headpond.store.StoreFixture.segment;

import io.headpond.store.facts.StoreFacts;
import io.headpond.store.layout.MirrorName;
import io.headpond.store.layout.MirrorState;
import io.headpond.store.layout.NameLook;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Arrays;
import java.util.List;

/**
 * A {@link StoreFixture} whose tier is mirrored, each append before it returns, and its mirrors.
 * Rounds that nobody asks for come ten times a second.
 */
final class MirroredTier implements AutoCloseable {
  private static final int KIB = 1 << 10;

  final StoreFixture fixture;
  final Path partition;

  /** Of a segment there. */
  final Path name;

  /** Unlike the others it throws no checked exception, so that a test's field may be one. */
  MirroredTier() {
    try {
      fixture = new StoreFixture().with("headpond.tier.pmem.mirror", "0").time(new FastTime());
      partition = fixture.partition("orders-0");
    } catch (final IOException e) {
      throw new UncheckedIOException(e);
    }
    name = segment(partition, 0);
  }

  FileChannel open() throws IOException {
    return fixture.store().open(name, CREATE);
  }

  List<Path> mirrors() throws IOException {
    return mirrors(fixture.home);
  }

  /**
   * A model of a store that has started: its first tier is mirrored, each append before it returns.
   *
   * @param tiers their types, of 16 MiB each
   * @param settings keys and values in turn
   */
  static ModelRun model(final List<String> tiers, final String... settings) throws Exception {
    final ModelRun run =
        new ModelRun(ModelRun.Setup.of(false, tiers.toArray(String[]::new)), 1)
            .with("headpond.tier.t0.mirror", "0")
            .with(new FastTime());
    for (int i = 0; i < tiers.size(); i++) {
      run.with("headpond.tier.t" + i + ".capacity", "16MiB");
    }
    for (int i = 0; i < settings.length; i += 2) {
      run.with(settings[i], settings[i + 1]);
    }
    run.disk.createDirectory(run.real("home0/t-0"));
    run.disk.createDirectory(run.real("home0/t-1"));
    run.start();
    await("a state", () -> MirrorState.read(run.real("home0")).isPresent());
    return run;
  }

  static List<Path> mirrors(final Path logDir) throws IOException {
    return NameLook.list(logDir).stream()
        .filter(file -> MirrorName.ofMirror(file) != null)
        .sorted()
        .toList();
  }

  byte[] mirrored() throws IOException {
    while (true) {
      try {
        return Files.readAllBytes(mirrors().get(0));
      } catch (final NoSuchFileException renamed) {
        continue; // by the mirror's thread, between the look and the read
      }
    }
  }

  static byte[] joined(final byte[] first, final int kept, final byte[] second) {
    final byte[] all = Arrays.copyOf(first, kept + second.length);
    System.arraycopy(second, 0, all, kept, second.length);
    return all;
  }

  /** Appended before the first round, which a start's look for mirrors precedes. */
  void started() throws Exception {
    await("rounds", () -> fixture.store().facts().mirrors().get(0).behindBytes() == 0);
    await("the state", () -> MirrorState.read(fixture.home).isPresent());
  }

  StoreFacts.Mirror mirror() throws IOException {
    return fixture.store().facts().mirrors().get(0);
  }

  Path whole(final Path segment) throws IOException {
    return MirrorName.whole(fixture.home, MirrorName.ofTierFile(Files.readSymbolicLink(segment)));
  }

  static boolean isKib(final Path file) {
    return file.toFile().length() == KIB;
  }

  Path mirrorOf(final Path segment) throws IOException {
    return MirrorName.lagging(fixture.home, MirrorName.ofTierFile(Files.readSymbolicLink(segment)));
  }

  static Object key(final Path file) throws IOException {
    return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
  }

  @Override
  public void close() throws IOException {
    fixture.close();
  }
}
