// SPDX-License-Identifier: Apache-2.0
package io.headpond.nio;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.DosFileAttributes;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.attribute.FileOwnerAttributeView;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserDefinedFileAttributeView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Draws operations on paths and files. The same seed draws the same operations; names are few, so
 * that operations meet each other's files.
 */
final class RandomOperations {
  private static final String[] NAMES = {
    "/",
    "/a",
    "/b",
    "/d",
    "/d/e",
    "/d/e/f",
    "/d/a",
    "/link",
    "/d/link",
    "/x y",
    "/ü/ß",
    "/ü",
    "/.hidden",
    "/d/..",
    "/d/../a",
    "/d/./e",
    "/missing/a",
    "/t-0",
    "/t-0/00000000000000000000.log",
    "/t-0/00000000000000000000.log.deleted",
    "/t-0/00000000000000000042.log",
    "a",
    "d/e",
    "..",
    ".",
    "",
    "a/../b",
    "../x/./y",
    "d//e/",
    "/d/"
  };
  private static final Class<?>[] VIEWS = {
    BasicFileAttributeView.class,
    PosixFileAttributeView.class,
    FileOwnerAttributeView.class,
    UserDefinedFileAttributeView.class,
    FileAttributeView.class
  };
  private static final String[] ATTRIBUTES = {
    "size", "isDirectory", "unix:mode", "posix:permissions", "basic:isSymbolicLink", "unix:nlink",
    "lastModifiedTime", "bogus:size", "bogus", "owner:owner", ":", ""
  };

  private final Random random;
  private final Path foreign;
  private String description;

  /**
   * Draws from a seed.
   *
   * @param foreign a path of a third provider
   */
  RandomOperations(final long seed, final Path foreign) {
    this.random = new Random(seed);
    this.foreign = foreign;
  }

  /** What the operation drawn last is. */
  String description() {
    return description;
  }

  World.Operation draw() {
    final String a = NAMES[random.nextInt(NAMES.length)];
    final String b = NAMES[random.nextInt(NAMES.length)];
    final int n = random.nextInt(8);
    final int kind = random.nextInt(100);
    final World.Operation operation;
    if (kind < 25) {
      operation = onPaths(random.nextInt(30), a, b, n);
    } else if (kind < 55) {
      operation = changing(random.nextInt(17), a, b, n);
    } else if (kind < 90) {
      operation = asking(random.nextInt(26), a, b, n);
    } else {
      operation = channels(random.nextInt(6), a, b, n);
    }
    description += " a='" + a + "' b='" + b + "' n=" + n;
    return operation;
  }

  private World.Operation onPaths(final int which, final String a, final String b, final int n) {
    description = "path operation " + which;
    return switch (which) {
      case 0 -> w -> w.path(a).resolve(w.path(b));
      case 1 -> w -> w.path(a).resolve(b);
      case 2 -> w -> w.path(a).relativize(w.path(b));
      case 3 -> w -> w.path(a).normalize();
      case 4 -> w -> w.path(a).subpath(0, n);
      case 5 -> w -> w.path(a).getName(n);
      case 6 -> w -> w.path(a).startsWith(w.path(b));
      case 7 -> w -> w.path(a).endsWith(w.path(b));
      case 8 -> w -> w.path(a).startsWith(b) + " " + w.path(a).endsWith(b);
      case 9 -> w -> Integer.signum(w.path(a).compareTo(w.path(b)));
      case 10 -> w -> w.path(a).equals(w.path(b));
      case 11 -> w -> w.path(a).hashCode() == w.path(a).hashCode();
      case 12 ->
          w -> {
            final List<String> names = new ArrayList<>();
            w.path(a).forEach(name -> names.add(name.toString()));
            return names.subList(Math.max(0, names.size() - 2), names.size());
          };
      case 13 -> w -> w.path(a).toUri();
      case 14 -> w -> w.path(a).toAbsolutePath();
      case 15 -> w -> w.path(a).toRealPath();
      case 16 -> w -> w.path(a).toRealPath(LinkOption.NOFOLLOW_LINKS);
      case 17 -> w -> w.path(a).resolveSibling(w.path(b));
      case 18 -> w -> w.path(a).getParent() + " " + w.path(a).getFileName();
      case 19 -> w -> w.path(a).getRoot() + " " + w.path(a).isAbsolute();
      case 20 -> w -> w.path(a).resolve(foreign);
      case 21 -> w -> w.path(a).relativize(foreign);
      case 22 -> w -> w.path(a).startsWith(foreign) + " " + w.path(a).endsWith(foreign);
      case 23 -> w -> w.path(a).equals(foreign) + " " + foreign.equals(w.path(a));
      case 24 -> w -> Files.isSameFile(w.path(a), foreign);
      case 25 -> w -> w.path(a).resolve((Path) null);
      case 26 -> w -> w.path(a).startsWith((Path) null);
      case 27 -> w -> w.path(a).register(null);
      case 28 -> w -> w.path(a).resolve("nul\0");
      default -> w -> matches(w, a, b);
    };
  }

