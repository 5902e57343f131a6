// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import io.headpond.cli.console.CommandFailure;
import io.headpond.store.layout.FileOwner;
import io.headpond.store.layout.HomeIdentity.TierRef;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The lock files of a directory's user: Kafka's {@code .lock} in a log directory, Headpond's {@code
 * .headpond.lock} in a tier directory, RocksDB's in a bookie's index. Commands that change
 * something hold all of them.
 */
public final class EngineLock implements AutoCloseable {
  /** Kafka's, in each log directory. */
  public static final String ENGINE_FILE = ".lock";

  /** Headpond's, in each tier directory. */
  public static final String TIER_FILE = ".headpond.lock";

  /** More than a lock file's text has. */
  private static final int TEXT_BYTES_MAX = 256;

  private static final Path KERNEL_LOCKS = Path.of("/proc/locks");
  private static final Path PID_NAMESPACE = Path.of("/proc/self/ns/pid");

  /** PROC_PID_INIT_INO of Linux's proc_ns.h: the namespace that sees every process. */
  private static final String INITIAL_PID_NAMESPACE = "pid:[4026531836]";

  // "1: POSIX  ADVISORY  WRITE 4711 fe:00:131 0 EOF": process, device in hexadecimal, inode.
  private static final Pattern KERNEL_LOCK =
      Pattern.compile("\\d+: POSIX +ADVISORY +WRITE (\\d+) ([0-9a-f]+):([0-9a-f]+):(\\d+) .*");

  private final Deque<FileChannel> held = new ArrayDeque<>();
  private final List<Path> created = new ArrayList<>();
  private final Set<Path> readOnly = new HashSet<>();

  /** The holder of a lock. Its process id is known on Linux, if it is in this container. */
  public record Holder(OptionalLong pid) {
    @Override
    public String toString() {
      return pid.isPresent()
          ? "process " + pid.getAsLong()
          : "a process whose id isn't visible from here";
    }
  }

  /**
   * Finds the other process that holds a lock file, if any; creates nothing.
   *
   * <p>The kernel's table is asked, because trying the lock would hold it for a moment, and a
   * broker that starts in that moment would give up. Inside a container the table leaves out the
   * processes of others, so a free-looking lock is tried there after all. So is one whose inode
   * number is locked on another device: Btrfs and overlays show another device than the table.
   *
   * @throws IOException if the file is there and can't be read
   */
  public static Optional<Holder> holder(Path lockFile) throws IOException {
    return holder(lockFile, KERNEL_LOCKS);
  }

  static Optional<Holder> holder(Path lockFile, Path kernelLocks) throws IOException {
    if (!Files.exists(lockFile)) {
      return Optional.empty();
    }
    List<KernelLock> locks = locks(lockFile, kernelLocks);
    OptionalLong pid = pid(lockFile, locks);
    if (pid.isPresent()) {
      return Optional.of(new Holder(pid));
    }
    return locks.isEmpty() && seesAllProcesses() ? Optional.empty() : tried(lockFile, locks);
  }

  private static boolean seesAllProcesses() {
    try {
      return Files.isReadable(KERNEL_LOCKS)
          && Files.readSymbolicLink(PID_NAMESPACE).toString().equals(INITIAL_PID_NAMESPACE);
    } catch (IOException | UnsupportedOperationException notLinux) {
      return false;
    }
  }

  private static Optional<Holder> tried(Path lockFile, List<KernelLock> locks) throws IOException {
    try (FileChannel channel = FileChannel.open(lockFile, StandardOpenOption.READ);
        // Shared: a reader may ask for nothing else, and it meets the engine's exclusive one.
        FileLock lock = channel.tryLock(0, Long.MAX_VALUE, true)) {
      return lock == null ? Optional.of(new Holder(opener(lockFile, locks))) : Optional.empty();
    } catch (OverlappingFileLockException heldByThisProcess) {
      return Optional.of(new Holder(OptionalLong.of(ProcessHandle.current().pid())));
    }
  }

  /** A line of the kernel's table; {@code device} as {@code st_dev} of stat(2) has it. */
  private record KernelLock(long pid, long device) {}

  /** The locks of files that have the same inode number, on whatever device. */
  private static List<KernelLock> locks(Path lockFile, Path kernelLocks) {
    List<KernelLock> found = new ArrayList<>();
    try {
      String inode = Files.getAttribute(lockFile, "unix:ino").toString();
      for (String line : Files.readAllLines(kernelLocks)) {
        Matcher matcher = KERNEL_LOCK.matcher(line);
        if (matcher.matches() && matcher.group(4).equals(inode)) {
          long major = Long.parseLong(matcher.group(2), 16);
          long minor = Long.parseLong(matcher.group(3), 16);
          // gnu_dev_makedev of sys/sysmacros.h, for the 12 and 20 bits that Linux has
          long device = major << 8 | minor & 0xff | (minor & ~0xffL) << 12;
          found.add(new KernelLock(Long.parseLong(matcher.group(1)), device));
        }
      }
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException notLinux) {
      return List.of();
    }
    return found;
  }

  private static OptionalLong pid(Path lockFile, List<KernelLock> locks) {
    try {
      long device = ((Number) Files.getAttribute(lockFile, "unix:dev")).longValue();
      return locks.stream()
          .filter(lock -> lock.device() == device)
          .mapToLong(KernelLock::pid)
          .findFirst();
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException notLinux) {
      return OptionalLong.empty();
    }
  }

