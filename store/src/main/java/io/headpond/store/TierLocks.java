// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import io.headpond.store.config.TierConfig;
import io.headpond.store.event.StoreCodes;
import io.headpond.store.event.StoreRefusedException;
import io.headpond.store.layout.NameLook;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The locks by which one process holds its tier directories. They end with it, however it ends. One
 * thread at a time.
 */
final class TierLocks implements AutoCloseable {
  /** Holds the owner's lock; its text says who that is. */
  static final String FILE_NAME = ".headpond.lock";

  /**
   * The directories that this process holds. POSIX drops a process's lock when it closes any
   * descriptor of the file, so a second attempt must not even open it.
   */
  private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

  private final TimeSource time;
  private final Map<Path, FileChannel> locks = new HashMap<>();

  TierLocks(final TimeSource time) {
    this.time = time;
  }

  /** Takes the lock of one tier directory; a refusal names who holds it. */
  void lock(final TierConfig tier, final Path path) throws IOException {
    final Path real = path.toRealPath();
    if (!HELD.add(real)) {
      throw inUseHere(tier, path);
    }
    final FileChannel channel;
    try {
      channel =
          FileChannel.open(
              path.resolve(FILE_NAME),
              StandardOpenOption.CREATE,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE);
    } catch (final IOException | RuntimeException | Error e) {
      HELD.remove(real);
      throw e;
    }
    locks.put(real, channel);
    try {
      if (channel.tryLock() == null) {
        throw inUse(tier, path, read(channel));
      }
      channel.truncate(0);
      channel.write(
          StandardCharsets.UTF_8.encode(
              "pid "
                  + ProcessHandle.current().pid()
                  + " since "
                  + Instant.ofEpochMilli(time.millis())));
    } catch (final OverlappingFileLockException mountedTwice) {
      throw inUseHere(tier, path); // the same file, though its real path is another
    } catch (final IOException e) {
      throw NameLook.named(path.resolve(FILE_NAME), e);
    }
  }

  private static StoreRefusedException inUseHere(final TierConfig tier, final Path path) {
    return inUse(tier, path, "pid " + ProcessHandle.current().pid() + ", this one");
  }

  private static StoreRefusedException inUse(
      final TierConfig tier, final Path path, final String owner) {
    return StoreCodes.TIER_IN_USE.refusal(tier.name(), path, owner);
  }

  private static String read(final FileChannel channel) throws IOException {
    final ByteBuffer buffer = ByteBuffer.allocate(256);
    channel.read(buffer, 0);
    return StandardCharsets.UTF_8.decode(buffer.flip()).toString();
  }

  @Override
  public void close() throws IOException {
    for (final Map.Entry<Path, FileChannel> lock : locks.entrySet()) {
      lock.getValue().close();
      HELD.remove(lock.getKey());
    }
  }
}