  private static Object matches(final World w, final String a, final String b) {
    final List<Boolean> results = new ArrayList<>();
    for (final String glob : List.of("glob:**/*.log", "glob:{a,b}", "regex:.*/d/.*", "glob:**")) {
      results.add(w.root().getFileSystem().getPathMatcher(glob).matches(w.path(a)));
      results.add(w.root().getFileSystem().getPathMatcher(glob).matches(w.path(b).getFileName()));
    }
    return results;
  }

  private World.Operation changing(final int which, final String a, final String b, final int n) {
    description = "change " + which;
    final CopyOption[] copyOptions = copyOptions(n);
    return switch (which) {
      case 0, 1 -> w -> Files.writeString(w.path(below(a)), "text " + n);
      case 2 -> w -> Files.createDirectory(w.path(below(a)));
      case 3 -> w -> Files.createDirectories(w.path(below(a)));
      case 4 -> w -> Files.createFile(w.path(below(a)));
      case 5 ->
          w -> {
            Files.delete(w.path(below(a)));
            return "deleted";
          };
      case 6 -> w -> Files.deleteIfExists(w.path(below(a)));
      case 7 -> w -> Files.copy(w.path(below(a)), w.path(below(b)), copyOptions);
      case 8, 9 -> w -> Files.move(w.path(below(a)), w.path(below(b)), copyOptions);
      case 10 -> w -> Files.createSymbolicLink(w.path(below(a)), w.path(b.replaceFirst("^/+", "")));
      case 11 -> w -> Files.createLink(w.path(below(a)), w.path(below(b)));
      case 12 -> w -> Files.setLastModifiedTime(w.path(below(a)), World.time(n));
      case 13 ->
          w ->
              Files.setPosixFilePermissions(
                  w.path(below(a)),
                  PosixFilePermissions.fromString(n > 3 ? "rwxrwx---" : "rwxr-xr-x"));
      case 14 -> w -> Files.setAttribute(w.path(below(a)), "lastModifiedTime", World.time(n));
      case 15 -> w -> Files.setAttribute(w.path(below(a)), "bogus:what", n);
      default ->
          w -> {
            final Path temporary = Files.createTempFile(w.path(below(a)), "t", ".tmp");
            Files.delete(temporary);
            return temporary.getParent();
          };
    };
  }

  /** Changes stay below the root; relative names would fall into the process's own directory. */
  private static String below(final String name) {
    return name.startsWith("/") ? name : "/" + name.replace("..", "d");
  }

  private static CopyOption[] copyOptions(final int n) {
    return switch (n) {
      case 0, 1 -> new CopyOption[] {StandardCopyOption.REPLACE_EXISTING};
      case 2 -> new CopyOption[] {StandardCopyOption.ATOMIC_MOVE};
      case 3 -> new CopyOption[] {StandardCopyOption.COPY_ATTRIBUTES};
      case 4 -> new CopyOption[] {LinkOption.NOFOLLOW_LINKS, StandardCopyOption.REPLACE_EXISTING};
      case 5 -> new CopyOption[] {null};
      default -> new CopyOption[0];
    };
  }

