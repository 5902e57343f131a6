// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.OpenOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** Draws operations of {@link FileChannel}; the same seed draws the same ones. */
final class ChannelOperations implements AutoCloseable {
  /** Beyond several chunks of a mapping, small enough for many rounds. */
  static final int FILE_BYTES_MAX = 400 << 10;

  private static final int SMALL_BYTES = 300;
  private static final int LARGE_BYTES = 90 << 10;
  private static final FileChannel.MapMode[] MAP_MODES = {
    FileChannel.MapMode.READ_ONLY, FileChannel.MapMode.READ_WRITE, FileChannel.MapMode.PRIVATE
  };

  static final List<Set<OpenOption>> MODES =
      List.of(
          Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE),
          Set.of(StandardOpenOption.READ),
          Set.of(StandardOpenOption.WRITE),
          Set.of(StandardOpenOption.APPEND),
          Set.of(
              StandardOpenOption.READ,
              StandardOpenOption.WRITE,
              StandardOpenOption.TRUNCATE_EXISTING),
          Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE));

  /** Rare: each write waits for the device. */
  private static final Set<OpenOption> SYNCHRONOUS =
      Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.DSYNC);

  private final Random random;
  private final boolean names;
  private final byte[] bytes = new byte[LARGE_BYTES];
  private final SocketChannel out;
  private final SocketChannel in;
  private String description;

  /**
   * Draws from a seed.
   *
   * @param names what is done to the file's name, too?
   */
  ChannelOperations(final long seed, final boolean names) throws IOException {
    this.names = names;
    random = new Random(seed);
    random.nextBytes(bytes);
    try (ServerSocketChannel server = ServerSocketChannel.open()) {
      server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      out = SocketChannel.open(server.getLocalAddress());
      in = server.accept();
    }
    out.configureBlocking(false);
  }

  @Override
  public void close() throws IOException {
    out.close();
    in.close();
  }

  String description() {
    return description;
  }

  /**
   * Draws one.
   *
   * @param sizeBytes of the file now
   */
  ChannelSide.Operation draw(final long sizeBytes) {
    final int c = random.nextInt(10) < 8 ? 0 : 1;
    final int kind = random.nextInt(1000);
    final ChannelSide.Operation operation;
    if (kind < 300) {
      operation = reading(c, sizeBytes);
    } else if (kind < 600) {
      operation = writing(c, sizeBytes);
    } else if (kind < 850) {
      operation = asking(c, sizeBytes);
    } else if (kind < 970) {
      operation = transferring(c, sizeBytes);
    } else if (kind < 995 || !names) {
      operation = seldom(c, sizeBytes);
    } else {
      operation = naming(c);
    }
    description += " channel " + c + " size " + sizeBytes;
    return operation;
  }

  /** An open of a channel in a mode drawn now; fails on some. */
  ChannelSide.Operation reopening(final int c) {
    final Set<OpenOption> options =
        random.nextInt(200) == 0
            ? SYNCHRONOUS
            : MODES.get(random.nextInt(3) == 0 ? random.nextInt(MODES.size()) : c);
    description = "close and open " + options + " channel " + c;
    return side -> {
      if (side.channels[c] != null) {
        side.channels[c].close();
      }
      side.open(c, options);
      return 0;
    };
  }

  private int length() {
    return random.nextInt(random.nextInt(40) == 0 ? LARGE_BYTES : SMALL_BYTES);
  }

  /** Mostly inside the file, sometimes at its end or some way behind it, seldom negative. */
  private long place(final long sizeBytes) {
    return switch (random.nextInt(20)) {
      case 0 -> sizeBytes;
      case 1 -> Math.min(FILE_BYTES_MAX, sizeBytes + random.nextInt(5000));
      case 2 -> random.nextInt(60) == 0 ? -1 : 0;
      default -> (long) (random.nextDouble() * sizeBytes);
    };
  }

  private ByteBuffer empty(final int length, final boolean direct) {
    return direct ? ByteBuffer.allocateDirect(length) : ByteBuffer.allocate(length);
  }

  private ByteBuffer filled(final int from, final int length, final boolean direct) {
    final ByteBuffer buffer = empty(length, direct);
    buffer.put(bytes, from, length).flip();
    return buffer;
  }

  private ChannelSide.Operation reading(final int c, final long sizeBytes) {
    final int length = length();
    final boolean direct = random.nextInt(4) == 0;
    final long at = place(sizeBytes);
    final int which = random.nextInt(20);
    if (which < 9) {
      description = "read " + length + " at " + at;
      return side -> {
        final ByteBuffer buffer = empty(length, direct);
        side.note(side.channels[c].read(buffer, at));
        side.note(buffer);
        return 0;
      };
    }
    if (which < 15) {
      description = "read " + length;
      return side -> {
        final ByteBuffer buffer = empty(length, direct);
        side.note(side.channels[c].read(buffer));
        side.note(buffer);
        return side.channels[c].position();
      };
    }
    description = "scatter " + length;
    return side -> {
      final ByteBuffer[] buffers = {
        empty(1, false), empty(length, direct), empty(0, false), empty(length / 2, false)
      };
      final int first = which == 15 ? 2 : 0;
      side.note(side.channels[c].read(buffers, first, which == 16 ? 5 : 4 - first));
      for (final ByteBuffer buffer : buffers) {
        side.note(buffer);
      }
      return side.channels[c].position();
    };
  }

  private ChannelSide.Operation writing(final int c, final long sizeBytes) {
    final int length = sizeBytes > FILE_BYTES_MAX ? random.nextInt(SMALL_BYTES) : length();
    final int from = random.nextInt(LARGE_BYTES - length);
    final boolean direct = random.nextInt(4) == 0;
    final long at = Math.min(place(sizeBytes), FILE_BYTES_MAX);
    final int which = random.nextInt(20);
    if (which < 7) {
      description = "write " + length + " at " + at;
      return side -> {
        final ByteBuffer buffer = filled(from, length, direct);
        side.note(side.channels[c].write(buffer, at));
        return buffer.position();
      };
    }
    if (which < 16) {
      description = "write " + length;
      return side -> {
        final ByteBuffer buffer = filled(from, length, direct);
        side.note(side.channels[c].write(buffer));
        return buffer.position() + side.channels[c].position() * 1000;
      };
    }
    description = "gather " + length;
    return side -> {
      final ByteBuffer[] buffers = {
        filled(from, length, direct), filled(0, 0, false), filled(from, length / 2, false)
      };
      final int first = which == 16 ? 1 : 0;
      side.note(side.channels[c].write(buffers, first, which == 17 ? -1 : 3 - first));
      for (final ByteBuffer buffer : buffers) {
        side.note(buffer.position());
      }
      return side.channels[c].position();
    };
  }

  private ChannelSide.Operation asking(final int c, final long sizeBytes) {
    final long at = place(sizeBytes);
    return switch (random.nextInt(6)) {
      case 0 -> named("position", side -> side.channels[c].position());
      case 1, 2 -> named("size", side -> side.channels[c].size());
      case 3 ->
          named(
              "position " + at,
              side -> {
                side.note(side.channels[c].position(at) == side.channels[c] ? 1 : 0);
                return side.channels[c].position();
              });
      case 4 ->
          named(
              "position at the end",
              side -> side.channels[c].position(side.channels[c].size()).position());
      default -> named("open", side -> side.channels[c].isOpen() ? 1 : 0);
    };
  }

  private ChannelSide.Operation named(final String name, final ChannelSide.Operation operation) {
    description = name;
    return operation;
  }

  private ChannelSide.Operation transferring(final int c, final long sizeBytes) {
    final long at = place(sizeBytes);
    final long count = random.nextInt(100) == 0 ? -1 : length();
    final int from = random.nextInt(LARGE_BYTES / 2);
    final int length = Math.min(Math.max(0, (int) count) + random.nextInt(3), LARGE_BYTES / 2);
    final String what = " at " + at + " count " + count;
    return switch (random.nextInt(8)) {
      case 0, 1 -> named("transfer to memory" + what, side -> toMemory(side, c, at, count));
      case 2 -> named("transfer to a file" + what, side -> toFile(side, c, at, count));
      case 3 -> named("transfer to a socket" + what, side -> toSocket(side, c, at, count));
      case 4 ->
          named(
              "transfer from memory" + what,
              side -> {
                final ReadableByteChannel source =
                    Channels.newChannel(new ByteArrayInputStream(bytes, from, length));
                side.note(
                    side.channels[c].transferFrom(source, Math.min(at, FILE_BYTES_MAX), count));
                return source.read(ByteBuffer.allocate(length + 1));
              });
      case 5 ->
          named(
              "transfer from a file" + what,
              side -> {
                side.other.truncate(0).write(ByteBuffer.wrap(bytes, from, length), 0);
                side.other.position(0);
                side.note(
                    side.channels[c].transferFrom(side.other, Math.min(at, FILE_BYTES_MAX), count));
                return side.other.position();
              });
      case 6 ->
          named(
              "transfer from a socket" + what,
              side -> {
                final int sent = out.write(ByteBuffer.wrap(bytes, from, Math.min(length, 2000)));
                long received = 0;
                try {
                  received = side.channels[c].transferFrom(in, Math.min(at, FILE_BYTES_MAX), sent);
                } finally {
                  drain(side, sent - received);
                }
                return received;
              });
      default ->
          named(
              "transfer to a closed channel" + what,
              side -> {
                final WritableByteChannel closed = Channels.newChannel(new ByteArrayOutputStream());
                closed.close();
                return side.channels[c].transferTo(at, count, closed);
              });
    };
  }

  private static long toMemory(final ChannelSide side, final int c, final long at, final long count)
      throws IOException {
    final ByteArrayOutputStream sink = new ByteArrayOutputStream();
    side.note(side.channels[c].transferTo(at, count, Channels.newChannel(sink)));
    side.note(ByteBuffer.wrap(sink.toByteArray()).position(sink.size()));
    return side.channels[c].position();
  }

  private static long toFile(final ChannelSide side, final int c, final long at, final long count)
      throws IOException {
    side.other.truncate(0);
    final long moved = side.channels[c].transferTo(at, count, side.other);
    final ByteBuffer buffer = ByteBuffer.allocate((int) Math.max(0, moved) + 1);
    side.other.read(buffer, 0);
    side.note(buffer);
    return moved;
  }

  /** A socket may take less than all: what it took must be right, and reported. */
  private long toSocket(final ChannelSide side, final int c, final long at, final long count)
      throws IOException {
    final long moved = side.channels[c].transferTo(at, Math.min(count, 2000), out);
    drain(side, moved);
    return moved;
  }

  private void drain(final ChannelSide side, final long length) throws IOException {
    final ByteBuffer buffer = ByteBuffer.allocate((int) Math.max(0, length));
    while (buffer.hasRemaining() && in.read(buffer) >= 0) {
      Thread.onSpinWait();
    }
    side.note(buffer);
  }

  private ChannelSide.Operation seldom(final int c, final long sizeBytes) {
    final long at = place(sizeBytes);
    final int length = length();
    return switch (random.nextInt(14)) {
      case 0, 1 -> named("truncate " + at, side -> truncate(side, c, at));
      case 2 ->
          named(
              "truncate near the end",
              side -> truncate(side, c, Math.max(0, side.channels[c].size() - length)));
      case 3 ->
          random.nextInt(20) > 0
              ? named("size", side -> side.channels[c].size())
              : named(
                  "force",
                  side -> {
                    side.channels[c].force(length % 2 == 0);
                    return 0;
                  });
      case 4 ->
          random.nextInt(8) > 0
              ? named("truncate behind the end", side -> truncate(side, c, sizeBytes + length))
              : mapping(c, at, length);
      case 5, 6, 7 -> locking(c, at, length);
      case 8, 9 -> reopening(c);
      case 10 -> closed(c);
      case 11, 12 -> interrupted(c, at);
      default -> badArguments(c);
    };
  }

  /** What is done to the file's name, and to a channel that nobody wants any more. */
  private ChannelSide.Operation naming(final int c) {
    final int length = length();
    return switch (random.nextInt(8)) {
      case 0, 1 -> named("rename", side -> done(side::rename));
      case 2, 3 -> named("delete", side -> done(side::delete));
      case 4 -> named("leave to a link", side -> done(side::leaveToLink));
      case 5, 6 ->
          named(
              "replace by " + length,
              side -> done(() -> side.replace(ByteBuffer.wrap(bytes, 0, length))));
      default -> named("forget", side -> done(() -> side.forget(c)));
    };
  }

  private interface Act {
    void run() throws IOException;
  }

  private static long done(final Act act) throws IOException {
    act.run();
    return 1;
  }

  private static long truncate(final ChannelSide side, final int c, final long size)
      throws IOException {
    side.channels[c].truncate(size);
    return side.channels[c].position() * 1_000_000 + side.channels[c].size();
  }

  private ChannelSide.Operation mapping(final int c, final long at, final int length) {
    final FileChannel.MapMode mode = MAP_MODES[random.nextInt(MAP_MODES.length)];
    return named(
        "map " + mode + " " + length + " at " + at,
        side -> {
          final MappedByteBuffer map = side.channels[c].map(mode, at, length);
          if (mode != FileChannel.MapMode.READ_ONLY && length > 0) {
            map.put(length / 2, (byte) 7);
          }
          map.position(length);
          side.note(map);
          return side.channels[c].size();
        });
  }

  private ChannelSide.Operation locking(final int c, final long at, final int length) {
    final boolean shared = random.nextBoolean();
    final int which = random.nextInt(4);
    return named(
        "lock or release " + which + " at " + at + " shared " + shared,
        side -> {
          if (which > 1 && !side.locks.isEmpty()) {
            final FileLock held = side.locks.remove(side.locks.size() - 1);
            side.note(held.isValid() ? 1 : 0);
            held.release();
            return held.isValid() ? 1 : 0;
          }
          final FileLock lock =
              which == 0
                  ? side.channels[c].tryLock(at, length, shared)
                  : side.channels[c].lock(at, length, shared);
          side.locks.add(lock);
          side.note(lock.acquiredBy() == side.channels[c] ? 1 : 0);
          side.note(lock.channel() == side.channels[c] ? 1 : 0);
          side.note(lock.position() * 31 + lock.size());
          side.note(lock.isShared() ? 1 : 0);
          return lock.isValid() ? 1 : 0;
        });
  }

  private ChannelSide.Operation closed(final int c) {
    final int which = random.nextInt(14);
    return named(
        "operation " + which + " after close",
        side -> {
          side.channels[c].close();
          return any(side.channels[c], which, 0);
        });
  }

  /**
   * A plain file's channel of Java 21 stays open when its transferFrom is interrupted, although the
   * contract says that it closes, as those of 17 and 25 do, and ours.
   */
  private static final int INTERRUPTIBLE = Runtime.version().feature() == 21 ? 13 : 14;

  private ChannelSide.Operation interrupted(final int c, final long at) {
    final int which = random.nextInt(INTERRUPTIBLE);
    return named(
        "operation " + which + " while interrupted",
        side -> {
          Thread.currentThread().interrupt();
          return any(side.channels[c], which, Math.max(0, at));
        });
  }

  private static long any(final FileChannel channel, final int which, final long at)
      throws IOException {
    return switch (which) {
      case 0 -> channel.read(ByteBuffer.allocate(10));
      case 1 -> channel.read(ByteBuffer.allocate(10), at);
      case 2 -> channel.read(new ByteBuffer[] {ByteBuffer.allocate(10)});
      case 3 -> channel.write(ByteBuffer.allocate(10));
      case 4 -> channel.write(ByteBuffer.allocate(10), at);
      case 5 -> channel.write(new ByteBuffer[] {ByteBuffer.allocate(10)});
      case 6 -> channel.position();
      case 7 -> channel.position(at).position();
      case 8 -> channel.size();
      case 9 -> channel.truncate(at).size();
      case 10 -> channel.transferTo(at, 5, Channels.newChannel(new ByteArrayOutputStream()));
      case 11 -> channel.map(FileChannel.MapMode.READ_ONLY, at, 5).limit();
      case 12 -> channel.lock(at, 5, false).size();
      default ->
          channel.transferFrom(Channels.newChannel(new ByteArrayInputStream(new byte[9])), at, 5);
    };
  }

  private ChannelSide.Operation badArguments(final int c) {
    final int which = random.nextInt(11);
    return named(
        "bad argument " + which,
        side -> {
          final FileChannel channel = side.channels[c];
          return switch (which) {
            case 0 -> channel.read((ByteBuffer) null);
            case 1 -> channel.read(null, 0);
            case 2 -> channel.write((ByteBuffer) null);
            case 3 -> channel.write(null, 0);
            case 4 -> channel.read(ByteBuffer.allocate(3).asReadOnlyBuffer());
            case 5 -> channel.read(ByteBuffer.allocate(3).asReadOnlyBuffer(), 0);
            case 6 -> channel.map(null, 0, 1).limit();
            case 7 -> channel.map(FileChannel.MapMode.READ_ONLY, 0, Integer.MAX_VALUE + 1L).limit();
            case 8 -> channel.transferTo(0, 1, null);
            case 9 -> channel.transferFrom(null, 0, 1);
            default -> channel.tryLock(-1, 5, false).size();
          };
        });
  }
}