  /** The process of such a lock that has the file open; only its own user and root may look. */
  private static OptionalLong opener(Path lockFile, List<KernelLock> locks) {
    return locks.stream()
        .mapToLong(KernelLock::pid)
        .filter(pid -> hasOpen(Path.of("/proc", Long.toString(pid), "fd"), lockFile))
        .findFirst();
  }

  private static boolean hasOpen(Path descriptors, Path file) {
    try (DirectoryStream<Path> each = Files.newDirectoryStream(descriptors)) {
      for (Path descriptor : each) {
        if (isSame(descriptor, file)) {
          return true;
        }
      }
    } catch (IOException | DirectoryIteratorException notToBeSeen) {
      return false;
    }
    return false;
  }

  private static boolean isSame(Path descriptor, Path file) {
    try {
      return Files.isSameFile(descriptor, file);
    } catch (IOException aPipeOrClosed) {
      return false;
    }
  }

  /** The holder of a lock that was refused. */
  private static Holder refusing(Path lockFile) {
    List<KernelLock> locks = locks(lockFile, KERNEL_LOCKS);
    OptionalLong pid = pid(lockFile, locks);
    return new Holder(pid.isPresent() ? pid : opener(lockFile, locks));
  }

  /** Takes Kafka's lock of a log directory, creating the file if Kafka never did. */
  void takeLogDir(Path logDir) throws IOException {
    DeviceAnswer.requireWrites(logDir);
    Path lockFile = logDir.resolve(ENGINE_FILE);
    take(lockFile, "log directory " + logDir);
    if (created.contains(lockFile) && stays(lockFile)) {
      created.remove(lockFile);
    }
  }

  /**
   * Takes Headpond's lock of a tier directory, and writes into it who has it. A device that fails
   * is often read-only by then: no engine starts with it, but what it holds can be read.
   */
  void takeTier(String tier, Path directory) throws IOException {
    DeviceAnswer.requireWrites(directory);
    Path file = directory.resolve(TIER_FILE);
    String what = "tier " + tier + " (" + directory + ")";
    try {
      take(file, what);
    } catch (FileSystemException e) {
      if (e.getClass() != FileSystemException.class || !Files.exists(file)) {
        throw e; // no right to, or no such file
      }
      takeToRead(file, what);
      readOnly.add(directory);
      return;
    }
    noteOwner(held.peek());
  }

  private static void noteOwner(FileChannel lock) throws IOException {
    String owner = "pid " + ProcessHandle.current().pid() + " since " + Instant.now();
    ByteBuffer before = ByteBuffer.allocate(TEXT_BYTES_MAX);
    lock.read(before, 0);
    String text = StandardCharsets.UTF_8.decode(before.flip()).toString();
    int firstLine = text.indexOf('\n');
    String boot = firstLine < 0 ? "" : text.substring(firstLine); // which the next broker needs
    lock.truncate(0);
    try {
      lock.write(StandardCharsets.UTF_8.encode(owner + boot));
    } catch (IOException full) {
      return; // a device that has no room for a word must be emptied all the same
    }
  }

  private void takeToRead(Path lockFile, String what) throws IOException {
    FileChannel channel = FileChannel.open(lockFile, StandardOpenOption.READ);
    held.push(channel);
    if (channel.tryLock(0, Long.MAX_VALUE, true) == null) {
      throw inUse(what, refusing(lockFile));
    }
  }

  /** True if nothing can be written to a tier directory that was taken. */
  boolean isReadOnly(Path tierDirectory) {
    return readOnly.contains(tierDirectory);
  }

  /** The same of each tier; one that is gone has no lock, and a segment in it is an error. */
  void takeTiers(Iterable<TierRef> tiers) throws IOException {
    for (TierRef each : tiers) {
      if (Files.isDirectory(each.path())) {
        takeTier(each.tier(), each.path());
      }
    }
  }

  /** Takes RocksDB's lock of a bookie's index, which is there if a bookie ever ran. */
  void takeIndex(Path lockFile, Path ledgerDirectory) throws IOException {
    take(lockFile, "ledger directory " + ledgerDirectory);
  }

  private void take(Path lockFile, String what) throws IOException {
    boolean isNew = !Files.exists(lockFile);
    FileChannel channel =
        FileChannel.open(
            lockFile, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    boolean locked = false;
    try {
      locked = channel.tryLock() != null;
    } catch (OverlappingFileLockException heldByThisProcess) {
      locked = false;
    } finally {
      if (!locked) {
        channel.close();
      }
    }
    if (!locked) {
      throw inUse(what, refusing(lockFile));
    }
    held.push(channel);
    if (isNew) {
      created.add(lockFile);
    }
  }

  /**
   * Can a log directory's new lock file be left? A broker that opens it just before it is deleted
   * would lock a file that nobody finds any more, and a second one, or a command, would go on.
   */
  private static boolean stays(Path lockFile) {
    Path directory = lockFile.getParent();
    try {
      FileOwner.adopt(directory, lockFile);
      return Files.getOwner(lockFile).equals(Files.getOwner(directory));
    } catch (IOException | UnsupportedOperationException cannotBeGiven) {
      return false;
    }
  }

  /** The refusal of a command that changes what somebody else uses. */
  static CommandFailure inUse(String what, Holder holder) {
    return new CommandFailure(
        what + " is in use by " + holder,
        "stop that engine or command first (nothing was changed)");
  }

  @Override
  public void close() throws IOException {
    // A lock file of this user would be in the way of a broker that runs as another one.
    for (Path file : created) {
      Files.deleteIfExists(file);
    }
    while (!held.isEmpty()) {
      held.pop().close();
    }
  }
}