  private World.Operation asking(final int which, final String a, final String b, final int n) {
    description = "question " + which;
    final LinkOption[] links =
        n % 2 == 0 ? new LinkOption[0] : new LinkOption[] {LinkOption.NOFOLLOW_LINKS};
    return switch (which) {
      case 0 -> w -> Files.exists(w.path(a), links);
      case 1 -> w -> Files.notExists(w.path(a), links);
      case 2 -> w -> Files.isDirectory(w.path(a), links);
      case 3 -> w -> Files.isRegularFile(w.path(a), links);
      case 4 -> w -> Files.isSymbolicLink(w.path(a));
      case 5 -> w -> Files.size(w.path(below(a))) * (Files.isDirectory(w.path(below(a))) ? 0 : 1);
      case 6 ->
          w -> {
            try (Stream<Path> list = Files.list(w.path(below(a)))) {
              return list.map(Path::toString).sorted().toList();
            }
          };
      case 7 -> w -> w.visited(w.path(below(a)));
      case 8 ->
          w -> {
            try (Stream<Path> walk = Files.walk(w.path(below(a)), n)) {
              return walk.map(Path::toString).sorted().toList();
            }
          };
      case 9 -> w -> streamed(Files.newDirectoryStream(w.path(below(a)), "{a,e,*.log}"));
      case 10 ->
          w ->
              streamed(
                  Files.newDirectoryStream(w.path(below(a)), p -> p.endsWith("a") || refuse(n)));
      case 11 -> w -> Files.readSymbolicLink(w.path(a));
      case 12 -> w -> Files.isSameFile(w.path(a), w.path(b));
      case 13 -> w -> Files.isHidden(w.path(a));
      case 14 -> w -> Files.isReadable(w.path(a)) + " " + Files.isExecutable(w.path(a));
      case 15 -> w -> Files.getPosixFilePermissions(w.path(below(a)), links);
      case 16 -> w -> attribute(w.path(below(a)), ATTRIBUTES[n], links);
      case 17 -> w -> new TreeSet<>(keys(w.path(below(a)), n)).toString();
      case 18 -> w -> Files.readAttributes(w.path(below(a)), BasicFileAttributes.class, links);
      case 19 -> w -> Files.readAttributes(w.path(below(a)), PosixFileAttributes.class, links);
      case 20 -> w -> Files.readAttributes(w.path(below(a)), odd(n));
      case 21 -> w -> view(w.path(below(a)), n);
      case 22 -> w -> Files.mismatch(w.path(below(a)), w.path(below(b)));
      case 23 -> w -> Files.getFileStore(w.path(below(a))).type();
      case 24 ->
          w -> {
            w.root().getFileSystem().provider().checkAccess(w.path(a), AccessMode.values()[n % 3]);
            return "accessible";
          };
      default -> w -> secure(w, a, b, n);
    };
  }

  private static boolean refuse(final int n) throws IOException {
    if (n == 7) {
      throw new IOException("the filter fails");
    }
    return n > 3;
  }

  private static Object streamed(final DirectoryStream<Path> stream) throws IOException {
    final TreeSet<String> names = new TreeSet<>();
    try (stream) {
      for (final Path entry : stream) {
        names.add(entry + " in " + entry.getParent());
      }
      names.add(second(stream));
    }
    return names;
  }

  private static String second(final DirectoryStream<Path> stream) {
    try {
      return "" + stream.iterator();
    } catch (final IllegalStateException e) {
      return e.toString();
    }
  }

  private static Object attribute(final Path path, final String name, final LinkOption... links)
      throws IOException {
    final Object value = Files.getAttribute(path, name, links);
    final boolean varies = name.equals("lastModifiedTime") || name.equals("size");
    return varies && Files.isDirectory(path) || name.equals("lastModifiedTime") ? name : value;
  }

  private static Set<String> keys(final Path path, final int n) throws IOException {
    final Map<String, Object> map =
        Files.readAttributes(path, n == 0 ? "*" : n == 1 ? "unix:*" : ATTRIBUTES[n]);
    return map.keySet();
  }

