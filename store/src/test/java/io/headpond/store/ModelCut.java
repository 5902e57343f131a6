// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.BitSet;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * One device after a power cut.
 *
 * <p>Of the changes of entries and lengths that weren't forced a prefix is left: a file system
 * keeps the order of its own journal, and two have no common one. Where it keeps none, as Btrfs
 * among files of which some are forced, it is a prefix for each file and name. Of the blocks that
 * weren't forced each is lost, kept or torn between two sectors; of a cache line of persistent
 * memory that wasn't written back, each of its 8-byte atoms. A file ends anywhere between its
 * durable length and its last one, and never holds a block's old content there, as with ext4's
 * {@code data=ordered}.
 */
final class ModelCut {
  private static final int BLOCK_BYTES = 4096;
  private static final int SECTOR_BYTES = 512;
  private static final int ATOM_BYTES = 8;

  private final Map<ModelNode, Map<String, ModelNode>> changed = new IdentityHashMap<>();
  private final Map<ModelNode, Long> cutTo = new IdentityHashMap<>();
  private final Map<ModelNode, Long> notCutTo = new IdentityHashMap<>();
  private final Random random;

  ModelCut(final ModelDevice device, final BitSet kept, final Random random) {
    this.random = random;
    for (int i = 0; i < device.pending.size(); i++) {
      final ModelDevice.Change change = device.pending.get(i);
      if (change.cut()) {
        (kept.get(i) ? cutTo : notCutTo).merge(change.node(), change.sizeBytes(), Math::min);
      } else if (kept.get(i)) {
        change.apply(this::entries);
      }
    }
  }

  private Map<String, ModelNode> entries(final ModelNode directory) {
    return changed.computeIfAbsent(directory, found -> new TreeMap<>(found.durableEntries));
  }

  void leave(final ModelNode node, final Path path, final ModelImage image) {
    image.add(path, node.link, node.isFile() ? content(node) : null);
    final Map<String, ModelNode> inside = changed.getOrDefault(node, node.durableEntries);
    inside.forEach((name, below) -> leave(below, path.resolve(name), image));
  }

  private byte[] content(final ModelNode node) {
    final long cut = cutTo.getOrDefault(node, Long.MAX_VALUE);
    final int kept = (int) Math.min(cut, node.durableBytes.length);
    final int how = random.nextInt(3);
    if (how == 0) {
      return Arrays.copyOf(node.durableBytes, kept);
    }
    final byte[] now = node.current();
    final Long lost = notCutTo.get(node);
    int length = kept;
    if (lost == null && now.length > length) {
      length = how == 1 ? now.length : length + random.nextInt(now.length - length + 1);
    }
    final byte[] left = new byte[length];
    System.arraycopy(node.durableBytes, 0, left, 0, kept);
    if (length > kept) {
      System.arraycopy(now, kept, left, kept, length - kept);
    }
    final int overwritten =
        (int) Math.min(Math.min(kept, now.length), lost == null ? Long.MAX_VALUE : lost);
    if (how == 1) {
      System.arraycopy(now, 0, left, 0, overwritten);
    } else if (node.device.memory) {
      tearLines(now, left, overwritten);
    } else {
      tearBlocks(now, left, overwritten);
    }
    return left;
  }

  private void tearBlocks(final byte[] now, final byte[] left, final int end) {
    for (int at = 0; at < end; at += BLOCK_BYTES) {
      final int block = Math.min(BLOCK_BYTES, end - at);
      final int written = Math.min(block, random.nextInt(9 * 2) * SECTOR_BYTES);
      System.arraycopy(now, at, left, at, random.nextInt(3) == 0 ? block : written);
    }
  }

  /** Any line may have left the caches by itself, at any time. */
  private void tearLines(final byte[] now, final byte[] left, final int end) {
    int differs = Arrays.mismatch(now, 0, end, left, 0, end);
    while (differs >= 0) {
      final int from = differs - differs % ModelNode.LINE_BYTES;
      final int to = Math.min(end, from + ModelNode.LINE_BYTES);
      final int how = random.nextInt(3);
      for (int at = from; at < to; at += ATOM_BYTES) {
        if (how == 1 || how == 2 && random.nextBoolean()) {
          System.arraycopy(now, at, left, at, Math.min(ATOM_BYTES, to - at));
        }
      }
      final int next = Arrays.mismatch(now, to, end, left, to, end);
      differs = next < 0 ? next : to + next;
    }
  }
}
