// SPDX-License-Identifier: Apache-2.0
package io.headpond.nio;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardCopyOption.COPY_ATTRIBUTES;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.spi.FileSystemProvider;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * What the provider says of arguments and names, for segments and for plain files. But for a rename
 * out of the log directories, which is refused to a segment.
 */
class ArgumentsTest extends RoutedLogDir {
  /** A call that most likely fails. */
  private interface Call {
    Object on(Path file, Path other) throws Exception;
  }

  /** An option that no provider knows. */
  private enum Unknown implements OpenOption, CopyOption {
    OPTION
  }

  private record Attribute(String name, Object value) implements FileAttribute<Object> {}

  private static final Path MEMORY = Path.of("/dev/shm");
  private static final FileAttribute<?> UNKNOWN = new Attribute("bogus:x", 1);
  private static final FileAttribute<?> WRONG = new Attribute("posix:permissions", Set.of("rw"));
  private static final FileAttribute<?> MODE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  private static final List<List<OpenOption>> OPTIONS =
      List.of(
          List.of(Unknown.OPTION),
          List.of(WRITE, CREATE, Unknown.OPTION),
          Arrays.asList(WRITE, null),
          List.of(READ, APPEND),
          List.of(APPEND, TRUNCATE_EXISTING),
          List.of(READ, CREATE),
          List.of(READ, CREATE_NEW, TRUNCATE_EXISTING),
          List.of(WRITE, CREATE_NEW),
          List.of(WRITE, CREATE, TRUNCATE_EXISTING),
          List.of(WRITE),
          List.of(APPEND),
          List.of());

  private static final List<List<CopyOption>> COPIES =
      List.of(
          List.of(Unknown.OPTION),
          Arrays.asList(REPLACE_EXISTING, null),
          List.of(ATOMIC_MOVE),
          List.of(COPY_ATTRIBUTES),
          List.of(COPY_ATTRIBUTES, NOFOLLOW_LINKS),
          List.of(REPLACE_EXISTING),
          List.of());

  private static Map<String, Call> calls() {
    final Map<String, Call> calls = new LinkedHashMap<>();
    for (final List<OpenOption> list : OPTIONS) {
      final Set<OpenOption> set = new HashSet<>(list);
      final OpenOption[] array = list.toArray(new OpenOption[0]);
      calls.put("byte channel " + list, (f, o) -> closed(p(f).newByteChannel(f, set)));
      calls.put("file channel " + list, (f, o) -> closed(p(f).newFileChannel(f, set)));
      calls.put("input " + list, (f, o) -> closed(Files.newInputStream(f, array)));
      calls.put("output " + list, (f, o) -> closed(Files.newOutputStream(f, array)));
      for (final FileAttribute<?> attribute : Arrays.asList(UNKNOWN, WRONG, MODE, null)) {
        calls.put(
            "channel " + list + attribute, (f, o) -> closed(FileChannel.open(f, set, attribute)));
      }
    }
    for (final List<CopyOption> list : COPIES) {
      final CopyOption[] array = list.toArray(new CopyOption[0]);
      calls.put("copy " + list, (f, o) -> Files.copy(f, o, array) == o);
      calls.put("move " + list, (f, o) -> Files.move(f, o, array) == o);
      calls.put("copy to itself " + list, (f, o) -> Files.copy(f, f, array) == f);
      calls.put("move to itself " + list, (f, o) -> Files.move(f, f, array) == f);
      calls.put("copy from memory " + list, (f, o) -> Files.copy(memory(f), f, array) == f);
      calls.put("move from memory " + list, (f, o) -> Files.move(memory(f), f, array) == f);
      if (!list.isEmpty() && !list.equals(List.of(REPLACE_EXISTING))) {
        calls.put("move to memory " + list, (f, o) -> Files.move(f, absent(f), array) != f);
      }
      if (!list.contains(ATOMIC_MOVE)) {
        calls.put("move to none " + list, (f, o) -> Files.move(f, f.resolve("x"), array) == f);
      }
      calls.put("copy to none " + list, (f, o) -> Files.copy(f, f.resolve("x"), array) == f);
    }
    calls.put("channel of null", (f, o) -> p(f).newByteChannel(null, Set.of()));
    calls.put("channel without a set", (f, o) -> p(f).newByteChannel(f, null));
    calls.put("input of null", (f, o) -> p(f).newInputStream(null));
    calls.put("output of null", (f, o) -> p(f).newOutputStream(null));
    calls.put("input without options", (f, o) -> p(f).newInputStream(f, (OpenOption[]) null));
    calls.put("copy of null", (f, o) -> Files.copy((Path) null, f));
    calls.put("copy to null", (f, o) -> Files.copy(f, (Path) null));
    calls.put("delete", (f, o) -> done(() -> Files.delete(f)));
    calls.put("deleteIfExists", (f, o) -> Files.deleteIfExists(f));
    calls.put("createFile", (f, o) -> Files.createFile(f) == f);
    calls.put("createDirectory", (f, o) -> Files.createDirectory(f) == f);
    calls.put("createDirectory as", (f, o) -> Files.createDirectory(f.resolve("x"), UNKNOWN));
    calls.put("createLink", (f, o) -> Files.createLink(f, o) == f);
    calls.put("createLink to null", (f, o) -> Files.createLink(o, null));
    calls.put("createSymbolicLink", (f, o) -> Files.createSymbolicLink(f, o, UNKNOWN));
    calls.put("checkAccess", (f, o) -> done(() -> p(f).checkAccess(f, AccessMode.READ)));
    calls.put("checkAccess null", (f, o) -> done(() -> p(f).checkAccess(f, (AccessMode) null)));
    calls.put("directory stream", (f, o) -> closed(Files.newDirectoryStream(f)));
    calls.put("directory stream of null", (f, o) -> p(f).newDirectoryStream(f, null));
    calls.put("size", (f, o) -> Files.size(f));
    calls.put("isSameFile", (f, o) -> Files.isSameFile(f, o));
    calls.put("isSameFile null", (f, o) -> p(f).isSameFile(f, null));
    calls.put("getFileStore", (f, o) -> Files.getFileStore(f).type().isEmpty());
    calls.put("isHidden", (f, o) -> Files.isHidden(f));
    calls.put("attributes of null", (f, o) -> Files.readAttributes(null, "*"));
    calls.put("attributes null", (f, o) -> Files.readAttributes(f, (String) null));
    calls.put("attributes of no type", (f, o) -> type(f, null));
    calls.put("attributes odd", (f, o) -> type(f, RandomOperations.Odd.class));
    for (final String name : List.of("", "bogus", "size,bogus", "bogus:*", "posix:", "a:b:c")) {
      calls.put("attributes " + name, (f, o) -> Files.readAttributes(f, name).size());
      calls.put("set " + name, (f, o) -> Files.setAttribute(f, name, 1) == f);
    }
    calls.put("set size", (f, o) -> Files.setAttribute(f, "size", 1L));
    calls.put("set a time to text", (f, o) -> Files.setAttribute(f, "lastModifiedTime", "x"));
    calls.put("set a time to null", (f, o) -> Files.setLastModifiedTime(f, null));
    calls.put("set null", (f, o) -> Files.setAttribute(f, null, 1));
    calls.put("no view", (f, o) -> Files.getFileAttributeView(f, null));
    calls.put("odd view", (f, o) -> Files.getFileAttributeView(f, FileAttributeView.class));
    calls.put("times", (f, o) -> done(() -> view(f).setTimes(null, null, null)));
    calls.put("a time", (f, o) -> done(() -> view(f).setTimes(FileTime.fromMillis(1), null, null)));
    calls.put("view", (f, o) -> view(f).readAttributes().size());
    return calls;
  }

