// SPDX-License-Identifier: Apache-2.0
package io.headpond.nio;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.FileVisitor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;

/** One folder that a random sequence of operations works on, through one provider's paths. */
final class World {
  /** Links to {@code ..} may meet each other; no chain of them gets out of the world's folder. */
  private static final String DEPTH = "1/2/3/4/5/6/7/world";

  private final Path folder;
  private final Path root;

  World(final Path folder) throws IOException {
    this.folder = folder;
    this.root = Files.createDirectories(folder.resolve(DEPTH));
  }

  Path root() {
    return root;
  }

  /** A path of this world: {@code /x} is below the root, anything else is relative as it is. */
  Path path(final String name) {
    return name.startsWith("/")
        ? root.resolve(name.substring(1))
        : root.getFileSystem().getPath(name);
  }

  /** What an operation led to, as a text that doesn't depend on where the world lies. */
  String outcome(final Operation operation) {
    String outcome;
    try {
      outcome = text(operation.apply(this));
    } catch (final UncheckedIOException e) {
      outcome = "unchecked " + e.getCause().getClass().getName() + ": " + e.getCause().getMessage();
    } catch (final Exception e) {
      outcome = e.getClass().getName() + ": " + e.getMessage();
    }
    return anonymous(outcome).replaceAll("t\\d{9,}\\.tmp", "temporary");
  }

  private String anonymous(final String text) {
    return text.replace(folder.getFileName().toString(), "WORLD");
  }

  private static String text(final Object value) {
    if (value instanceof Object[] array) {
      return Arrays.stream(array).map(World::text).toList().toString();
    }
    if (value instanceof byte[] bytes) {
      return Arrays.toString(bytes);
    }
    if (value instanceof BasicFileAttributes attributes) {
      return (attributes.isDirectory() ? "directory" : "size " + attributes.size())
          + (attributes.isSymbolicLink() ? " link" : "")
          + (attributes.isRegularFile() ? " file" : "")
          + (attributes.isOther() ? " other" : "");
    }
    return String.valueOf(value);
  }

  /** Every name below the root with its content. */
  TreeMap<String, String> everything() throws IOException {
    final TreeMap<String, String> found = new TreeMap<>();
    try (Stream<Path> walk = Files.walk(root)) {
      for (final Path path : (Iterable<Path>) walk::iterator) {
        found.put(root.relativize(path).toString(), anonymous(content(path)));
      }
    }
    return found;
  }

  private static String content(final Path path) throws IOException {
    if (Files.isSymbolicLink(path)) {
      return "link to " + Files.readSymbolicLink(path);
    }
    return Files.isDirectory(path) ? "directory" : Arrays.toString(Files.readAllBytes(path));
  }

  /** The names that a walk meets, in an order that the file system has no say in. */
  List<String> visited(final Path start) throws IOException {
    final TreeMap<String, String> met = new TreeMap<>();
    final FileVisitor<Path> visitor =
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(
              final Path dir, final BasicFileAttributes attributes) {
            met.put(dir.toString(), "directory");
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(final Path file, final BasicFileAttributes attributes) {
            met.put(file.toString(), text(attributes));
            return FileVisitResult.CONTINUE;
          }
        };
    Files.walkFileTree(start, visitor);
    return met.entrySet().stream().map(Object::toString).toList();
  }

  static FileTime time(final int n) {
    return FileTime.fromMillis(1_000_000_000_000L + n * 1000L);
  }

  /** Something done to a world; its result is compared. */
  interface Operation {
    Object apply(World world) throws Exception;
  }
}
