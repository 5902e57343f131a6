// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EngineLockTest {
  @TempDir Path root;
  private Path lockFile;
  private Path table;

  @BeforeEach
  void makeLockFile() throws IOException {
    lockFile = Files.createFile(root.resolve(".lock"));
    table = root.resolve("locks");
  }

  /** The kernel's table says that process 4711 holds the lock of an inode of that number. */
  private void locked(long device) throws IOException {
    locked(device, 4711);
  }

  private void locked(long device, long pid) throws IOException {
    long major = device >> 8 & 0xfff;
    long minor = device & 0xff | device >> 12 & 0xfff00;
    Object inode = Files.getAttribute(lockFile, "unix:ino");
    Files.writeString(
        table,
        String.format(
            "1: POSIX  ADVISORY  WRITE %d %02x:%02x:%s 0 EOF%n", pid, major, minor, inode));
  }

  private long device() throws IOException {
    return ((Number) Files.getAttribute(lockFile, "unix:dev")).longValue();
  }

  @Test
  void theHolderIsTheProcessThatTheKernelNames() throws IOException {
    locked(device());
    assertThat(EngineLock.holder(lockFile, table))
        .contains(new EngineLock.Holder(OptionalLong.of(4711)));
  }

  /** Two new file systems often give the first file that a broker makes the same number. */
  @Test
  void theSameInodeNumberOnAnotherDeviceIsAnotherFile() throws IOException {
    locked(device() + 1);
    assertThat(EngineLock.holder(lockFile, table)).isEmpty();
  }

  /** The table has a device of its own for Btrfs, so the lock is tried. */
  @Test
  void aLockIsFoundWhateverDeviceTheTableShows() throws IOException {
    try (LockHolder holder = new LockHolder(lockFile)) {
      locked(device() + 1);
      Optional<EngineLock.Holder> found = EngineLock.holder(lockFile, table);
      assertThat(found).contains(new EngineLock.Holder(OptionalLong.empty()));
      assertThat(EngineLock.holder(lockFile))
          .contains(new EngineLock.Holder(OptionalLong.of(holder.pid())));
    }
  }

  @Test
  void theHolderOnBtrfsIsTheOneThatHasTheFileOpen() throws IOException {
    try (LockHolder holder = new LockHolder(lockFile)) {
      locked(device() + 1, holder.pid());
      assertThat(EngineLock.holder(lockFile, table))
          .contains(new EngineLock.Holder(OptionalLong.of(holder.pid())));
    }
  }

  /** A broker may have opened it, and not locked it yet: a second one must meet that lock. */
  @Test
  void theLockFileOfALogDirectoryStaysTheSame() throws IOException {
    Path logDir = Files.createDirectory(root.resolve("logs"));
    Path file = logDir.resolve(".lock");
    Object inode;
    try (EngineLock lock = new EngineLock()) {
      lock.takeLogDir(logDir);
      inode = Files.getAttribute(file, "unix:ino");
    }
    assertThat(file).isEmptyFile();
    assertThat(Files.getAttribute(file, "unix:ino")).isEqualTo(inode);
    assertThat(LogDirState.logDir(logDir)).isEqualTo(logDir.toRealPath());
  }

  @Test
  void aNewLockFileBelongsToTheBrokersUser() throws IOException {
    assumeThat(System.getProperty("user.name")).isEqualTo("root");
    Path logDir = Files.createDirectory(root.resolve("logs"));
    UserPrincipal broker =
        root.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody");
    Files.setOwner(logDir, broker);
    try (EngineLock lock = new EngineLock()) {
      lock.takeLogDir(logDir);
    }
    assertThat(Files.getOwner(logDir.resolve(".lock"))).isEqualTo(broker);
  }
}
