// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.claim;

import io.headpond.pmem.Shortage;
import io.headpond.store.config.TierConfig;
import io.headpond.store.event.StartCodes;
import io.headpond.store.event.StoreRefusedException;
import io.headpond.store.facts.TimeSource;
import io.headpond.store.layout.BootNote;
import io.headpond.store.layout.NameLook;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The locks by which one process holds its tier directories. They end with it, however it ends. One
 * thread at a time.
 */
public final class TierLocks implements AutoCloseable {
  /** Holds the owner's lock; its text says who that is. */
  public static final String FILE_NAME = ".headpond.lock";

  /**
   * The directories that this process holds. POSIX drops a process's lock when it closes any
   * descriptor of the file, so a second attempt must not even open it.
   */
  private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

  /** Their lock files: a directory that is mounted at two places has one, by two real paths. */
  private static final Set<Object> HELD_FILES = ConcurrentHashMap.newKeySet();

  private final TimeSource time;

  /** By the path as configured. */
  private final Map<Path, Held> locks = new HashMap<>();

  /** Of the processes that had the locks before; null: none was taken. */
  private BootNote boot;

  /**
   * A lock.
   *
   * @param fileKey of the lock file; null: it isn't locked yet, or files have no keys there
   */
  private record Held(Path real, FileChannel channel, Object fileKey) {}

  public TierLocks(final TimeSource time) {
    this.time = time;
  }

  /** Takes the lock of one tier directory; a refusal names who holds it. */
  public void lock(final TierConfig tier, final Path path) throws IOException {
    final Path real = path.toRealPath();
    if (!HELD.add(real)) {
      throw inUseHere(tier, path);
    }
    final FileChannel channel;
    try {
      refuseHeld(tier, path);
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
    locks.put(path, new Held(real, channel, null));
    try {
      if (channel.tryLock() == null) {
        throw inUse(tier, path, read(channel).lines().findFirst().orElse(""));
      }
      note(path, read(channel));
      writeOwner(channel, path);
      hold(path, new Held(real, channel, fileKey(path)));
    } catch (final OverlappingFileLockException mountedTwice) {
      throw inUseHere(tier, path); // where files have no keys
    } catch (final IOException e) {
      throw NameLook.named(path.resolve(FILE_NAME), e);
    }
  }

  /** A full device is no reason not to start: what counts is the lock. */
  private void writeOwner(final FileChannel channel, final Path path) throws IOException {
    final String owner =
        "pid "
            + ProcessHandle.current().pid()
            + " since "
            + Instant.ofEpochMilli(time.millis())
            + boot.line();
    try {
      channel.truncate(0);
      channel.write(StandardCharsets.UTF_8.encode(owner));
    } catch (final IOException e) {
      if (!Shortage.ofSpace(e, path, 0)) {
        throw e;
      }
    }
  }

  private void note(final Path path, final String before) {
    final BootNote now = boot == null ? BootNote.now(path.getFileSystem(), time.millis()) : boot;
    boot = now.after(before);
  }

  /**
   * The time when the machine started, milliseconds since 1970, by the clock of the first process
   * since then that had one of these locks; by the present clock if none was taken.
   *
   * @param fileSystem with {@code /proc}
   */
  long bootMs(final FileSystem fileSystem) {
    return boot == null ? BootNote.bootMs(fileSystem, time.millis()) : boot.ms();
  }

  private void refuseHeld(final TierConfig tier, final Path path) throws IOException {
    try {
      final Object key = fileKey(path);
      if (key != null && HELD_FILES.contains(key)) {
        throw heldByKey(tier, path, key);
      }
    } catch (final NoSuchFileException none) {
      return;
    }
  }

  private void hold(final Path path, final Held held) {
    locks.put(path, held);
    if (held.fileKey != null) {
      HELD_FILES.add(held.fileKey);
    }
  }

  private static Object fileKey(final Path path) throws IOException {
    return Files.readAttributes(path.resolve(FILE_NAME), BasicFileAttributes.class).fileKey();
  }

  /** One of the same configuration has it by another path, or another store of this process. */
  private StoreRefusedException heldByKey(
      final TierConfig tier, final Path path, final Object fileKey) {
    for (final Map.Entry<Path, Held> each : locks.entrySet()) {
      if (fileKey.equals(each.getValue().fileKey)) {
        return StartCodes.TIER_TWICE.refusal(path, each.getKey(), "by one lock file");
      }
    }
    return inUseHere(tier, path);
  }

  private static StoreRefusedException inUseHere(final TierConfig tier, final Path path) {
    return inUse(tier, path, "pid " + ProcessHandle.current().pid() + ", this one");
  }

  private static StoreRefusedException inUse(
      final TierConfig tier, final Path path, final String owner) {
    return StartCodes.TIER_IN_USE.refusal(tier.name(), path, owner);
  }

  private static String read(final FileChannel channel) throws IOException {
    final ByteBuffer buffer = ByteBuffer.allocate(256);
    channel.read(buffer, 0);
    return StandardCharsets.UTF_8.decode(buffer.flip()).toString();
  }

  @Override
  public void close() throws IOException {
    for (final Held lock : locks.values()) {
      HELD.remove(lock.real);
      if (lock.fileKey != null) {
        HELD_FILES.remove(lock.fileKey);
      }
      lock.channel.close();
    }
    locks.clear();
  }
}
