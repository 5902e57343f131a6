// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.doctor;

import io.headpond.store.event.EventCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.List;
import java.util.Optional;

/**
 * The owner of a log or ledger directory, who most likely is the engine's user. What root may write
 * says nothing of that one.
 */
final class HomeOwner {
  private static final String ROOT = "root";

  private final Path path;
  private final PosixFileAttributes home;

  private HomeOwner(Path path, PosixFileAttributes home) {
    this.path = path;
    this.home = home;
  }

  /** Empty if this user isn't root, or if root owns it, or if it isn't there. */
  private static Optional<HomeOwner> besideRoot(Path home) {
    try {
      if (ROOT.equals(System.getProperty("user.name")) && Files.isDirectory(home)) {
        PosixFileAttributes found = Files.readAttributes(home, PosixFileAttributes.class);
        return found.owner().getName().equals(ROOT)
            ? Optional.empty()
            : Optional.of(new HomeOwner(home, found));
      }
    } catch (IOException unknown) {
      return Optional.empty();
    }
    return Optional.empty();
  }

  /** The same, and empty if that user may come to a directory, and write to it and into it. */
  static Optional<HomeOwner> withoutRight(Path home, Path directory, List<Path> inner) {
    return besideRoot(home)
        .filter(
            user ->
                user.closed(directory).isPresent()
                    || !user.mayWrite(directory)
                    || !inner.stream().allMatch(user::mayWrite));
  }

  /** The same, and empty if that user may read a file. */
  static Optional<HomeOwner> unableToRead(Path home, Path file) {
    return besideRoot(home)
        .filter(
            user ->
                !user.may(
                    file,
                    PosixFilePermission.OWNER_READ,
                    PosixFilePermission.GROUP_READ,
                    PosixFilePermission.OTHERS_READ));
  }

  /** User and group of an engine: those of its first directory that is there and isn't root's. */
  static String userAndGroup(List<Path> homes, DirectoryUse use) {
    return homes.stream()
        .flatMap(home -> of(home).stream())
        .filter(owner -> !owner.startsWith(ROOT + ":"))
        .findFirst()
        .orElse(use.owner());
  }

  /** User and group that a file belongs to; empty if it isn't there. */
  static Optional<String> of(Path file) {
    try {
      PosixFileAttributes found = Files.readAttributes(file, PosixFileAttributes.class);
      return Optional.of(found.owner().getName() + ":" + found.group().getName());
    } catch (IOException unknown) {
      return Optional.empty();
    }
  }

  /** Says what root can't see by trying: that this user has no right to a directory. */
  void warn(Path directory, EventCode.Words words, DirectoryUse use, Diagnosis diagnosis) {
    Optional<Path> closed = closed(directory);
    diagnosis.warning(
        directory.toString(),
        words.finding()
            + closed.map(each -> "; " + each + " doesn't let it in").orElse("")
            + "; "
            + path
            + " belongs to "
            + name(),
        ifItRunsSo(use)
            + closed
                .map(each -> "chmod a+x '" + each + "'")
                .orElseGet(() -> DirectoryReport.chownAll(directory, name() + ":" + home.group())));
  }

  /** The outermost directory above another one that this user can't enter. */
  private Optional<Path> closed(Path directory) {
    Path found = null;
    try {
      for (Path each = directory.toRealPath().getParent(); each != null; each = each.getParent()) {
        found =
            may(
                    each,
                    PosixFilePermission.OWNER_EXECUTE,
                    PosixFilePermission.GROUP_EXECUTE,
                    PosixFilePermission.OTHERS_EXECUTE)
                ? found
                : each;
      }
    } catch (IOException unknown) {
      return Optional.empty();
    }
    return Optional.ofNullable(found);
  }

  private boolean mayWrite(Path file) {
    return may(
        file,
        PosixFilePermission.OWNER_WRITE,
        PosixFilePermission.GROUP_WRITE,
        PosixFilePermission.OTHERS_WRITE);
  }

  /** True also of what isn't there, and where the group may, whoever is in it. */
  private boolean may(
      Path file,
      PosixFilePermission asOwner,
      PosixFilePermission asGroup,
      PosixFilePermission asOther) {
    try {
      if (!Files.exists(file)) {
        return true;
      }
      PosixFileAttributes found = Files.readAttributes(file, PosixFileAttributes.class);
      return found.owner().equals(home.owner()) && found.permissions().contains(asOwner)
          || found.permissions().contains(asGroup)
          || found.permissions().contains(asOther);
    } catch (IOException unknown) {
      return true;
    }
  }

  String name() {
    return home.owner().getName();
  }

  /** The owner's group. */
  String group() {
    return home.group().getName();
  }

  /** The condition of a remedy. */
  String ifItRunsSo(DirectoryUse use) {
    return "if " + use.engine + " runs as " + name() + ": ";
  }
}