  private interface Change {
    void make() throws IOException;
  }

  private static String done(final Change change) throws IOException {
    change.make();
    return "done";
  }

  private static String closed(final AutoCloseable open) throws Exception {
    open.close();
    return "opened";
  }

  private static FileSystemProvider p(final Path file) {
    return file.getFileSystem().provider();
  }

  private static Object type(final Path file, final Class<? extends BasicFileAttributes> type)
      throws IOException {
    return Files.readAttributes(file, type).size();
  }

  private static BasicFileAttributeView view(final Path file) {
    return Files.getFileAttributeView(file, BasicFileAttributeView.class);
  }

  /** A file of another file system. */
  private static Path memory(final Path file) throws IOException {
    final Path made = file.getFileSystem().getPath(MEMORY.toString(), "headpond-arguments");
    return Files.writeString(made, "memory");
  }

  private static Path absent(final Path file) throws IOException {
    final Path made = memory(file);
    Files.delete(made);
    return made;
  }

  private static Map<String, String> outcomes(
      final Path folder, final String name, final String other, final boolean present)
      throws IOException {
    final Map<String, String> outcomes = new TreeMap<>();
    for (final Map.Entry<String, Call> call : calls().entrySet()) {
      final Path file = folder.resolve(name);
      Files.deleteIfExists(file);
      Files.writeString(folder.resolve(other), "other");
      if (present) {
        Files.writeString(file, "records");
      }
      outcomes.put(call.getKey(), outcome(folder, call.getValue(), file, folder.resolve(other)));
    }
    Files.deleteIfExists(MEMORY.resolve("headpond-arguments"));
    return outcomes;
  }

  private static String outcome(
      final Path folder, final Call call, final Path file, final Path other) {
    try {
      return "" + call.on(file, other);
    } catch (final FileSystemException e) {
      return (e.getClass().getSimpleName() + " " + e.getFile() + " " + e.getOtherFile())
          .replace(folder.toString(), "");
    } catch (final Exception e) {
      return e.getClass().getSimpleName();
    }
  }

  private void assertSame(final String name, final String other, final boolean present)
      throws IOException {
    claim();
    final Path plain = Files.createDirectory(folder.resolve("plain"));
    assertThat(outcomes(partition, name, other, present))
        .isEqualTo(outcomes(plain, name, other, present));
  }

  @Test
  void aSegmentsArgumentsAreCheckedAsAPlainFiles() throws IOException {
    assertSame(FIRST, SECOND, true);
  }

  @Test
  void aMissingSegmentsArgumentsAreCheckedAsAPlainFiles() throws IOException {
    assertSame(FIRST, SECOND, false);
  }

  @Test
  void anotherFilesArgumentsAreCheckedAsAPlainFiles() throws IOException {
    assertSame("checkpoint", "other", true);
  }

  @Test
  void aMissingFilesArgumentsAreCheckedAsAPlainFiles() throws IOException {
    assertSame("checkpoint", FIRST, false);
  }
}
