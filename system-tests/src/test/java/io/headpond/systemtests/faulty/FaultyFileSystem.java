// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests.faulty;

import io.headpond.systemtests.faulty.Fault.Call;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileStore;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import jnr.ffi.Pointer;
import jnr.ffi.Struct;
import jnr.ffi.types.gid_t;
import jnr.ffi.types.mode_t;
import jnr.ffi.types.off_t;
import jnr.ffi.types.size_t;
import jnr.ffi.types.uid_t;
import ru.serce.jnrfuse.ErrorCodes;
import ru.serce.jnrfuse.FuseFillDir;
import ru.serce.jnrfuse.FuseStubFS;
import ru.serce.jnrfuse.struct.FileStat;
import ru.serce.jnrfuse.struct.FuseFileInfo;
import ru.serce.jnrfuse.struct.Statvfs;
import ru.serce.jnrfuse.struct.Timespec;

/**
 * Shows a folder as a file system of its own, whose calls {@link Faults} lets fail or slows down.
 * What an engine writes is in the folder when its call returns; what a failed force has lost is
 * taken away by {@link #cutPower}. Several threads.
 */
final class FaultyFileSystem extends FuseStubFS {

  /** Where {@code struct fuse_file_info} has its bits, of which the first is direct_io. */
  private static final int BITS_OFFSET = 20;

  private static final byte DIRECT_IO = 1;

  /** {@code UTIME_NOW} and {@code UTIME_OMIT} instead of nanoseconds. */
  private static final long NOW = (1 << 30) - 1;

  private static final long OMIT = (1 << 30) - 2;
  private static final int BLOCK_BYTES = 512;

  private final Path root;
  private final Faults faults;
  private final Map<Long, OpenedFile> opened = new ConcurrentHashMap<>();
  private final Map<Object, UnforcedBytes> unforced = new ConcurrentHashMap<>();
  private final AtomicLong handles = new AtomicLong();

  FaultyFileSystem(Path root, Faults faults) {
    this.root = root;
    this.faults = faults;
  }

  /** A call on the folder below, whose error the kernel is told by its number. */
  private interface Work {
    int run() throws IOException;
  }

  private static int answer(Work work) {
    try {
      return work.run();
    } catch (FailedCallException e) {
      return -e.errno();
    } catch (NoSuchFileException e) {
      return -ErrorCodes.ENOENT();
    } catch (FileAlreadyExistsException e) {
      return -ErrorCodes.EEXIST();
    } catch (DirectoryNotEmptyException e) {
      return -ErrorCodes.ENOTEMPTY();
    } catch (FileSystemException e) {
      return -("Not a directory".equals(e.getReason()) ? ErrorCodes.ENOTDIR() : ErrorCodes.EIO());
    } catch (IOException | RuntimeException e) {
      e.printStackTrace(System.out);
      return -ErrorCodes.EIO();
    }
  }

  private Path below(String path) {
    return root.resolve(path.substring(1));
  }

