// SPDX-License-Identifier: Apache-2.0
package io.headpond.nio;

import io.headpond.pmem.Uninterrupted;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.spi.FileSystemProvider;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ExecutorService;

/**
 * The default file system provider: hands every operation to the built-in provider, but for log
 * segments, which the {@link Router} hands to the store.
 *
 * <p>The JDK makes it when the system property {@code java.nio.file.spi.DefaultFileSystemProvider}
 * names this class. Any thread.
 *
 * <p>Hazard: the constructor runs while {@link java.nio.file.FileSystems} is being initialised, so
 * nothing that it calls may ask for the default file system ({@code Path.of}, {@code File.toPath}).
 */
public final class HeadpondFileSystemProvider extends FileSystemProvider {
  private static final String SIZE = "size";

  /** Ends the names of the attributes that are times. */
  private static final String TIME = "Time";

  /** The options of an output stream for which none are given, but for {@code WRITE}. */
  private static final List<OpenOption> NEW_CONTENT =
      List.of(StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING);

  private static final URI ROOT = URI.create("file:///");

  private final FileSystemProvider builtIn;
  private final HeadpondFileSystem fileSystem;

  /** Null if nothing is routed. */
  private final Router router;

  /**
   * Called by the JDK. Reads the configuration that {@code -Dheadpond.config} names; a bad one ends
   * the JVM with exit code 78, and the reason on standard error. Without one nothing is routed.
   *
   * @param builtIn the provider of the platform's file system
   */
  public HeadpondFileSystemProvider(final FileSystemProvider builtIn) {
    this(builtIn, Startup.router(builtIn.getFileSystem(ROOT)));
  }

  HeadpondFileSystemProvider(final FileSystemProvider builtIn, final Router router) {
    this.builtIn = builtIn;
    this.router = router;
    this.fileSystem = new HeadpondFileSystem(this, builtIn.getFileSystem(ROOT));
  }

  /** Null if nothing is routed. */
  Router router() {
    return router;
  }

  /** See {@link Router#admit}. */
  void admit(final Path unwrapped) throws IOException {
    if (router != null) {
      router.admit(unwrapped);
    }
  }

  private Path admitted(final Path path) throws IOException {
    final Path unwrapped = HeadpondPath.unwrap(path);
    admit(unwrapped);
    return unwrapped;
  }

  /** The same, of what a symbolic link to a segment leads to; see {@link Router#followed}. */
  private Path admittedTarget(final Path path, final CopyOption... options) throws IOException {
    final Path target = followed(HeadpondPath.unwrap(path), Arrays.asList(options));
    admit(target);
    return target;
  }

  private Path followed(final Path unwrapped, final Collection<?> options) {
    return router == null ? unwrapped : router.followed(unwrapped, options);
  }

  /**
   * A segment's is its name in the log directory: what is written there is written by the store.
   */
  Path realPath(final Path path, final LinkOption... options) throws IOException {
    final Path target = followed(path, Arrays.asList(options));
    admit(target);
    final Path real = ask(target, () -> path.toRealPath(options));
    return diverts(target)
        ? target.toAbsolutePath().getParent().toRealPath().resolve(target.getFileName())
        : real;
  }

  /** The wrapped provider. */
  FileSystemProvider builtIn() {
    return builtIn;
  }

  @Override
  public String getScheme() {
    return builtIn.getScheme();
  }

  @Override
  public FileSystem newFileSystem(final URI uri, final Map<String, ?> env) throws IOException {
    return builtIn.newFileSystem(uri, env);
  }

  /** Every installed provider is asked this, also about other providers' paths. */
  @Override
  public FileSystem newFileSystem(final Path path, final Map<String, ?> env) throws IOException {
    return builtIn.newFileSystem(path instanceof HeadpondPath ours ? ours.unwrapped() : path, env);
  }

  /** The built-in provider checks the address; the file system is ours. */
  @Override
  public FileSystem getFileSystem(final URI uri) {
    builtIn.getFileSystem(uri);
    return fileSystem;
  }

  @Override
  public Path getPath(final URI uri) {
    return fileSystem.wrap(builtIn.getPath(uri));
  }

  @Override
  public InputStream newInputStream(final Path path, final OpenOption... options)
      throws IOException {
    final Path unwrapped = HeadpondPath.unwrap(path);
    final Set<OpenOption> given = new HashSet<>(Arrays.asList(options));
    final FileChannel segment = Router.writes(given) ? null : uninterrupted(unwrapped, given);
    return segment != null
        ? Channels.newInputStream(segment)
        : builtIn.newInputStream(unwrapped, options);
  }

