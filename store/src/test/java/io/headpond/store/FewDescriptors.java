// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import io.headpond.pmem.MappedFile;
import io.headpond.store.config.StoreConfig;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A process that opens segments until it may open no more files, and goes on with those that it
 * has. It says what it was told: {@code A segment bytes} is acknowledged, {@code R} a refusal.
 */
final class FewDescriptors {
  private static final int SEGMENTS_MAX = 10_000;
  private static final int BYTES = 1_000;

  private FewDescriptors() {}

  /** Argument: the configuration file. */
  public static void main(final String[] arguments) throws Exception {
    load(TieredStore.class);
    load(MappedFile.class);
    final StoreConfig config = StoreConfig.load(Path.of(arguments[0]));
    final Path home = config.logDirs().get(0);
    try (TieredStore store = new TieredStore(config)) {
      store.claim();
      final List<FileChannel> open = new ArrayList<>();
      boolean refused = false;
      for (int i = 0; i < SEGMENTS_MAX && !refused; i++) {
        final Path partition = Files.createDirectory(home.resolve("t-" + i));
        try {
          open.add(store.open(StoreFixture.segment(partition, 0), StoreFixture.CREATE));
          append(open.get(i), i, BYTES);
        } catch (final IOException e) {
          System.out.println("R " + e);
          refused = true;
        }
      }
      // The last one may have a part of its bytes only.
      final int whole = open.size() - 1;
      for (int i = whole; i < open.size(); i++) {
        open.get(i).close();
      }
      for (int i = 0; i < whole / 2; i++) {
        open.get(i).close();
      }
      for (int i = whole / 2; i < whole; i++) {
        append(open.get(i), i, 2 * BYTES);
        open.get(i).close();
      }
    }
    System.out.println("BYE");
  }

  /** A class in a folder, other than in a broker's jar, takes a descriptor when it is loaded. */
  private static void load(final Class<?> one) throws Exception {
    final URI location = one.getProtectionDomain().getCodeSource().getLocation().toURI();
    final Path root = Path.of(location);
    if (!Files.isDirectory(root)) {
      return;
    }
    final List<Path> below;
    try (Stream<Path> files = Files.walk(root.resolve(one.getPackageName().replace('.', '/')))) {
      below = files.filter(file -> file.toString().endsWith(".class")).toList();
    }
    for (final Path file : below) {
      final String name = root.relativize(file).toString().replace('/', '.');
      if (!name.endsWith("package-info.class")) {
        Class.forName(name.substring(0, name.length() - ".class".length()));
      }
    }
  }

  private static void append(final FileChannel channel, final int segment, final int end)
      throws IOException {
    final ByteBuffer source = ByteBuffer.wrap(StoreFixture.bytes(end, segment));
    source.position(end - BYTES);
    while (source.hasRemaining()) {
      channel.write(source, source.position());
    }
    System.out.println("A " + segment + " " + end);
  }
}
