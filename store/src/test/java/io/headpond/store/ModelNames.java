// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The names on all simulated devices, among which links lead from one to another. A change of an
 * entry is pending on its device until a force. Belongs to whoever holds the {@link ModelDisk}'s
 * monitor, but for {@link #device}.
 */
final class ModelNames {
  private final List<ModelDevice> devices = new ArrayList<>();

  void add(final ModelDevice device) {
    devices.add(device);
  }

  List<ModelDevice> devices() {
    return devices;
  }

  /** The device that a path lies on; null: on none. */
  ModelDevice device(final Path path) {
    for (final ModelDevice device : devices) {
      if (path.startsWith(device.root)) {
        return device;
      }
    }
    return null;
  }

  /** What a name leads to, through links; null: nothing. */
  ModelNode find(final Path path) {
    final ModelDevice device = device(path);
    if (device == null || path.equals(device.root)) {
      return device == null ? null : device.top;
    }
    ModelNode node = device.top;
    for (final Path name : device.root.relativize(path)) {
      node = node == null ? null : node.entries.get(name.toString());
    }
    return node != null && node.link != null ? find(path.resolveSibling(node.link)) : node;
  }

  /** What a name itself is: of a link, the link. */
  ModelNode entry(final Path path) {
    return parent(path).entries.get(name(path));
  }

  /** The directory that a name is in. */
  ModelNode parent(final Path path) {
    final ModelNode found = find(path.getParent());
    if (found == null) {
      throw new AssertionError(path + ": its directory is on no simulated device");
    }
    return found;
  }

  static String name(final Path path) {
    return path.getFileName().toString();
  }

  /** A name comes. */
  void enter(final ModelNode node, final Path path) {
    final ModelNode directory = parent(path);
    directory.entries.put(name(path), node);
    node.device.pending.add(ModelDevice.Change.made(node, directory, name(path)));
  }

  /** A name goes. */
  void leave(final Path path) {
    final ModelNode directory = parent(path);
    final ModelNode gone = directory.entries.remove(name(path));
    if (gone != null) {
      directory.device.pending.add(ModelDevice.Change.gone(gone, directory, name(path)));
    }
  }

  /** A name becomes another one, whatever that was. */
  void rename(final Path source, final Path target) {
    final ModelNode from = parent(source);
    final ModelNode to = parent(target);
    final ModelNode moved = from.entries.remove(name(source));
    to.entries.put(name(target), moved);
    from.device.pending.add(
        new ModelDevice.Change(moved, from, name(source), to, name(target), -1));
  }

  /** A name is there, durably. */
  void restore(final ModelNode node, final Path path) {
    final ModelNode directory = parent(path);
    directory.entries.put(name(path), node);
    directory.durableEntries.put(name(path), node);
  }
}
