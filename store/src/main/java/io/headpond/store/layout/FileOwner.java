// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.layout;

import io.headpond.store.event.BackgroundCodes;
import io.headpond.store.event.ProcessUser;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Gives a file that takes another one's place the owner, the group and the mode of that one: an
 * operator's command may run as root, with any mask, and the engine reads what it leaves. Any
 * thread.
 *
 * <p>A user that isn't root can't give a file to a group that it isn't in: such a group comes from
 * a directory with the setgid bit. And a file server that maps users (NFS with {@code all_squash})
 * lets nobody change an owner. Neither is a reason to leave a segment on a full tier: what the
 * engine made, it can read.
 */
public final class FileOwner {
  /** Until {@link #keep}: what the file replaces may be closed to others. */
  public static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(
          Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE));

  private static final AtomicBoolean GROUP_SAID = new AtomicBoolean();

  private FileOwner() {}

  /**
   * Gives it all three. The mode comes last: until then another owner or group has no new right.
   *
   * @param like the file whose place it takes
   * @param file made by this process
   * @return the attributes of {@code like}
   * @throws IOException among others, if the file would belong to this process's user, and {@code
   *     like} to another one, who then couldn't read it; but for a file in that user's own
   *     directory, where {@code like} is what a command of root has left
   */
  public static PosixFileAttributes keep(final Path like, final Path file) throws IOException {
    final PosixFileAttributes from = Files.readAttributes(like, PosixFileAttributes.class);
    final PosixFileAttributeView to = view(file);
    to.setPermissions(give(like, from, file, to) ? from.permissions() : closed(from.permissions()));
    return from;
  }

  /**
   * Gives a new file that takes nobody's place the owner and the group of another one. Its mode
   * stays what the mask has made of it.
   *
   * @param like a file, or the directory that it is made for
   * @param file made by this process
   * @throws IOException as {@link #keep}
   */
  public static void adopt(final Path like, final Path file) throws IOException {
    give(like, Files.readAttributes(like, PosixFileAttributes.class), file, view(file));
  }

  private static PosixFileAttributeView view(final Path file) {
    return Files.getFileAttributeView(
        file, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
  }

  /** Owner and group; false if it has another group. */
  private static boolean give(
      final Path like,
      final PosixFileAttributes from,
      final Path file,
      final PosixFileAttributeView to)
      throws IOException {
    final PosixFileAttributes now = to.readAttributes();
    if (!now.owner().equals(from.owner())) {
      keepOwner(like, from, file, to);
    }
    return now.group().equals(from.group()) || keepGroup(like, from, file, to);
  }

  private static void keepOwner(
      final Path like,
      final PosixFileAttributes from,
      final Path file,
      final PosixFileAttributeView to)
      throws IOException {
    try {
      to.setOwner(from.owner());
    } catch (final FileSystemException notAllowed) {
      final String owner = from.owner().getName();
      // A user whose directory it is lives with what is made there: root's command left a file.
      if (!ProcessUser.is(owner) && !ProcessUser.is(ownerOf(file.getParent()))) {
        final String why =
            "can't be given to "
                + owner
                + ", who owns "
                + like
                + ": "
                + notAllowed.getReason()
                + "; run as that user, or give the directory to this one: chown -R "
                + ProcessUser.owner()
                + " '"
                + file.getParent()
                + "'";
        final FileSystemException named = new FileSystemException(file.toString(), null, why);
        named.initCause(notAllowed);
        throw named;
      }
    }
  }

  private static String ownerOf(final Path directory) throws IOException {
    return Files.getOwner(directory).getName();
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
        BackgroundCodes.GROUP_LOST.log(file, from.group().getName(), like, notAllowed.getReason());
      }
      return false;
    }
  }

  /** The members of another group may do what all others may. */
  private static Set<PosixFilePermission> closed(final Set<PosixFilePermission> mode) {
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
