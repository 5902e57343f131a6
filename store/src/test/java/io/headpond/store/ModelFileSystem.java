// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import io.headpond.pmem.SimulatedFileSystem;
import java.io.IOException;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.WatchService;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.nio.file.spi.FileSystemProvider;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Real files, and a {@link ModelDisk} that is told of everything that a power cut could undo. The
 * store runs on it unchanged.
 */
final class ModelFileSystem extends SimulatedFileSystem {
  private final FileSystem real;
  private final ModelDisk disk;
  private final Path kernel;

  /** All simulated devices lie on it; asking for it again reads the mount table each time. */
  private final FileStore fileStore;

  private final Provider provider = new Provider();

  /**
   * A file system over real files.
   *
   * @param kernel holds what is read instead of the kernel's {@code mountinfo} and {@code sys}:
   *     what the simulated devices are said to be; and {@code fd}, empty: who reads around the
   *     store
   */
  ModelFileSystem(final ModelDisk disk, final Path kernel) throws IOException {
    real = kernel.getFileSystem();
    fileStore = Files.getFileStore(kernel);
    this.disk = disk;
    this.kernel = kernel;
  }

  Path wrap(final Path path) {
    return new ModelPath(this, path);
  }

  @Override
  public FileSystemProvider provider() {
    return provider;
  }

  @Override
  public Path getPath(final String first, final String... more) {
    return wrap(
        switch (first) {
          case "/proc/self/mountinfo" -> kernel.resolve("mountinfo");
          // The disk's own descriptors are no reader's: who reads does it through the store.
          case "/proc/self/fd" -> kernel.resolve("fd");
          case "/sys" -> kernel.resolve("sys");
          default -> real.getPath(first, more);
        });
  }

  @Override
  protected Stores map(final Path file) throws IOException {
    disk.turn(ModelFaults.Call.MAP, ModelPath.real(file));
    return disk.map(ModelPath.real(file));
  }