  @Override
  public OutputStream newOutputStream(final Path path, final OpenOption... options)
      throws IOException {
    final Path unwrapped = HeadpondPath.unwrap(path);
    final Set<OpenOption> given =
        new HashSet<>(options.length == 0 ? NEW_CONTENT : Arrays.asList(options));
    given.add(StandardOpenOption.WRITE);
    final FileChannel file =
        given.contains(StandardOpenOption.READ) ? null : uninterrupted(unwrapped, given);
    return file != null
        ? Channels.newOutputStream(file)
        : builtIn.newOutputStream(unwrapped, options);
  }

  /** The channel of a name that the store serves, which no interrupt closes; null for any other. */
  private FileChannel uninterrupted(
      final Path unwrapped,
      final Set<? extends OpenOption> options,
      final FileAttribute<?>... attrs)
      throws IOException {
    if (router == null) {
      return null;
    }
    final Path target = router.followed(unwrapped, options);
    if (!(Router.writes(options) ? router.follows(target) : router.divertsNow(target))) {
      router.admitOpen(target, options);
      return null;
    }
    final FileChannel file =
        Uninterrupted.call(UninterruptedChannel.THREAD, () -> router.open(target, options, attrs));
    return file == null ? null : UninterruptedChannel.of(file);
  }

  @Override
  public FileChannel newFileChannel(
      final Path path, final Set<? extends OpenOption> options, final FileAttribute<?>... attrs)
      throws IOException {
    final Path unwrapped = HeadpondPath.unwrap(path);
    final FileChannel segment = segment(unwrapped, options, attrs);
    return segment != null ? segment : builtIn.newFileChannel(unwrapped, options, attrs);
  }

  @Override
  public AsynchronousFileChannel newAsynchronousFileChannel(
      final Path path,
      final Set<? extends OpenOption> options,
      final ExecutorService executor,
      final FileAttribute<?>... attrs)
      throws IOException {
    final Path unwrapped = followed(HeadpondPath.unwrap(path), options);
    admit(unwrapped);
    if (router != null && Router.writes(options) && router.concerns(unwrapped)) {
      throw new UnsupportedOperationException(
          path + ": Headpond has no asynchronous channel for a segment or a log directory's lock");
    }
    final OptionalLong end = logicalSize(unwrapped);
    if (end.isPresent()
        && builtIn.readAttributes(unwrapped, BasicFileAttributes.class).size() > end.getAsLong()) {
      throw new UnsupportedOperationException(
          path + ": Headpond has no asynchronous channel for a segment that is appended to");
    }
    return builtIn.newAsynchronousFileChannel(unwrapped, options, executor, attrs);
  }

  /** Without options it is most likely {@link Files#readAllBytes} that asks. */
  @Override
  public SeekableByteChannel newByteChannel(
      final Path path, final Set<? extends OpenOption> options, final FileAttribute<?>... attrs)
      throws IOException {
    final Path unwrapped = HeadpondPath.unwrap(path);
    final FileChannel segment =
        options.isEmpty()
            ? uninterrupted(unwrapped, options, attrs)
            : segment(unwrapped, options, attrs);
    return segment != null ? segment : builtIn.newByteChannel(unwrapped, options, attrs);
  }

  /** The channel of a name that the store serves; null for any other. */
  FileChannel segment(
      final Path unwrapped,
      final Set<? extends OpenOption> options,
      final FileAttribute<?>... attrs)
      throws IOException {
    return router == null ? null : router.open(router.followed(unwrapped, options), options, attrs);
  }

  @Override
  public DirectoryStream<Path> newDirectoryStream(
      final Path dir, final DirectoryStream.Filter<? super Path> filter) throws IOException {
    final DirectoryStream<Path> stream =
        builtIn.newDirectoryStream(
            admitted(dir), filter == null ? null : entry -> filter.accept(fileSystem.wrap(entry)));
    return stream instanceof SecureDirectoryStream<Path> secure
        ? new HeadpondSecureDirectoryStream(fileSystem, HeadpondPath.unwrap(dir), secure)
        : new HeadpondDirectoryStream(fileSystem, stream);
  }

