// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;

/** A path of the {@link ModelFileSystem}: the real one, under the same name. */
final class ModelPath implements Path {
  private final ModelFileSystem fileSystem;
  final Path real;

  ModelPath(final ModelFileSystem fileSystem, final Path real) {
    this.fileSystem = fileSystem;
    this.real = real;
  }

  /** The real path behind any path. */
  static Path real(final Path path) {
    return path instanceof ModelPath ours ? ours.real : path;
  }

  private Path wrap(final Path path) {
    return path == null ? null : new ModelPath(fileSystem, path);
  }

  @Override
  public FileSystem getFileSystem() {
    return fileSystem;
  }

  @Override
  public boolean isAbsolute() {
    return real.isAbsolute();
  }

  @Override
  public Path getRoot() {
    return wrap(real.getRoot());
  }

  @Override
  public Path getFileName() {
    return wrap(real.getFileName());
  }

  @Override
  public Path getParent() {
    return wrap(real.getParent());
  }

  @Override
  public int getNameCount() {
    return real.getNameCount();
  }

  @Override
  public Path getName(final int index) {
    return wrap(real.getName(index));
  }

  @Override
  public Path subpath(final int from, final int to) {
    return wrap(real.subpath(from, to));
  }

  @Override
  public boolean startsWith(final Path other) {
    return real.startsWith(real(other));
  }

  @Override
  public boolean endsWith(final Path other) {
    return real.endsWith(real(other));
  }

  @Override
  public Path normalize() {
    return wrap(real.normalize());
  }

  @Override
  public Path resolve(final Path other) {
    return wrap(real.resolve(real(other)));
  }

  @Override
  public Path relativize(final Path other) {
    return wrap(real.relativize(real(other)));
  }

  @Override
  public URI toUri() {
    return real.toUri();
  }

  @Override
  public Path toAbsolutePath() {
    return wrap(real.toAbsolutePath());
  }

  @Override
  public Path toRealPath(final LinkOption... options) throws IOException {
    return wrap(real.toRealPath(options));
  }

  @Override
  public WatchKey register(
      final WatchService watcher,
      final WatchEvent.Kind<?>[] events,
      final WatchEvent.Modifier... modifiers) {
    throw new UnsupportedOperationException("nothing is watched on a simulated disk");
  }

  @Override
  public int compareTo(final Path other) {
    return real.compareTo(real(other));
  }

  @Override
  public boolean equals(final Object other) {
    return other instanceof ModelPath ours && real.equals(ours.real);
  }

  @Override
  public int hashCode() {
    return real.hashCode();
  }

  @Override
  public String toString() {
    return real.toString();
  }
}
