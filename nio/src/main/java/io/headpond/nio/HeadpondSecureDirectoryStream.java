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
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.util.Set;

/**
 * Wraps a built-in directory stream that offers race-free operations on its entries.
 *
 * <p>A diverted entry is found by the present path of the directory that the stream has open; for
 * those alone the operations are as free of races as the same operations on that path.
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
      final SecureDirectoryStream<Path> stream) {
    super(fileSystem, stream);
    this.fileSystem = fileSystem;
    this.directory = directory;
    this.stream = stream;
    this.router = fileSystem.provider().router();
  }

  /**
   * An entry's path, whatever the directory is called now.
   *
   * @return null if nothing there is routed
   */
  private Path present(final Path entry) throws IOException {
    if (router == null) {
      return null;
    }
    final Path now =
        router.present(
            directory,
            stream.getFileAttributeView(BasicFileAttributeView.class).readAttributes().fileKey());
    return now == null ? null : now.resolve(entry);
  }

  @Override
  public SecureDirectoryStream<Path> newDirectoryStream(
      final Path path, final LinkOption... options) throws IOException {
    final Path entry = HeadpondPath.unwrap(path);
    return new HeadpondSecureDirectoryStream(
        fileSystem, directory.resolve(entry), stream.newDirectoryStream(entry, options));
  }

  @Override
  public SeekableByteChannel newByteChannel(
      final Path path, final Set<? extends OpenOption> options, final FileAttribute<?>... attrs)
      throws IOException {
    final Path entry = HeadpondPath.unwrap(path);
    final Path name = present(entry);
    final FileChannel segment =
        name == null ? null : fileSystem.provider().segment(name, options, attrs);
    return segment != null ? segment : stream.newByteChannel(entry, options, attrs);
  }

  @Override
  public void deleteFile(final Path path) throws IOException {
    final Path entry = HeadpondPath.unwrap(path);
    final Path name = present(entry);
    if (name == null || !router.divertsNow(name) || !router.delete(name)) {
      stream.deleteFile(entry);
    }
  }

  @Override
  public void deleteDirectory(final Path path) throws IOException {
    final Path entry = HeadpondPath.unwrap(path);
    final Path name = present(entry);
    if (name == null || router.divertsNow(name) || !router.delete(name)) {
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
    final Path fromName = present(from);
    final Path toName = ours.present(to);
    if (fromName == null
        || toName == null
        || !router.move(fromName, toName, StandardCopyOption.ATOMIC_MOVE)) {
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
    final V view = stream.getFileAttributeView(entry, type, options);
    return fileSystem.provider().logicalView(type, view, () -> present(entry), options);
  }
}