  @Override
  public void createDirectory(final Path dir, final FileAttribute<?>... attrs) throws IOException {
    builtIn.createDirectory(admitted(dir), attrs);
  }

  @Override
  public void createSymbolicLink(
      final Path link, final Path target, final FileAttribute<?>... attrs) throws IOException {
    builtIn.createSymbolicLink(admitted(link), HeadpondPath.unwrap(target), attrs);
  }

  /** To a segment's file, not to the link in the log directory, which would dangle one day. */
  @Override
  public void createLink(final Path link, final Path existing) throws IOException {
    final Path to = admitted(link);
    final Path segment = admitted(existing);
    if (!diverts(segment)) {
      builtIn.createLink(to, segment);
      return;
    }
    final FollowedLink.Question<Path> linked =
        () -> {
          builtIn.createLink(to, segment.toRealPath());
          return to;
        };
    try {
      // As a change of its times it is cut to its end before, and stays where it is meanwhile.
      router.setTimes(segment, () -> FollowedLink.ask(builtIn, segment, linked));
    } catch (final FileSystemException e) {
      throw named(e, link.toString(), existing.toString());
    }
  }

  /** The caller knows nothing of the file in the tier. */
  private static FileSystemException named(
      final FileSystemException e, final String file, final String other) {
    if (e instanceof NoSuchFileException) {
      return new NoSuchFileException(file, other, e.getReason());
    }
    return e instanceof FileAlreadyExistsException
        ? new FileAlreadyExistsException(file, other, e.getReason())
        : new FileSystemException(file, other, e.getReason());
  }

  @Override
  public void delete(final Path path) throws IOException {
    final Path unwrapped = HeadpondPath.unwrap(path);
    if (router == null || !router.delete(unwrapped)) {
      builtIn.delete(unwrapped);
    }
  }

  @Override
  public boolean deleteIfExists(final Path path) throws IOException {
    final Path unwrapped = HeadpondPath.unwrap(path);
    try {
      return router != null && router.delete(unwrapped) || builtIn.deleteIfExists(unwrapped);
    } catch (final NoSuchFileException e) {
      return false;
    }
  }

  @Override
  public Path readSymbolicLink(final Path link) throws IOException {
    return fileSystem.wrap(builtIn.readSymbolicLink(admitted(link)));
  }

  @Override
  public void copy(final Path source, final Path target, final CopyOption... options)
      throws IOException {
    final Path from = admittedTarget(source, options);
    final Path to = admitted(target);
    if (diverts(from) || diverts(to)) {
      router.checkArguments(nowhere -> builtIn.copy(nowhere, nowhere, options));
      Uninterrupted.call(
          UninterruptedChannel.THREAD,
          () -> {
            FileCopy.copy(fileSystem.wrap(from), target, diverts(to), options);
            return null;
          });
    } else {
      builtIn.copy(from, to, options);
    }
  }

  @Override
  public void move(final Path source, final Path target, final CopyOption... options)
      throws IOException {
    final Path from = HeadpondPath.unwrap(source);
    final Path to = HeadpondPath.unwrap(target);
    if (router == null || !router.move(from, to, options)) {
      builtIn.move(from, to, options);
    }
  }

  /** Another provider's second path is simply another file, as the built-in provider says. */
  @Override
  public boolean isSameFile(final Path path, final Path other) throws IOException {
    return builtIn.isSameFile(
        admitted(path), other instanceof HeadpondPath ours ? ours.unwrapped() : other);
  }

  @Override
  public boolean isHidden(final Path path) throws IOException {
    return builtIn.isHidden(admitted(path));
  }

  @Override
  public FileStore getFileStore(final Path path) throws IOException {
    return builtIn.getFileStore(admitted(path));
  }

  @Override
  public void checkAccess(final Path path, final AccessMode... modes) throws IOException {
    final Path unwrapped = admittedTarget(path);
    ask(
        unwrapped,
        () -> {
          builtIn.checkAccess(unwrapped, modes);
          return null;
        });
  }

  @Override
  public <V extends FileAttributeView> V getFileAttributeView(
      final Path path, final Class<V> type, final LinkOption... options) {
    final Path unwrapped = HeadpondPath.unwrap(path);
    final V view = builtIn.getFileAttributeView(unwrapped, type, options);
    return logicalView(type, view, () -> unwrapped, options);
  }

