// SPDX-License-Identifier: Apache-2.0
package io.headpond.nio;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.WatchService;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;

/**
 * The default file system: wraps the built-in one so that its paths are {@link HeadpondPath}s.
 *
 * <p>File stores, users and groups hold no path and are handed out as they are. Immutable; any
 * thread.
 */
final class HeadpondFileSystem extends FileSystem {
  private final HeadpondFileSystemProvider provider;
  private final FileSystem builtIn;

  HeadpondFileSystem(final HeadpondFileSystemProvider provider, final FileSystem builtIn) {
    this.provider = provider;
    this.builtIn = builtIn;
  }

  Path wrap(final Path path) {
    return new HeadpondPath(this, path);
  }

  @Override
  public HeadpondFileSystemProvider provider() {
    return provider;
  }

  @Override
  public void close() throws IOException {
    builtIn.close();
  }

  @Override
  public boolean isOpen() {
    return builtIn.isOpen();
  }

  @Override
  public boolean isReadOnly() {
    return builtIn.isReadOnly();
  }

  @Override
  public String getSeparator() {
    return builtIn.getSeparator();
  }

  @Override
  public Iterable<Path> getRootDirectories() {
    final List<Path> roots = new ArrayList<>();
    for (final Path root : builtIn.getRootDirectories()) {
      roots.add(wrap(root));
    }
    return Collections.unmodifiableList(roots);
  }

  @Override
  public Iterable<FileStore> getFileStores() {
    return builtIn.getFileStores();
  }

  @Override
  public Set<String> supportedFileAttributeViews() {
    return builtIn.supportedFileAttributeViews();
  }

  @Override
  public Path getPath(final String first, final String... more) {
    return new HeadpondPath(this, builtIn.getPath(first, more));
  }

  @Override
  public PathMatcher getPathMatcher(final String syntaxAndPattern) {
    return new UnwrappingMatcher(builtIn.getPathMatcher(syntaxAndPattern));
  }

  @Override
  public UserPrincipalLookupService getUserPrincipalLookupService() {
    return builtIn.getUserPrincipalLookupService();
  }

  @Override
  public WatchService newWatchService() throws IOException {
    return new HeadpondWatchService(this, builtIn.newWatchService());
  }

  /** Another provider's path goes through as it is: the built-in matcher takes it. */
  private record UnwrappingMatcher(PathMatcher matcher) implements PathMatcher {
    @Override
    public boolean matches(final Path path) {
      return matcher.matches(path instanceof HeadpondPath ours ? ours.unwrapped() : path);
    }
  }
}
