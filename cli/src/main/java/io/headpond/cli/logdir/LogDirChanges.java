// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import io.headpond.store.layout.DirectoryForce;
import io.headpond.store.layout.FileOwner;
import io.headpond.store.layout.NameLook;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * The changes that a command makes in a log directory, one by one, so that a test can stop between
 * any two of them. What is made belongs to the owner of what it replaces: the command may run as
 * root, the broker doesn't.
 */
class LogDirChanges {
  private static final String TEMPORARY_ENDING = ".headpond";

  /** Called before each change. */
  void next() {}

  /** Any other change. */
  interface Change {
    void make() throws IOException;
  }

  void make(Change change) throws IOException {
    next();
    change.make();
  }

  /** Deletes a file or a link, if it is there. */
  void delete(Path file) throws IOException {
    make(() -> Files.deleteIfExists(file));
  }

  /** Gives a file another name, which nothing has yet. */
  void rename(Path from, Path to) throws IOException {
    make(() -> Files.move(from, to, StandardCopyOption.ATOMIC_MOVE));
  }

  /** Replaces a file as a whole; its new content is durable, its name is after a {@link #force}. */
  void replace(Path file, String text) throws IOException {
    Path temporary = file.resolveSibling(file.getFileName() + TEMPORARY_ENDING);
    make(
        () -> {
          Files.deleteIfExists(temporary);
          Files.createFile(temporary, FileOwner.OWNER_ONLY);
          Files.writeString(temporary, text, StandardCharsets.UTF_8);
          FileOwner.keep(file, temporary);
          DirectoryForce.forceNow(temporary);
        });
    rename(temporary, file);
  }

  /** Writes a small file anew, with the owner of another one; its content is durable then. */
  void write(Path file, Path owner, String text) throws IOException {
    make(
        () -> {
          Files.writeString(file, text);
          FileOwner.adopt(owner, file);
          DirectoryForce.forceNow(file);
        });
  }

  /** Writes at the end of a file, which is made with the owner of another one if need be. */
  void append(Path file, Path owner, String text) throws IOException {
    make(
        () -> {
          boolean isNew = !NameLook.exists(file);
          Files.writeString(file, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
          if (isNew) {
            FileOwner.adopt(owner, file);
          }
        });
  }

  /** Makes a directory of the owner of another one, unless it is there. */
  void makeDirectory(Path directory, Path like) throws IOException {
    if (!NameLook.isDirectory(directory)) {
      make(
          () -> {
            Files.createDirectory(directory);
            FileOwner.keep(like, directory);
          });
    }
  }

  /** Makes what was deleted, made or renamed in a directory durable. */
  void force(Path directory) throws IOException {
    make(() -> DirectoryForce.forceNow(directory));
  }
}
