// SPDX-License-Identifier: Apache-2.0
package io.headpond.nio;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.ProviderMismatchException;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.Objects;

/**
 * A path of the default file system: a thin wrapper of the built-in provider's path.
 *
 * <p>Design note: the built-in provider casts every path it is given to its own class, so no
 * wrapper may reach it and no path of its own may leave without a wrapper. Nothing is cached here
 * beyond the wrapped path. Where the wrapped operation returns one of its operands, so does this
 * class; equality, order and hash are the wrapped path's. Only {@link #toRealPath} and {@link
 * #register} ask a disk, and may block. Immutable; any thread.
 */
final class HeadpondPath implements Path {
  private final HeadpondFileSystem fileSystem;
  private final Path path;

  HeadpondPath(final HeadpondFileSystem fileSystem, final Path path) {
    this.fileSystem = fileSystem;
    this.path = path;
  }

  /**
   * The built-in provider's path.
   *
   * @throws ProviderMismatchException if the path is another provider's
   */
  static Path unwrap(final Path path) {
    if (path instanceof HeadpondPath ours) {
      return ours.path;
    }
    throw mismatch(path);
  }

  private static RuntimeException mismatch(final Path path) {
    return path == null ? new NullPointerException() : new ProviderMismatchException();
  }

  /** The built-in provider's path. */
  Path unwrapped() {
    return path;
  }

  private Path wrap(final Path result) {
    if (result == path) {
      return this;
    }
    return result == null ? null : new HeadpondPath(fileSystem, result);
  }

  @Override
  public HeadpondFileSystem getFileSystem() {
    return fileSystem;
  }

  @Override
  public boolean isAbsolute() {
    return path.isAbsolute();
  }

  @Override
  public Path getRoot() {
    return wrap(path.getRoot());
  }

  @Override
  public Path getFileName() {
    return wrap(path.getFileName());
  }

  @Override
  public Path getParent() {
    return wrap(path.getParent());
  }

  @Override
  public int getNameCount() {
    return path.getNameCount();
  }

  @Override
  public Path getName(final int index) {
    return wrap(path.getName(index));
  }

  @Override
  public Path subpath(final int beginIndex, final int endIndex) {
    return wrap(path.subpath(beginIndex, endIndex));
  }

  @Override
  public boolean startsWith(final Path other) {
    return Objects.requireNonNull(other) instanceof HeadpondPath ours && path.startsWith(ours.path);
  }

  @Override
  public boolean startsWith(final String other) {
    return path.startsWith(other);
  }

  @Override
  public boolean endsWith(final Path other) {
    return Objects.requireNonNull(other) instanceof HeadpondPath ours && path.endsWith(ours.path);
  }

  @Override
  public boolean endsWith(final String other) {
    return path.endsWith(other);
  }

  @Override
  public Path normalize() {
    return wrap(path.normalize());
  }

  @Override
  public Path resolve(final Path other) {
    final Path unwrapped = unwrap(other);
    final Path result = path.resolve(unwrapped);
    return result == unwrapped ? other : wrap(result);
  }

  @Override
  public Path resolve(final String other) {
    return wrap(path.resolve(other));
  }

  @Override
  public Path relativize(final Path other) {
    return wrap(path.relativize(unwrap(other)));
  }

  @Override
  public URI toUri() {
    return path.toUri();
  }

  @Override
  public Path toAbsolutePath() {
    return wrap(path.toAbsolutePath());
  }

  @Override
  public Path toRealPath(final LinkOption... options) throws IOException {
    return wrap(fileSystem.provider().realPath(path, options));
  }

  /** The wrapped path refuses this call, since its file system is not the default one. */
  @Override
  public File toFile() {
    return new File(path.toString());
  }

  @Override
  public WatchKey register(
      final WatchService watcher,
      final WatchEvent.Kind<?>[] events,
      final WatchEvent.Modifier... modifiers)
      throws IOException {
    if (Objects.requireNonNull(watcher) instanceof HeadpondWatchService ours) {
      return ours.register(this, events, modifiers);
    }
    throw new ProviderMismatchException();
  }

  @Override
  public int compareTo(final Path other) {
    return path.compareTo(((HeadpondPath) other).path);
  }

  @Override
  public boolean equals(final Object other) {
    return other instanceof HeadpondPath ours && path.equals(ours.path);
  }

  @Override
  public int hashCode() {
    return path.hashCode();
  }

  @Override
  public String toString() {
    return path.toString();
  }
}
