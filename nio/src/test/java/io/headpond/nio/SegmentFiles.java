// SPDX-License-Identifier: Apache-2.0
package io.headpond.nio;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.CopyOption;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A log directory and a folder beside it, of segments or of plain files, that the same random
 * operations work on. What only one kind of file can do isn't drawn: see the table in the docs.
 */
final class SegmentFiles implements AutoCloseable {
  /** An operation on what was drawn. */
  private interface Operation {
    Object run() throws Exception;
  }

  private static final String[] DIRECTORIES = {"log/t-0", "log/t-1", "log/t-0.0-delete"};
  private static final String[] SEGMENTS = {
    "00000000000000000000.log", "00000000000000000042.log", "00000000000000000042.log.deleted"
  };
  private static final String[] OTHERS = {
    "out/a", "out/b", "out/link", "out/chain", "log/t-0/alias", "log/checkpoint"
  };
  private static final CopyOption[][] COPIES = {
    {}, {StandardCopyOption.REPLACE_EXISTING}, {StandardCopyOption.REPLACE_EXISTING}
  };
  private static final List<Set<OpenOption>> OPENS =
      List.of(
          Set.of(READ),
          Set.of(READ, WRITE),
          Set.of(READ, WRITE, CREATE),
          Set.of(APPEND, CREATE),
          Set.of(WRITE, TRUNCATE_EXISTING),
          Set.of(WRITE, CREATE_NEW));

  private final Path root;
  private final FileChannel[] channels = new FileChannel[3];
  private final List<SecureDirectoryStream<Path>> streams = new ArrayList<>();
  private Random random;
  private String description;

  SegmentFiles(final Path root) throws IOException {
    this.root = root;
    Files.createDirectories(root.resolve("log/t-0"));
    Files.createDirectories(root.resolve("log/t-1"));
    Files.createDirectories(root.resolve("out"));
  }

  /** The names of segments that are there. */
  static List<Path> segments(final Path logDir) {
    final List<Path> found = new ArrayList<>();
    for (final String directory : DIRECTORIES) {
      for (final String segment : SEGMENTS) {
        found.add(logDir.resolveSibling(directory).resolve(segment));
      }
    }
    return found;
  }

  String description() {
    return description;
  }

  /** Draws an operation, and does it. */
  String outcome(final Random drawn) {
    random = drawn;
    try {
      return "" + text(drawn());
    } catch (final FileSystemException e) {
      return (e.getClass().getSimpleName() + " " + e.getFile() + " " + e.getOtherFile())
          .replace(root.toString(), "");
    } catch (final Exception | AssertionError e) {
      return e.getClass().getSimpleName();
    }
  }

  private static Object text(final Object result) {
    return result instanceof byte[] bytes
        ? bytes.length + " " + new String(bytes, StandardCharsets.ISO_8859_1)
        : result;
  }

  private <T> T one(final T[] from) {
    return from[random.nextInt(from.length)];
  }

  private Path segment() {
    return root.resolve(one(DIRECTORIES)).resolve(one(SEGMENTS));
  }

  /** A segment, most likely. */
  private Path any() {
    return random.nextInt(3) == 0 ? root.resolve(one(OTHERS)) : segment();
  }

  private byte[] content() {
    final byte[] content = new byte[random.nextInt(8) == 0 ? 70_000 : random.nextInt(300)];
    random.nextBytes(content);
    for (int i = 0; i < content.length; i++) {
      content[i] |= 1; // a zero that is read was never written
    }
    return content;
  }

  private Object drawn() throws Exception {
    final int kind = random.nextInt(26);
    final Path a = any();
    final Path b = any();
    final boolean interrupted = random.nextInt(8) == 0;
    description = kind + " of " + a + " and " + b + (interrupted ? ", interrupted" : "");
    if (interrupted && kind < 8) {
      Thread.currentThread().interrupt();
    }
    try {
      return operation(kind, a, b).run();
    } finally {
      if (Thread.interrupted() != (interrupted && kind < 8)) {
        throw new IllegalStateException("interrupt");
      }
    }
  }

