// SPDX-License-Identifier: Apache-2.0
package io.headpond.nio;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.util.Arrays;
import java.util.Set;

/**
 * Wraps a built-in directory stream that offers race-free operations on its entries.
 *
 * <p>A diverted entry is found by the path that the stream was opened by; for those alone the
 * operations are as free of races as the same operations on that path.
 */
final class HeadpondSecureDirectoryStream extends HeadpondDirectoryStream
    implements SecureDirectoryStream<Path> {
  private final HeadpondFileSystem fileSystem;
  private final Path directory;
  private final SecureDirectoryStream<Path> stream;
  private final Router router;

  /**
   * Wraps a stream.
   *
   * @param directory what the stream was opened by, the built-in provider's
   */
  HeadpondSecureDirectoryStream(
      final HeadpondFileSystem fileSystem,
      final Path directory,
      final SecureDirectoryStream<Path> stream,
      final Entries entries) {
    super(stream, entries);
    this.fileSystem = fileSystem;
    this.directory = directory;
    this.stream = stream;
    this.router = fileSystem.provider().router();
  }

  @Override
  public SecureDirectoryStream<Path> newDirectoryStream(
      final Path path, final LinkOption... options) throws IOException {
    final Path entry = HeadpondPath.unwrap(path);
    return new HeadpondSecureDirectoryStream(
        fileSystem,
        directory.resolve(entry),
        stream.newDirectoryStream(entry, options),
        new Entries(fileSystem, null));
  }

  @Override
  public SeekableByteChannel newByteChannel(
      final Path path, final Set<? extends OpenOption> options, final FileAttribute<?>... attrs)
      throws IOException {
    final Path entry = HeadpondPath.unwrap(path);
    final FileChannel segment =
        fileSystem.provider().segment(directory.resolve(entry), options, attrs);
    return segment != null ? segment : stream.newByteChannel(entry, options, attrs);
  }

  @Override
  public void deleteFile(final Path path) throws IOException {
    final Path entry = HeadpondPath.unwrap(path);
    if (router == null || !router.delete(directory.resolve(entry))) {
      stream.deleteFile(entry);
    }
  }

  @Override
  public void deleteDirectory(final Path path) throws IOException {
    final Path entry = HeadpondPath.unwrap(path);
    if (router == null || !router.delete(directory.resolve(entry))) {
      stream.deleteDirectory(entry);
    }
  }

  @Override
  public void move(
      final Path source, final SecureDirectoryStream<Path> targetDirectory, final Path target)
      throws IOException {
    final Path from = HeadpondPath.unwrap(source);
    final Path to = HeadpondPath.unwrap(target);
    if (!(targetDirectory instanceof HeadpondSecureDirectoryStream ours)) {
      stream.move(from, targetDirectory, to);
      return;
    }
    if (router == null
        || !router.move(
            directory.resolve(from), ours.directory.resolve(to), StandardCopyOption.ATOMIC_MOVE)) {
      stream.move(from, ours.stream, to);
    }
  }

  @Override
  public <V extends FileAttributeView> V getFileAttributeView(final Class<V> type) {
    return stream.getFileAttributeView(type);
  }

  @Override
  public <V extends FileAttributeView> V getFileAttributeView(
      final Path path, final Class<V> type, final LinkOption... options) {
    final Path entry = HeadpondPath.unwrap(path);
    final Path name =
        router == null
            ? entry
            : router.followed(directory.resolve(entry), Arrays.asList(options));
    return router != null && router.divertsNow(name)
        ? fileSystem.provider().getFileAttributeView(fileSystem.wrap(name), type, options)
        : stream.getFileAttributeView(entry, type, options);
  }
}