  private static Object view(final Path path, final int n) throws IOException {
    final FileAttributeView view =
        Files.getFileAttributeView(
            path, VIEWS[n % VIEWS.length].asSubclass(FileAttributeView.class));
    if (view instanceof BasicFileAttributeView basic) {
      return new Object[] {view.name(), basic.readAttributes()};
    }
    return view == null ? null : view.name();
  }

  private static Object secure(final World w, final String a, final String b, final int n)
      throws IOException {
    final List<Object> results = new ArrayList<>();
    final Path name = w.path(b).getFileName();
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(w.path(below(a)))) {
      results.add(stream instanceof SecureDirectoryStream);
      if (stream instanceof SecureDirectoryStream<Path> secure && name != null) {
        results.add(w.outcome(x -> secure.getFileAttributeView(BasicFileAttributeView.class)));
        results.set(1, "view");
        if (n == 0) {
          results.add(w.outcome(x -> deleted(secure, name)));
        } else if (n == 1) {
          results.add(w.outcome(x -> moved(secure, name)));
        } else {
          try (SeekableByteChannel channel =
              secure.newByteChannel(name, Set.of(StandardOpenOption.READ))) {
            results.add(channel.size());
          }
        }
      }
    }
    return results.toArray();
  }

  private static Object deleted(final SecureDirectoryStream<Path> directory, final Path name)
      throws IOException {
    directory.deleteFile(name);
    return "deleted";
  }

  private static Object moved(final SecureDirectoryStream<Path> directory, final Path name)
      throws IOException {
    directory.move(name, directory, name.resolveSibling("b"));
    return "moved";
  }

  private World.Operation channels(final int which, final String a, final String b, final int n) {
    description = "channel " + which;
    final Set<OpenOption> options = new HashSet<>();
    for (final StandardOpenOption option : StandardOpenOption.values()) {
      if (random.nextInt(option == StandardOpenOption.WRITE ? 2 : 5) == 0) {
        options.add(option);
      }
    }
    final OpenOption[] array = options.toArray(new OpenOption[0]);
    Arrays.sort(array, (x, y) -> x.toString().compareTo(y.toString()));
    description += " " + Arrays.toString(array);
    return switch (which) {
      case 0 ->
          w -> {
            try (SeekableByteChannel channel = Files.newByteChannel(w.path(below(a)), options)) {
              return used(channel, n);
            }
          };
      case 1 ->
          w -> {
            try (FileChannel channel = FileChannel.open(w.path(below(a)), options)) {
              return used(channel, n);
            }
          };
      case 2 ->
          w -> {
            try (OutputStream out = Files.newOutputStream(w.path(below(a)), array)) {
              out.write(new byte[n]);
              return n;
            }
          };
      case 3 ->
          w -> {
            try (InputStream in = Files.newInputStream(w.path(below(a)), array)) {
              return in.readAllBytes();
            }
          };
      case 4 ->
          w -> {
            try (Stream<String> lines = Files.lines(w.path(below(a)))) {
              return lines.toList();
            }
          };
      default ->
          w ->
              w.root()
                  .getFileSystem()
                  .provider()
                  .getPath(URI.create("file://" + (n > 6 ? "host" : "") + "/" + n));
    };
  }

  private static Object used(final SeekableByteChannel channel, final int n) throws IOException {
    final List<Object> results = new ArrayList<>();
    try {
      results.add(channel.write(ByteBuffer.wrap(new byte[n])));
    } catch (final RuntimeException e) {
      results.add(e.getClass());
    }
    results.add(channel.size());
    results.add(channel.position());
    try {
      results.add(channel.position(0).read(ByteBuffer.allocate(100)));
    } catch (final RuntimeException e) {
      results.add(e.getClass());
    }
    return results;
  }

  private static Class<? extends BasicFileAttributes> odd(final int n) {
    return n > 3 ? Odd.class : DosFileAttributes.class;
  }

  /** Attributes that no provider has. */
  interface Odd extends BasicFileAttributes {}

  /** A path of the run-time image's file system. */
  static Path foreign() {
    return FileSystems.getFileSystem(URI.create("jrt:/")).getPath("/modules/java.base");
  }
}