  private Operation operation(final int kind, final Path a, final Path b) {
    return switch (kind) {
      case 0 -> () -> Files.write(a, content()).getFileName();
      case 1 -> () -> Files.write(a, content(), APPEND).getFileName();
      case 2, 3 -> () -> Files.readAllBytes(a);
      case 4 -> () -> streamed(a);
      case 5 -> () -> copied(a, b);
      case 6 -> () -> Files.mismatch(a, b);
      case 7 -> () -> written(a);
      case 8 -> () -> Files.size(a) + " " + Files.getAttribute(a, "size");
      case 9 -> () -> Files.exists(a) + " " + Files.isRegularFile(a) + Files.isWritable(a);
      case 10 -> () -> Files.isSameFile(a, b) + " " + root.toRealPath().relativize(a.toRealPath());
      case 11 -> () -> timed(a);
      case 12, 13 -> () -> moved(a, b);
      case 14 -> () -> deleted(a);
      case 15 -> this::directoryMoved;
      case 16 -> this::directoryDeleted;
      case 17 -> () -> linked(a, b);
      case 18 -> () -> linkedHard(a);
      case 19 -> this::streamOpened;
      case 20 -> this::streamUsed;
      case 21, 22 -> () -> opened(a);
      case 23, 24 -> this::used;
      default -> this::listed;
    };
  }

