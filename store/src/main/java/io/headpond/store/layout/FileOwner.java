// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.layout;

import io.headpond.store.event.ProcessUser;
import io.headpond.store.event.StoreCodes;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Gives a file that takes another one's place the owner, the group and the mode of that one. Any
 * thread.
 *
 * <p>A user that isn't root can't give a file to a group that it isn't in: such a group comes from
 * a directory with the setgid bit. And a file server that maps users (NFS with {@code all_squash})
 * lets nobody change an owner. Neither is a reason to leave a segment on a full tier: what the
 * engine made, it can read.
 */
final class FileOwner {
  private static final AtomicBoolean GROUP_SAID = new AtomicBoolean();

  private FileOwner() {}

  /**
   * Gives it all three.
   *
   * @param like the file whose place it takes
   * @param file made by this process
   * @return the attributes of {@code like}
   * @throws IOException among others, if the file would belong to somebody else than both this
   *     process and the owner of {@code like}, who then couldn't read it
   */
  static PosixFileAttributes keep(final Path like, final Path file) throws IOException {
    final PosixFileAttributes from = Files.readAttributes(like, PosixFileAttributes.class);
    final PosixFileAttributeView to =
        Files.getFileAttributeView(file, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
    final PosixFileAttributes now = to.readAttributes();
    if (!now.owner().equals(from.owner())) {
      keepOwner(from, to);
    }
    final boolean keepsGroup = now.group().equals(from.group()) || keepGroup(like, from, file, to);
    to.setPermissions(keepsGroup ? from.permissions() : withoutGroup(from.permissions()));
    return from;
  }

  private static void keepOwner(final PosixFileAttributes from, final PosixFileAttributeView to)
      throws IOException {
    try {
      to.setOwner(from.owner());
    } catch (final FileSystemException notAllowed) {
      if (!ProcessUser.is(from.owner().getName())) {
        throw notAllowed;
      }
    }
  }

  private static boolean keepGroup(
      final Path like,
      final PosixFileAttributes from,
      final Path file,
      final PosixFileAttributeView to)
      throws IOException {
    try {
      to.setGroup(from.group());
      return true;
    } catch (final FileSystemException notAllowed) {
      if (!GROUP_SAID.getAndSet(true)) {
        StoreCodes.GROUP_LOST.log(file, from.group().getName(), like, notAllowed.getReason());
      }
      return false;
    }
  }

  /** The members of another group may do what all others may. */
  private static Set<PosixFilePermission> withoutGroup(final Set<PosixFilePermission> mode) {
    final Set<PosixFilePermission> less = EnumSet.noneOf(PosixFilePermission.class);
    less.addAll(mode);
    drop(less, PosixFilePermission.GROUP_READ, PosixFilePermission.OTHERS_READ);
    drop(less, PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE);
    drop(less, PosixFilePermission.GROUP_EXECUTE, PosixFilePermission.OTHERS_EXECUTE);
    return less;
  }

  private static void drop(
      final Set<PosixFilePermission> mode,
      final PosixFilePermission group,
      final PosixFilePermission others) {
    if (!mode.contains(others)) {
      mode.remove(group);
    }
  }
}
