// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** What a power cut left on all devices: directories, links and files by their real paths. */
final class ModelImage {
  /**
   * One name.
   *
   * @param link where a link leads to, else null
   * @param content of a file, else null
   */
  record Entry(Path path, Path link, byte[] content) {
    boolean directory() {
      return link == null && content == null;
    }
  }

  /** A directory comes before what is in it. */
  private final SortedMap<Path, Entry> entries = new TreeMap<>();

  void add(final Path path, final Path link, final byte[] content) {
    entries.put(path, new Entry(path, link, content));
  }

  List<Entry> below(final Path root) {
    final List<Entry> found = new ArrayList<>();
    for (final Entry entry : entries.values()) {
      if (entry.path().startsWith(root) && !entry.path().equals(root)) {
        found.add(entry);
      }
    }
    return found;
  }

  /** What somebody reads who opens the name; null if it leads nowhere. */
  byte[] read(final Entry entry) {
    if (entry.link() == null) {
      return entry.content();
    }
    final Entry target = entries.get(entry.path().resolveSibling(entry.link()));
    return target == null ? null : target.content();
  }
}