  /**
   * The view of a file that may be a segment.
   *
   * @param view the built-in one
   * @param name the file's at each use; null: it is no segment
   */
  <V extends FileAttributeView> V logicalView(
      final Class<V> type,
      final V view,
      final FollowedLink.Question<Path> name,
      final LinkOption... options) {
    if (router == null || !(view instanceof BasicFileAttributeView basic)) {
      return view;
    }
    final FollowedLink.Question<Path> segment =
        () -> {
          final Path now = name.ask();
          final Path target = now == null ? null : followed(now, Arrays.asList(options));
          return target != null && router.divertsNow(target) ? fileSystem.wrap(target) : null;
        };
    final Class<? extends BasicFileAttributes> attributes =
        type == PosixFileAttributeView.class
            ? PosixFileAttributes.class
            : BasicFileAttributes.class;
    return LogicalAttributes.view(
        type,
        view,
        () -> {
          final Path now = segment.ask();
          return now == null ? basic.readAttributes() : readAttributes(now, attributes, options);
        },
        set -> {
          final Path now = segment.ask();
          router.setTimes(now == null ? null : HeadpondPath.unwrap(now), set);
        });
  }

  @Override
  public <A extends BasicFileAttributes> A readAttributes(
      final Path path, final Class<A> type, final LinkOption... options) throws IOException {
    final Path unwrapped = admittedTarget(path, options);
    return logical(
        unwrapped,
        type,
        () -> ask(unwrapped, () -> builtIn.readAttributes(unwrapped, type, options)));
  }

  @Override
  public Map<String, Object> readAttributes(
      final Path path, final String attributes, final LinkOption... options) throws IOException {
    final Path unwrapped = admittedTarget(path, options);
    final FollowedLink.Question<Map<String, Object>> question =
        () -> builtIn.readAttributes(unwrapped, attributes, options);
    final OptionalLong before = logicalSize(unwrapped);
    final Map<String, Object> found = ask(unwrapped, question);
    if (router == null || !found.containsKey(SIZE) || isLinkItself(unwrapped, options)) {
      return found;
    }
    final OptionalLong size = logicalSize(unwrapped);
    if (size.isEmpty()) {
      return before.isEmpty() ? found : ask(unwrapped, question);
    }
    final Map<String, Object> logical = new HashMap<>(found);
    logical.put(SIZE, size.getAsLong());
    return Collections.unmodifiableMap(logical);
  }

  private boolean diverts(final Path unwrapped) {
    return router != null && router.divertsNow(unwrapped);
  }

  /**
   * What the built-in provider says of a file, of a segment's also while it is being moved. Only
   * who is told that there is none pays for finding out whether it is one.
   */
  private <T> T ask(final Path unwrapped, final FollowedLink.Question<T> question)
      throws IOException {
    try {
      return question.ask();
    } catch (final NoSuchFileException e) {
      if (diverts(unwrapped)) {
        return FollowedLink.ask(builtIn, unwrapped, question);
      }
      throw e;
    }
  }

  private boolean isLinkItself(final Path unwrapped, final LinkOption... options)
      throws IOException {
    return options.length > 0
        && builtIn.readAttributes(unwrapped, BasicFileAttributes.class, options).isSymbolicLink();
  }

  /**
   * A file's attributes with a segment's logical length. If it is known before they are read only,
   * the segment was cut to its end or moved in between, and they are read again.
   */
  private <A extends BasicFileAttributes> A logical(
      final Path unwrapped, final Class<A> type, final FollowedLink.Question<A> question)
      throws IOException {
    final OptionalLong before = logicalSize(unwrapped);
    final A attributes = question.ask();
    final OptionalLong size = logicalSize(unwrapped);
    if (size.isPresent()) {
      return LogicalAttributes.of(attributes, type, size.getAsLong());
    }
    return before.isEmpty() ? attributes : question.ask();
  }

  private OptionalLong logicalSize(final Path unwrapped) {
    return router == null ? OptionalLong.empty() : router.logicalSize(unwrapped);
  }

  @Override
  public void setAttribute(
      final Path path, final String attribute, final Object value, final LinkOption... options)
      throws IOException {
    final Path unwrapped = admittedTarget(path, options);
    if (router != null && attribute.endsWith(TIME)) {
      router.setTimes(unwrapped, () -> builtIn.setAttribute(unwrapped, attribute, value, options));
    } else {
      builtIn.setAttribute(unwrapped, attribute, value, options);
    }
  }
}