  @Override
  public void close() {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean isOpen() {
    return true;
  }

  @Override
  public boolean isReadOnly() {
    return false;
  }

  @Override
  public String getSeparator() {
    return real.getSeparator();
  }

  @Override
  public Iterable<Path> getRootDirectories() {
    return List.of(getPath("/"));
  }

  @Override
  public Iterable<FileStore> getFileStores() {
    return real.getFileStores();
  }

  @Override
  public Set<String> supportedFileAttributeViews() {
    return real.supportedFileAttributeViews();
  }

  @Override
  public PathMatcher getPathMatcher(final String pattern) {
    final PathMatcher matcher = real.getPathMatcher(pattern);
    return path -> matcher.matches(ModelPath.real(path));
  }

  @Override
  public UserPrincipalLookupService getUserPrincipalLookupService() {
    return real.getUserPrincipalLookupService();
  }

  @Override
  public WatchService newWatchService() {
    throw new UnsupportedOperationException("nothing is watched on a simulated disk");
  }

  private final class Provider extends FileSystemProvider {
    @Override
    public FileChannel newFileChannel(
        final Path path,
        final Set<? extends OpenOption> options,
        final FileAttribute<?>... attributes)
        throws IOException {
      disk.turn(ModelFaults.Call.OPEN, ModelPath.real(path));
      return disk.open(ModelPath.real(path), options, attributes);
    }

    @Override
    public SeekableByteChannel newByteChannel(
        final Path path,
        final Set<? extends OpenOption> options,
        final FileAttribute<?>... attributes)
        throws IOException {
      return newFileChannel(path, options, attributes);
    }

    @Override
    public void createDirectory(final Path path, final FileAttribute<?>... attributes)
        throws IOException {
      disk.turn(ModelFaults.Call.MAKE_DIRECTORY, ModelPath.real(path));
      disk.createDirectory(ModelPath.real(path), attributes);
    }

    @Override
    public void createSymbolicLink(
        final Path link, final Path target, final FileAttribute<?>... attributes)
        throws IOException {
      disk.turn(ModelFaults.Call.LINK, ModelPath.real(link));
      disk.createLink(ModelPath.real(link), ModelPath.real(target));
    }

    @Override
    public Path readSymbolicLink(final Path link) throws IOException {
      disk.call(ModelFaults.Call.READ_LINK, ModelPath.real(link));
      return wrap(Files.readSymbolicLink(ModelPath.real(link)));
    }

    @Override
    public void delete(final Path path) throws IOException {
      disk.turn(ModelFaults.Call.DELETE, ModelPath.real(path));
      disk.delete(ModelPath.real(path));
      disk.returning(ModelFaults.Call.DELETE, ModelPath.real(path));
    }

    @Override
    public void move(final Path source, final Path target, final CopyOption... options)
        throws IOException {
      disk.turn(ModelFaults.Call.RENAME, ModelPath.real(source));
      disk.move(ModelPath.real(source), ModelPath.real(target), options);
      disk.returning(ModelFaults.Call.RENAME, ModelPath.real(source));
    }

    @Override
    public void copy(final Path source, final Path target, final CopyOption... options) {
      throw new UnsupportedOperationException("nothing the store does");
    }

    @Override
    public DirectoryStream<Path> newDirectoryStream(
        final Path directory, final DirectoryStream.Filter<? super Path> filter)
        throws IOException {
      disk.call(ModelFaults.Call.LIST, ModelPath.real(directory));
      final DirectoryStream<Path> stream =
          Files.newDirectoryStream(ModelPath.real(directory), path -> filter.accept(wrap(path)));
      return new WrappedStream(ModelPath.real(directory), stream);
    }

    @Override
    public boolean isSameFile(final Path one, final Path other) throws IOException {
      return Files.isSameFile(ModelPath.real(one), ModelPath.real(other));
    }

    @Override
    public boolean isHidden(final Path path) throws IOException {
      return Files.isHidden(ModelPath.real(path));
    }

    @Override
    public FileStore getFileStore(final Path path) throws IOException {
      disk.call(ModelFaults.Call.SPACE, ModelPath.real(path));
      return new ModelFileStore(
          fileStore, () -> disk.full(ModelPath.real(path)), disk.blockBytes());
    }

    @Override
    public void checkAccess(final Path path, final AccessMode... modes) throws IOException {
      disk.call(ModelFaults.Call.ATTRIBUTES, ModelPath.real(path));
      final Path unwrapped = ModelPath.real(path);
      unwrapped.getFileSystem().provider().checkAccess(unwrapped, modes);
    }

    @Override
    public <V extends FileAttributeView> V getFileAttributeView(
        final Path path, final Class<V> type, final LinkOption... options) {
      return Files.getFileAttributeView(ModelPath.real(path), type, options);
    }

    @Override
    public <A extends BasicFileAttributes> A readAttributes(
        final Path path, final Class<A> type, final LinkOption... options) throws IOException {
      disk.call(ModelFaults.Call.ATTRIBUTES, ModelPath.real(path));
      return Files.readAttributes(ModelPath.real(path), type, options);
    }

    @Override
    public Map<String, Object> readAttributes(
        final Path path, final String names, final LinkOption... options) throws IOException {
      disk.call(ModelFaults.Call.ATTRIBUTES, ModelPath.real(path));
      return Files.readAttributes(ModelPath.real(path), names, options);
    }

    @Override
    public void setAttribute(
        final Path path, final String name, final Object value, final LinkOption... options)
        throws IOException {
      disk.call(ModelFaults.Call.SET_ATTRIBUTES, ModelPath.real(path));
      Files.setAttribute(ModelPath.real(path), name, value, options);
    }

    @Override
    public String getScheme() {
      return "model";
    }

    @Override
    public FileSystem newFileSystem(final URI uri, final Map<String, ?> environment) {
      throw new UnsupportedOperationException();
    }

    @Override
    public FileSystem getFileSystem(final URI uri) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Path getPath(final URI uri) {
      throw new UnsupportedOperationException();
    }
  }

  /** Hands out our paths. */
  private final class WrappedStream implements DirectoryStream<Path> {
    private final Path directory;
    private final DirectoryStream<Path> stream;

    WrappedStream(final Path directory, final DirectoryStream<Path> stream) {
      this.directory = directory;
      this.stream = stream;
    }

    @Override
    public Iterator<Path> iterator() {
      final Iterator<Path> paths = stream.iterator();
      return new Iterator<>() {
        @Override
        public boolean hasNext() {
          try {
            disk.call(ModelFaults.Call.LIST, directory);
          } catch (final IOException e) {
            throw new DirectoryIteratorException(e);
          }
          return paths.hasNext();
        }

        @Override
        public Path next() {
          return wrap(paths.next());
        }
      };
    }

    @Override
    public void close() throws IOException {
      stream.close();
    }
  }
}
