// SPDX-License-Identifier: Apache-2.0
package io.headpond.bench.kafka.speed;

import io.headpond.bench.kafka.FolderRemoval;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The folders of one benchmark, {@code headpond-bench-*} on either device: emptied after each run,
 * removed at the end.
 */
final class BenchFolders {

  private static final String PREFIX = "headpond-bench-";

  private final Path fast;
  private final Path home;

  private BenchFolders(Path fast, Path home) {
    this.fast = fast;
    this.home = home;
  }

  static BenchFolders create(Path fast, Path home) throws IOException {
    Path fastFolder = Files.createTempDirectory(fast.toRealPath(), PREFIX);
    return new BenchFolders(fastFolder, Files.createTempDirectory(home.toRealPath(), PREFIX));
  }

  /** A folder on the fast device. */
  Path fast(String name) throws IOException {
    return Files.createDirectories(fast.resolve(name));
  }

  /** A folder on disk. */
  Path home(String name) throws IOException {
    return Files.createDirectories(home.resolve(name));
  }

  /** Removes what a run has left. */
  void empty() throws IOException {
    for (Path root : List.of(fast, home)) {
      FolderRemoval.remove(root, false);
    }
  }

  /** Removes all of it. */
  void remove() throws IOException {
    for (Path root : List.of(fast, home)) {
      FolderRemoval.remove(root, true);
    }
  }
}