  private static Object streamed(final Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      in.skipNBytes(1);
      return in.readAllBytes();
    }
  }

  private Object written(final Path file) throws IOException {
    try (OutputStream out = Files.newOutputStream(file, CREATE, WRITE)) {
      out.write(content());
      out.write(content());
    }
    return "written";
  }

  private static Object timed(final Path file) throws IOException {
    Files.setLastModifiedTime(file, FileTime.fromMillis(1_000_000));
    return Files.getLastModifiedTime(file);
  }

  /** A plain link that replaces itself by a copy is lost. */
  private Object copied(final Path a, final Path b) throws IOException {
    return a.equals(b) && !isSegment(a) ? "lost" : Files.copy(a, b, one(COPIES)).getFileName();
  }

  /** A segment in a tier doesn't leave its log directory by a rename. */
  private Object moved(final Path a, final Path b) throws IOException {
    if (!isSegment(a) || !isSegment(b)) {
      return "refused to segments, or a link of a segment's name";
    }
    final CopyOption[] options =
        random.nextBoolean() ? one(COPIES) : new CopyOption[] {StandardCopyOption.ATOMIC_MOVE};
    return Files.move(a, b, options).getFileName();
  }

  private static boolean isSegment(final Path name) {
    return name.toString().contains(".log");
  }

  private Object deleted(final Path name) throws IOException {
    if (random.nextBoolean()) {
      return Files.deleteIfExists(name);
    }
    Files.delete(name);
    return "deleted";
  }

  private Object directoryMoved() throws IOException {
    final Path to = root.resolve(one(DIRECTORIES));
    return Files.move(root.resolve(one(DIRECTORIES)), to, StandardCopyOption.ATOMIC_MOVE)
        .getFileName();
  }

  private Object directoryDeleted() throws IOException {
    final Path directory = root.resolve(one(DIRECTORIES));
    return Files.deleteIfExists(directory) + "" + Files.createDirectories(directory).getFileName();
  }

  private Object linked(final Path a, final Path b) throws IOException {
    if (isSegment(a) || a.endsWith("checkpoint") || a.equals(b)) {
      return "no link";
    }
    final Path target = a.getParent().relativize(b);
    return Files.createSymbolicLink(a, random.nextBoolean() ? b : target).getFileName();
  }

  /** A hard link to a segment goes on as it was when the segment moves: it doesn't live long. */
  private Object linkedHard(final Path file) throws IOException {
    if (!isSegment(file)) {
      return "perhaps a symbolic link";
    }
    final Path link = Files.createLink(root.resolve("out/hard"), file);
    try {
      if (random.nextBoolean()) {
        Files.delete(file);
        Thread.yield();
      }
      return Files.readAllBytes(link);
    } finally {
      Files.delete(link);
    }
  }

  private Object streamOpened() throws IOException {
    if (streams.size() > 2) {
      streams.remove(0).close();
    }
    streams.add(
        (SecureDirectoryStream<Path>) Files.newDirectoryStream(root.resolve(one(DIRECTORIES))));
    return "opened";
  }

  /** Of a failure the class alone: a segment's has the whole path. */
  private Object streamUsed() throws IOException {
    try {
      return streams.isEmpty() ? "none" : usedStream();
    } catch (final FileSystemException e) {
      return e.getClass();
    }
  }

  private Object usedStream() throws IOException {
    final SecureDirectoryStream<Path> stream = streams.get(random.nextInt(streams.size()));
    final Path name = root.getFileSystem().getPath(one(SEGMENTS));
    switch (random.nextInt(5)) {
      case 0:
        stream.deleteFile(name);
        return "deleted";
      case 1:
        stream.move(name, stream, root.getFileSystem().getPath(one(SEGMENTS)));
        return "moved";
      case 2:
        return stream
            .getFileAttributeView(name, BasicFileAttributeView.class)
            .readAttributes()
            .size();
      case 3:
        try (SeekableByteChannel channel = stream.newByteChannel(name, Set.of(APPEND, CREATE))) {
          return channel.write(ByteBuffer.wrap(content()));
        }
      default:
        try (SeekableByteChannel channel = stream.newByteChannel(name, Set.of(READ))) {
          final ByteBuffer read = ByteBuffer.allocate((int) channel.size());
          channel.read(read);
          return read.array();
        }
    }
  }

  private Object opened(final Path file) throws IOException {
    final int slot = random.nextInt(channels.length);
    if (channels[slot] != null) {
      channels[slot].close();
      channels[slot] = null;
    }
    channels[slot] = FileChannel.open(file, OPENS.get(random.nextInt(OPENS.size())));
    return channels[slot].size();
  }

  /** A channel of a file that may have another name now, or none. */
  private Object used() throws IOException {
    final FileChannel channel = one(channels);
    if (channel == null) {
      return "none";
    }
    final int at = random.nextInt(400);
    switch (random.nextInt(5)) {
      case 0:
        return channel.write(ByteBuffer.wrap(content()));
      case 1:
        return channel.write(ByteBuffer.wrap(content()), at);
      case 2:
        return channel.truncate(at).size();
      case 3:
        final ByteBuffer read = ByteBuffer.allocate(at);
        return channel.read(read, random.nextInt(400)) + " " + text(read.array());
      default:
        channel.force(random.nextBoolean());
        return channel.size() + " " + channel.position();
    }
  }

  private Object listed() throws IOException {
    try (Stream<Path> names = Files.list(root.resolve(one(DIRECTORIES)))) {
      return names.map(Path::getFileName).map(Path::toString).sorted().toList();
    }
  }

  /** Every segment with its content. */
  TreeMap<String, Object> everything() throws IOException {
    final TreeMap<String, Object> found = new TreeMap<>();
    for (final Path name : segments(root.resolve("log"))) {
      if (Files.exists(name)) {
        found.put(root.relativize(name).toString(), text(Files.readAllBytes(name)));
      }
    }
    return found;
  }

  /** Leaves nothing for the next round. */
  @Override
  public void close() throws IOException {
    for (final FileChannel channel : channels) {
      if (channel != null) {
        channel.close();
      }
    }
    for (final SecureDirectoryStream<Path> stream : streams) {
      stream.close();
    }
    for (final String directory : DIRECTORIES) {
      clear(root.resolve(directory));
    }
    clear(root.resolve("out"));
    Files.deleteIfExists(root.resolve("log/checkpoint"));
  }

  private static void clear(final Path folder) throws IOException {
    if (Files.exists(folder)) {
      try (Stream<Path> names = Files.list(folder)) {
        for (final Path name : names.toList()) {
          Files.delete(name);
        }
      }
      Files.delete(folder);
    }
  }
}
