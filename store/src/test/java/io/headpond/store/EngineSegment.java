// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import io.headpond.store.segment.Segment;
import io.headpond.store.segment.SegmentChannel;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;

/**
 * A segment that a {@link ModelEngine} has open. The model is told before something is done, and of
 * what is promised after it.
 */
final class EngineSegment {
  private static final int OVERWRITE_BYTES_MAX = 6_000;

  final ModelSegment model;
  final FileChannel channel;
  String name;

  /** Is it of an earlier life, and not forced in this one? */
  boolean found;

  private final ModelRun run;
  private final ModelScript script;

  EngineSegment(
      final ModelRun run, final ModelScript script, final ModelSegment model, final String name)
      throws IOException {
    this.run = run;
    this.script = script;
    this.model = model;
    this.name = name;
    channel = run.open(name);
  }

  /** One that was there before: the next append goes to its end. */
  static EngineSegment reopened(
      final ModelRun run, final ModelScript script, final ModelSegment model, final String name)
      throws IOException {
    final EngineSegment open = new EngineSegment(run, script, model, name);
    open.found = true;
    try {
      open.channel.position(open.channel.size());
    } catch (final IOException | RuntimeException | Error e) {
      open.channel.close();
      throw e;
    }
    return open;
  }

  void append(final int max) throws IOException {
    final boolean promising = promisesWrites();
    final byte[] bytes = script.bytes(max);
    script.say("append %d B to %s at %d", bytes.length, name, model.now().length);
    synchronized (run.logs) {
      model.write(bytes, model.now().length);
    }
    final ByteBuffer source = ByteBuffer.wrap(bytes);
    while (source.hasRemaining()) {
      channel.write(source);
    }
    written(promising);
  }

  /** Kafka doesn't; the channel must, as a plain one. */
  void overwrite() throws IOException {
    if (model.now().length > 0) {
      final int at = script.nextInt(model.now().length);
      final boolean promising = promisesWrites();
      final byte[] bytes = script.bytes(OVERWRITE_BYTES_MAX);
      script.say("write %d B to %s at %d", bytes.length, name, at);
      synchronized (run.logs) {
        model.write(bytes, at);
      }
      final ByteBuffer source = ByteBuffer.wrap(bytes);
      while (source.hasRemaining()) {
        channel.write(source, at + source.position());
      }
      written(promising);
      channel.position(model.now().length);
    }
  }

  private boolean promisesWrites() {
    return run.promisesAppends() || segment().file().promisesWrites();
  }

  /**
   * A write returned.
   *
   * @param promising was it promised where the segment lay before the write? It may have moved
   *     since.
   */
  private void written(final boolean promising) {
    synchronized (run.logs) {
      model.acknowledge();
      if (promising && promisesWrites()) {
        model.promise();
      }
    }
  }

  /** The store's own view of it. */
  Segment segment() {
    return ((SegmentChannel) channel).segment();
  }

  void truncate() throws IOException {
    final int size = script.nextInt(model.now().length + 1);
    script.say("truncate %s from %d to %d B", name, model.now().length, size);
    truncateTo(size);
  }

  private void truncateTo(final int size) throws IOException {
    synchronized (run.logs) {
      model.truncate(size);
    }
    channel.truncate(size);
    synchronized (run.logs) {
      model.completed();
    }
  }

  /** Cuts off what was grown ahead. */
  void cutZeros() throws IOException {
    final byte[] now = model.now();
    int end = now.length;
    while (end > 0 && now[end - 1] == 0) {
      end--;
    }
    if (end < now.length) {
      truncateTo(end);
      channel.position(end);
    }
  }

  void force() throws IOException {
    script.say("force %s", name);
    final byte[] written;
    synchronized (run.logs) {
      written = model.forceable();
    }
    channel.force(script.nextBoolean());
    found = false;
    synchronized (run.logs) {
      model.promise(written);
    }
  }

  void read() throws IOException {
    script.say("read %s", name);
    check();
    run.checkVanilla(name, model.now());
  }

  /** Reads it through the channel. */
  void check() throws IOException {
    final ByteBuffer read = ByteBuffer.allocate((int) channel.size());
    while (read.hasRemaining() && channel.read(read, read.position()) >= 0) {}
    if (!Arrays.equals(read.array(), model.now())) {
      throw new AssertionError(
          name
              + ": read "
              + read.position()
              + " B that differ from the "
              + model.now().length
              + " B written, from byte "
              + Arrays.mismatch(read.array(), model.now()));
    }
  }

  void rename(final String newName) throws IOException {
    synchronized (run.logs) {
      model.names.add(newName);
    }
    run.store().move(run.path(name), run.path(newName), StandardCopyOption.ATOMIC_MOVE);
    name = newName;
  }

  /**
   * Gives it a name around the store, and leaves it open by the former one: Kafka does at a start.
   *
   * @return it, opened by its name
   */
  EngineSegment renamedAround(final String newName) throws IOException {
    script.say("rename %s around the store", name);
    synchronized (run.logs) {
      model.names.add(newName);
    }
    Files.move(run.path(name), run.path(newName), StandardCopyOption.ATOMIC_MOVE);
    return reopened(run, script, model, newName);
  }

  void delete() throws IOException {
    script.say("delete %s", name);
    synchronized (run.logs) {
      model.delete();
    }
    final boolean closeFirst = script.nextBoolean();
    if (closeFirst) {
      channel.close();
    }
    run.store().delete(run.path(name));
    channel.close();
  }
}
