// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * A simulated device: its tree of names, and the changes of it that no force has made durable yet.
 * Belongs to whoever holds the {@link ModelDisk}'s monitor.
 */
final class ModelDevice {
  /** An entry that came, went or took another name; or, with a size, a file that was cut. */
  record Change(
      ModelNode node,
      ModelNode from,
      String fromName,
      ModelNode to,
      String toName,
      long sizeBytes) {
    static Change made(final ModelNode node, final ModelNode in, final String name) {
      return new Change(node, null, null, in, name, -1);
    }

    static Change gone(final ModelNode node, final ModelNode in, final String name) {
      return new Change(node, in, name, null, null, -1);
    }

    static Change cut(final ModelNode node, final long sizeBytes) {
      return new Change(node, null, null, null, null, sizeBytes);
    }

    boolean cut() {
      return sizeBytes >= 0;
    }

    private boolean cuts(final ModelNode file) {
      return cut() && node == file;
    }

    private boolean touches(final ModelNode directory) {
      return !cut() && (from == directory || to == directory);
    }

    private boolean sharesWith(final Change other) {
      return !cut()
          && (node == other.node
              || to != null && other.names(to, toName)
              || from != null && other.names(from, fromName));
    }

    private boolean names(final ModelNode directory, final String name) {
      return from == directory && name.equals(fromName) || to == directory && name.equals(toName);
    }

    void apply(final Function<ModelNode, Map<String, ModelNode>> entries) {
      if (from != null) {
        entries.apply(from).remove(fromName);
      }
      if (to != null) {
        entries.apply(to).put(toName, node);
      }
    }
  }

  final Path root;
  final boolean memory;
  final List<Change> pending = new ArrayList<>();
  ModelNode top;

  /** Does it keep the order of what wasn't forced, of one file and name and of another? */
  private boolean ordered = true;

  /**
   * An empty one.
   *
   * @param memory is it persistent memory, with DAX?
   */
  ModelDevice(final Path root, final boolean memory) {
    this.root = root;
    this.memory = memory;
    top = ModelNode.directory(this);
  }

  /** A file was cut; nothing of that is durable. */
  void cut(final ModelNode file, final long size) {
    pending.add(Change.cut(file, size));
  }

  /** All of a file is durable, that it was cut too. */
  void force(final ModelNode file) {
    file.force();
    pending.removeIf(change -> change.cuts(file));
  }

  /** A range of a file is durable, and what it was cut to before. */
  void forceRange(final ModelNode file, final long from, final int length) {
    pending.stream()
        .filter(change -> change.cuts(file))
        .forEach(change -> file.cutDurably(change.sizeBytes));
    pending.removeIf(change -> change.cuts(file));
    file.forceRange(from, length);
  }

  /**
   * The entries of a directory are durable, and with each what it was before.
   *
   * @param leftOut says of a name that a file was renamed from: its change stays as it is
   */
  void forceEntries(final ModelNode directory, final Predicate<String> leftOut) {
    final Deque<Change> forced = new ArrayDeque<>();
    for (int i = pending.size() - 1; i >= 0; i--) {
      final Change change = pending.get(i);
      if (change.fromName != null && change.to != null && leftOut.test(change.fromName)) {
        continue;
      }
      if (change.touches(directory) || forced.stream().anyMatch(change::sharesWith)) {
        forced.addFirst(pending.remove(i));
      }
    }
    forced.forEach(change -> change.apply(each -> each.durableEntries));
  }

  /** From now on a power cut may keep a change that wasn't forced, and not those before it. */
  void forgetOrder() {
    ordered = false;
  }

  /** What a power cut at this instant leaves. */
  void leave(final Random random, final ModelImage image) {
    final int all = pending.size();
    final BitSet kept = new BitSet(all);
    switch (random.nextInt(3)) {
      case 0 -> {}
      case 1 -> kept.set(0, all);
      default -> keepSome(kept, all, random);
    }
    new ModelCut(this, kept, random).leave(top, root, image);
  }

  private void keepSome(final BitSet kept, final int all, final Random random) {
    if (ordered) {
      kept.set(0, random.nextInt(all + 1));
      return;
    }
    final List<Change> lost = new ArrayList<>();
    final int of = 2 + random.nextInt(3); // half of them, or nearly all
    for (int i = 0; i < all; i++) {
      final Change change = pending.get(i);
      if (lost.stream().anyMatch(change::sharesWith) || random.nextInt(of) == 0) {
        lost.add(change); // with what came of it
      } else {
        kept.set(i);
      }
    }
  }
}
