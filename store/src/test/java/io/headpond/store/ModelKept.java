// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * All that devices held at one instant, durable or not: what a process that is killed leaves to the
 * next one, and what a later power cut may take away.
 */
final class ModelKept {
  /**
   * A file, a directory or a link.
   *
   * @param content of a file, else null
   */
  private record Kept(
      byte[] content,
      byte[] durable,
      Map<String, ModelNode> entries,
      Map<String, ModelNode> durableEntries) {}

  private final Map<ModelNode, Kept> nodes = new IdentityHashMap<>();
  private final Map<ModelDevice, ModelNode> tops = new IdentityHashMap<>();
  private final Map<ModelDevice, List<ModelDevice.Change>> pending = new IdentityHashMap<>();

  ModelKept(final List<ModelDevice> devices) {
    for (final ModelDevice device : devices) {
      tops.put(device, device.top);
      pending.put(device, List.copyOf(device.pending));
      keep(device.top);
      device.pending.forEach(
          change -> {
            keep(change.node());
            keep(change.from());
            keep(change.to());
          });
    }
  }

  private void keep(final ModelNode node) {
    if (node == null || nodes.containsKey(node)) {
      return;
    }
    nodes.put(
        node,
        new Kept(
            node.isFile() ? node.current() : null,
            node.durableBytes.clone(), // a write-back changes it in place
            Map.copyOf(node.entries),
            Map.copyOf(node.durableEntries)));
    node.entries.values().forEach(this::keep);
    node.durableEntries.values().forEach(this::keep);
  }

  /** What everybody saw at that instant. */
  ModelImage image() {
    final ModelImage image = new ModelImage();
    tops.forEach((device, top) -> see(top, device.root, image));
    return image;
  }

  private void see(final ModelNode node, final Path path, final ModelImage image) {
    final Kept kept = nodes.get(node);
    image.add(path, node.link, kept.content);
    kept.entries.forEach((name, below) -> see(below, path.resolve(name), image));
  }

  /**
   * Gives an empty device what it held.
   *
   * @param opened takes the files' channels
   */
  void restore(final ModelDevice device, final List<FileChannel> opened) throws IOException {
    final Map<ModelNode, Path> files = new IdentityHashMap<>();
    device.top = tops.get(device);
    device.pending.addAll(pending.get(device));
    place(device.top, device.root, files);
    for (final Map.Entry<ModelNode, Kept> node : nodes.entrySet()) {
      if (node.getKey().device == device) {
        restore(node.getKey(), node.getValue(), files.get(node.getKey()), opened);
      }
    }
  }

  private void place(final ModelNode node, final Path path, final Map<ModelNode, Path> files)
      throws IOException {
    if (node.link != null) {
      Files.createSymbolicLink(path, node.link);
    } else if (node.isFile()) {
      files.put(node, path);
    } else if (!Files.isDirectory(path)) {
      Files.createDirectory(path);
    }
    for (final Map.Entry<String, ModelNode> below : nodes.get(node).entries.entrySet()) {
      place(below.getValue(), path.resolve(below.getKey()), files);
    }
  }

  /**
   * Gives a node what it had.
   *
   * @param path of a file; null: it has no name any more, but may have one after a power cut
   */
  private static void restore(
      final ModelNode node, final Kept kept, final Path path, final List<FileChannel> opened)
      throws IOException {
    node.durableBytes = kept.durable;
    node.entries.clear();
    node.entries.putAll(kept.entries);
    node.durableEntries.clear();
    node.durableEntries.putAll(kept.durableEntries);
    if (kept.content != null) {
      final Path file = path == null ? Files.createTempFile("headpond-model", null) : path;
      Files.write(file, kept.content);
      node.content = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
      opened.add(node.content);
      if (path == null) {
        Files.delete(file);
      }
    }
  }
}