  /** What failed forces have lost is gone afterwards; the engine must not run. Returns bytes. */
  long cutPower() throws IOException {
    long bytes = 0;
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file :
          files.filter(f -> Files.isRegularFile(f, LinkOption.NOFOLLOW_LINKS)).toList()) {
        bytes += unforced(file).cutPower(file);
      }
    }
    unforced.clear();
    return bytes;
  }

  private UnforcedBytes unforced(Path file) throws IOException {
    Object inode = Files.getAttribute(file, "unix:ino", LinkOption.NOFOLLOW_LINKS);
    return unforced.computeIfAbsent(inode, key -> new UnforcedBytes());
  }

  @Override
  public int getattr(String path, FileStat stat) {
    return answer(
        () -> {
          Map<String, Object> is =
              Files.readAttributes(below(path), "unix:*", LinkOption.NOFOLLOW_LINKS);
          long size = (Long) is.get("size");
          stat.st_ino.set((Long) is.get("ino"));
          stat.st_mode.set((Integer) is.get("mode"));
          stat.st_nlink.set((Integer) is.get("nlink"));
          stat.st_uid.set((Integer) is.get("uid"));
          stat.st_gid.set((Integer) is.get("gid"));
          stat.st_size.set(size);
          stat.st_blocks.set((size + BLOCK_BYTES - 1) / BLOCK_BYTES);
          time(stat.st_atim, (FileTime) is.get("lastAccessTime"));
          time(stat.st_mtim, (FileTime) is.get("lastModifiedTime"));
          time(stat.st_ctim, (FileTime) is.get("ctime"));
          return 0;
        });
  }

  private static void time(Timespec to, FileTime from) {
    Instant instant = from.toInstant();
    to.tv_sec.set(instant.getEpochSecond());
    to.tv_nsec.set(instant.getNano());
  }

  @Override
  public int utimens(String path, Timespec[] times) {
    return answer(
        () -> {
          Files.getFileAttributeView(
                  below(path), BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
              .setTimes(time(times[1]), time(times[0]), null);
          return 0;
        });
  }

  private static FileTime time(Timespec from) {
    long nanos = from.tv_nsec.longValue();
    if (nanos == OMIT) {
      return null;
    }
    return FileTime.from(
        nanos == NOW ? Instant.now() : Instant.ofEpochSecond(from.tv_sec.longValue(), nanos));
  }

  @Override
  public int readlink(String path, Pointer buffer, @size_t long size) {
    return answer(
        () -> {
          byte[] target =
              Files.readSymbolicLink(below(path)).toString().getBytes(StandardCharsets.UTF_8);
          int bytes = (int) Math.min(target.length, size - 1);
          buffer.put(0, target, 0, bytes);
          buffer.putByte(bytes, (byte) 0);
          return 0;
        });
  }

  @Override
  public int mkdir(String path, @mode_t long mode) {
    return answer(
        () -> {
          Files.createDirectory(below(path));
          Files.setAttribute(below(path), "unix:mode", (int) mode & 07777);
          return 0;
        });
  }

  @Override
  public int unlink(String path) {
    return answer(
        () -> {
          Files.delete(below(path));
          return 0;
        });
  }

  @Override
  public int rmdir(String path) {
    return unlink(path);
  }

  @Override
  public int symlink(String target, String path) {
    return answer(
        () -> {
          Files.createSymbolicLink(below(path), Path.of(target));
          return 0;
        });
  }

  @Override
  public int rename(String from, String to) {
    return answer(
        () -> {
          Files.move(below(from), below(to), StandardCopyOption.ATOMIC_MOVE);
          return 0;
        });
  }

  @Override
  public int link(String from, String to) {
    return answer(
        () -> {
          Files.createLink(below(to), below(from));
          return 0;
        });
  }

  @Override
  public int chmod(String path, @mode_t long mode) {
    return answer(
        () -> {
          Files.setAttribute(below(path), "unix:mode", (int) mode & 07777);
          return 0;
        });
  }

  @Override
  public int chown(String path, @uid_t long uid, @gid_t long gid) {
    return answer(
        () -> {
          if ((int) uid != -1) {
            Files.setAttribute(below(path), "unix:uid", (int) uid, LinkOption.NOFOLLOW_LINKS);
          }
          if ((int) gid != -1) {
            Files.setAttribute(below(path), "unix:gid", (int) gid, LinkOption.NOFOLLOW_LINKS);
          }
          return 0;
        });
  }

  @Override
  public int create(String path, @mode_t long mode, FuseFileInfo info) {
    return answer(
        () -> {
          faults.check(Call.CREATE, path);
          Files.createFile(below(path));
          Files.setAttribute(below(path), "unix:mode", (int) mode & 07777);
          return open(path, info);
        });
  }

  @Override
  public int open(String path, FuseFileInfo info) {
    return answer(
        () -> {
          Path file = below(path);
          long handle = handles.incrementAndGet();
          opened.put(handle, new OpenedFile(file, unforced(file)));
          info.fh.set(handle);
          if (path.endsWith(".log")) {
            // Past the page cache, so that each read meets its fault. Maps nobody shares.
            Pointer memory = Struct.getMemory(info);
            memory.putByte(BITS_OFFSET, (byte) (memory.getByte(BITS_OFFSET) | DIRECT_IO));
          }
          return 0;
        });
  }

  private OpenedFile opened(FuseFileInfo info) {
    return opened.get(info.fh.longValue());
  }

  @Override
  public int read(
      String path, Pointer buffer, @size_t long size, @off_t long offset, FuseFileInfo info) {
    return answer(
        () -> {
          faults.check(Call.READ, path);
          byte[] bytes = new byte[(int) size];
          int read = opened(info).read(bytes, offset);
          buffer.put(0, bytes, 0, read);
          return read;
        });
  }

  @Override
  public int write(
      String path, Pointer buffer, @size_t long size, @off_t long offset, FuseFileInfo info) {
    return answer(
        () -> {
          faults.check(Call.WRITE, path);
          faults.pace(size);
          byte[] bytes = new byte[(int) size];
          buffer.get(0, bytes, 0, bytes.length);
          opened(info).write(bytes, offset);
          return bytes.length;
        });
  }

  @Override
  public int truncate(String path, @off_t long size) {
    return answer(
        () -> {
          try (OpenedFile file = new OpenedFile(below(path), unforced(below(path)))) {
            file.setLength(size);
          }
          return 0;
        });
  }

  @Override
  public int ftruncate(String path, @off_t long size, FuseFileInfo info) {
    return answer(
        () -> {
          opened(info).setLength(size);
          return 0;
        });
  }

  @Override
  public int fsync(String path, int dataOnly, FuseFileInfo info) {
    return answer(
        () -> {
          try {
            faults.check(Call.FORCE, path);
          } catch (FailedCallException e) {
            opened(info).unforced.lost();
            throw e;
          }
          // Nobody cuts the power of the folder below: what reached it counts as forced.
          opened(info).unforced.forced();
          return 0;
        });
  }

  @Override
  public int fsyncdir(String path, FuseFileInfo info) {
    return answer(
        () -> {
          faults.check(Call.FORCE_DIRECTORY, path);
          return 0;
        });
  }

  @Override
  public int release(String path, FuseFileInfo info) {
    return answer(
        () -> {
          opened.remove(info.fh.longValue()).close();
          return 0;
        });
  }

  @Override
  public int readdir(
      String path, Pointer buffer, FuseFillDir filler, @off_t long offset, FuseFileInfo info) {
    return answer(
        () -> {
          filler.apply(buffer, ".", null, 0);
          filler.apply(buffer, "..", null, 0);
          try (Stream<Path> names = Files.list(below(path))) {
            names.forEach(name -> filler.apply(buffer, name.getFileName().toString(), null, 0));
          }
          return 0;
        });
  }

  @Override
  public int statfs(String path, Statvfs stat) {
    return answer(
        () -> {
          FileStore store = Files.getFileStore(root);
          long block = store.getBlockSize();
          stat.f_bsize.set(block);
          stat.f_frsize.set(block);
          stat.f_blocks.set(store.getTotalSpace() / block);
          stat.f_bfree.set(store.getUnallocatedSpace() / block);
          stat.f_bavail.set(store.getUsableSpace() / block);
          stat.f_namemax.set(255);
          return 0;
        });
  }

  @Override
  public int fallocate(
      String path, int mode, @off_t long offset, @off_t long length, FuseFileInfo info) {
    return -ErrorCodes.EOPNOTSUPP();
  }
}
