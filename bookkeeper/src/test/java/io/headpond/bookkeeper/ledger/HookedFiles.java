// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper.ledger;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
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
 * Real files, of whose every call a {@link Hook} is told before it is made. It comes in by the
 * paths; {@code File}s made from these go past it. Any thread.
 */
final class HookedFiles extends FileSystem {
  private final FileSystem real;
  private final Hook hook;
  private final Provider provider = new Provider();

  /** Is told of a call. */
  @FunctionalInterface
  interface Hook {
    /** What it throws, the call throws. */
    void before(String call, Path path) throws IOException;
  }

  HookedFiles(final FileSystem real, final Hook hook) {
    this.real = real;
    this.hook = hook;
  }

  /** The same path in this file system. */
  Path wrap(final Path path) {
    return path == null
        ? null
        : (Path)
            Proxy.newProxyInstance(
                Path.class.getClassLoader(),
                new Class<?>[] {Path.class},
                (proxy, method, arguments) -> onPath(path, method, arguments));
  }

  private Object onPath(final Path path, final Method method, final Object[] arguments)
      throws Throwable {
    if (method.getName().equals("getFileSystem")) {
      return this;
    }
    final Object[] plain = arguments == null ? new Object[0] : arguments.clone();
    for (int i = 0; i < plain.length; i++) {
      plain[i] = plain[i] instanceof Path given ? real(given) : plain[i];
    }
    try {
      final Object answer = method.invoke(path, plain);
      return answer instanceof Path found ? wrap(found) : answer;
    } catch (final InvocationTargetException e) {
      throw e.getCause();
    }
  }

  /** The path below, by its text. */
  private Path real(final Path path) {
    return path.getFileSystem() == this ? real.getPath(path.toString()) : path;
  }

  private Path before(final String call, final Path path) throws IOException {
    final Path below = real(path);
    hook.before(call, below);
    return below;
  }

  @Override
  public FileSystemProvider provider() {
    return provider;
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
  public Path getPath(final String first, final String... more) {
    return wrap(real.getPath(first, more));
  }

  @Override
  public PathMatcher getPathMatcher(final String pattern) {
    final PathMatcher matcher = real.getPathMatcher(pattern);
    return path -> matcher.matches(real(path));
  }

  @Override
  public UserPrincipalLookupService getUserPrincipalLookupService() {
    return real.getUserPrincipalLookupService();
  }

  @Override
  public WatchService newWatchService() {
    throw new UnsupportedOperationException();
  }

  private final class Provider extends FileSystemProvider {
    @Override
    public FileChannel newFileChannel(
        final Path path,
        final Set<? extends OpenOption> options,
        final FileAttribute<?>... attributes)
        throws IOException {
      final Path below = before("open", path);
      return new HookedChannel(
          FileChannel.open(below, options, attributes), call -> hook.before(call, below));
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
    public DirectoryStream<Path> newDirectoryStream(
        final Path directory, final DirectoryStream.Filter<? super Path> filter)
        throws IOException {
      final DirectoryStream<Path> stream =
          Files.newDirectoryStream(before("list", directory), found -> filter.accept(wrap(found)));
      return new DirectoryStream<>() {
        @Override
        public Iterator<Path> iterator() {
          final Iterator<Path> each = stream.iterator();
          return new Iterator<>() {
            @Override
            public boolean hasNext() {
              return each.hasNext();
            }

            @Override
            public Path next() {
              return wrap(each.next());
            }
          };
        }

        @Override
        public void close() throws IOException {
          stream.close();
        }
      };
    }

    @Override
    public void createDirectory(final Path path, final FileAttribute<?>... attributes)
        throws IOException {
      Files.createDirectory(before("make directory", path), attributes);
    }

    @Override
    public void createSymbolicLink(
        final Path link, final Path target, final FileAttribute<?>... attributes)
        throws IOException {
      Files.createSymbolicLink(before("link", link), real(target), attributes);
    }

    @Override
    public void createLink(final Path link, final Path existing) throws IOException {
      Files.createLink(before("hard link", link), real(existing));
    }

    @Override
    public Path readSymbolicLink(final Path link) throws IOException {
      return wrap(Files.readSymbolicLink(before("read link", link)));
    }

    @Override
    public void delete(final Path path) throws IOException {
      Files.delete(before("delete", path));
    }

    @Override
    public void copy(final Path source, final Path target, final CopyOption... options)
        throws IOException {
      Files.copy(before("copy", source), real(target), options);
    }

    @Override
    public void move(final Path source, final Path target, final CopyOption... options)
        throws IOException {
      Files.move(before("rename", source), real(target), options);
    }

    @Override
    public boolean isSameFile(final Path one, final Path other) throws IOException {
      return Files.isSameFile(real(one), real(other));
    }

    @Override
    public boolean isHidden(final Path path) throws IOException {
      return Files.isHidden(real(path));
    }

    @Override
    public FileStore getFileStore(final Path path) throws IOException {
      return Files.getFileStore(before("file store", path));
    }

    @Override
    public void checkAccess(final Path path, final AccessMode... modes) throws IOException {
      final Path below = before("access", path);
      real.provider().checkAccess(below, modes);
    }

    @Override
    public <V extends FileAttributeView> V getFileAttributeView(
        final Path path, final Class<V> type, final LinkOption... options) {
      return Files.getFileAttributeView(real(path), type, options);
    }

    @Override
    public <A extends BasicFileAttributes> A readAttributes(
        final Path path, final Class<A> type, final LinkOption... options) throws IOException {
      return Files.readAttributes(before("attributes", path), type, options);
    }

    @Override
    public Map<String, Object> readAttributes(
        final Path path, final String names, final LinkOption... options) throws IOException {
      return Files.readAttributes(before("attributes", path), names, options);
    }

    @Override
    public void setAttribute(
        final Path path, final String name, final Object value, final LinkOption... options)
        throws IOException {
      Files.setAttribute(before("set attribute", path), name, value, options);
    }

    @Override
    public String getScheme() {
      return "hooked";
    }

    @Override
    public FileSystem newFileSystem(final URI uri, final Map<String, ?> environment) {
      throw new UnsupportedOperationException();
    }

    @Override
    public FileSystem getFileSystem(final URI uri) {
      return HookedFiles.this;
    }

    @Override
    public Path getPath(final URI uri) {
      throw new UnsupportedOperationException();
    }
  }
}
