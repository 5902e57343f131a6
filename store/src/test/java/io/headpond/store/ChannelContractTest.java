// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import static io.headpond.store.StoreFixture.CREATE;
import static io.headpond.store.StoreFixture.bytes;
import static io.headpond.store.StoreFixture.segment;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.NonReadableChannelException;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each method of a segment's channel takes and refuses the arguments that a plain file's does. */
class ChannelContractTest {
  private static final long[] POSITIONS = {-1, 0, 50, 100, 105};
  private static final long[] COUNTS = {-1, 0, 1};
  private static final Set<OpenOption> READ = Set.of(StandardOpenOption.READ);
  private static final Set<OpenOption> WRITE = Set.of(StandardOpenOption.WRITE);
  private static final List<Set<OpenOption>> MODES =
      List.of(
          READ,
          WRITE,
          Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE),
          Set.of(StandardOpenOption.APPEND));

  private StoreFixture fixture;
  private Path disk;

  @BeforeEach
  void makeDirectories() throws IOException {
    fixture = new StoreFixture();
    disk = Files.createDirectory(fixture.root.resolve("disk"));
  }

  @AfterEach
  void removeDirectories() throws IOException {
    fixture.close();
  }

  private void place(final String kind) {
    switch (kind) {
      case "home" -> fixture.with("headpond.tier.pmem.capacity", "1B");
      case "disk" ->
          fixture
              .with("headpond.tier.pmem.paths", disk.toString())
              .with("headpond.durability", "append");
      default -> fixture.mapped(kind.equals("pmem"));
    }
  }

  /** Opens a channel. */
  private interface Opener {
    FileChannel open(Path file, Set<OpenOption> options) throws IOException;
  }

  /** A file of 100 bytes and another one: two plain ones, or two segments. */
  private record Side(Opener opener, Path file, Path other) {
    Side {
      for (final Path each : List.of(file, other)) {
        try (FileChannel made = opener.open(each, Set.copyOf(CREATE))) {
          made.write(ByteBuffer.wrap(bytes(100, 1)));
        } catch (final IOException e) {
          throw new AssertionError(e);
        }
      }
    }

    /** What a call leads to, and how it leaves the channel. */
    String outcome(final Set<OpenOption> mode, final boolean closed, final Call call)
        throws IOException {
      try (FileChannel channel = opener.open(file, mode);
          FileChannel readable = opener.open(other, READ);
          FileChannel writable = opener.open(other, WRITE)) {
        channel.position(20);
        if (closed) {
          closed(channel);
        }
        String said;
        try {
          said = String.valueOf(call.on(channel, readable, writable));
        } catch (final IOException | RuntimeException e) {
          said = e.getClass().getName();
        }
        return said
            + (channel.isOpen()
                ? " at " + channel.position() + " of " + channel.size()
                : " closed");
      }
    }
  }

  /** A call of one method, with channels on another file that can be read or written alone. */
  private interface Call {
    Object on(FileChannel channel, FileChannel readable, FileChannel writable) throws IOException;
  }

  private static ByteBuffer three() {
    return ByteBuffer.allocate(3);
  }

  private static ReadableByteChannel source() {
    return Channels.newChannel(new ByteArrayInputStream(new byte[2]));
  }

  private static WritableByteChannel sink() {
    return Channels.newChannel(new ByteArrayOutputStream());
  }

  private static Object released(final FileLock lock) throws IOException {
    final String was = lock.position() + " " + lock.size() + " " + lock.isShared();
    lock.release();
    return was + lock.isValid();
  }

  private static Map<String, Call> calls(final FileChannel plainReadable, final FileChannel plain) {
    final Map<String, Call> calls = new LinkedHashMap<>();
    for (final long at : POSITIONS) {
      calls.put("read at " + at, (c, r, w) -> c.read(three(), at));
      calls.put("read nothing at " + at, (c, r, w) -> c.read(ByteBuffer.allocate(0), at));
      calls.put("read null at " + at, (c, r, w) -> c.read(null, at));
      calls.put("read only at " + at, (c, r, w) -> c.read(three().asReadOnlyBuffer(), at));
      calls.put("write at " + at, (c, r, w) -> c.write(three(), at));
      calls.put("write nothing at " + at, (c, r, w) -> c.write(ByteBuffer.allocate(0), at));
      calls.put("write null at " + at, (c, r, w) -> c.write(null, at));
      calls.put("position " + at, (c, r, w) -> c.position(at).position());
      calls.put("truncate " + at, (c, r, w) -> c.truncate(at).position());
      for (final long count : COUNTS) {
        withCounts(calls, at, count, plainReadable, plain);
      }
    }
    calls.put("read", (c, r, w) -> c.read(three()));
    calls.put("read null", (c, r, w) -> c.read((ByteBuffer) null));
    calls.put("read only", (c, r, w) -> c.read(three().asReadOnlyBuffer()));
    calls.put("write", (c, r, w) -> c.write(three()));
    calls.put("write null", (c, r, w) -> c.write((ByteBuffer) null));
    calls.put("map null", (c, r, w) -> c.map(null, 0, 1));
    calls.put(
        "map 2 GiB", (c, r, w) -> c.map(FileChannel.MapMode.READ_ONLY, 0, Integer.MAX_VALUE + 1L));
    calls.put("transfer to null", (c, r, w) -> c.transferTo(0, 1, null));
    calls.put("transfer from null", (c, r, w) -> c.transferFrom(null, 0, 1));
    calls.put("size", (c, r, w) -> c.size());
    calls.put("force", (c, r, w) -> done(() -> c.force(true)));
    for (final ByteBuffer second : Arrays.asList(three(), three().asReadOnlyBuffer(), null)) {
      final ByteBuffer[] two = {three(), second};
      calls.put("scatter " + second, (c, r, w) -> c.read(cleared(two)));
      calls.put("gather " + second, (c, r, w) -> c.write(cleared(two)));
    }
    for (final int[] range : new int[][] {{-1, 1}, {0, -1}, {0, 3}, {2, 1}, {2, 0}}) {
      final String which = range[0] + " " + range[1];
      final ByteBuffer[] two = {three(), three()};
      calls.put("scatter " + which, (c, r, w) -> c.read(cleared(two), range[0], range[1]));
      calls.put("gather " + which, (c, r, w) -> c.write(cleared(two), range[0], range[1]));
    }
    return calls;
  }

  private static void withCounts(
      final Map<String, Call> calls,
      final long at,
      final long count,
      final FileChannel plainReadable,
      final FileChannel plainWritable) {
    final String where = " " + count + " at " + at;
    calls.put("transfer to memory" + where, (c, r, w) -> c.transferTo(at, count, sink()));
    calls.put("transfer to a reader" + where, (c, r, w) -> c.transferTo(at, count, r));
    calls.put("transfer to plain" + where, (c, r, w) -> c.transferTo(at, count, plainReadable));
    calls.put("transfer to closed" + where, (c, r, w) -> c.transferTo(at, count, closed(w)));
    calls.put("transfer from memory" + where, (c, r, w) -> c.transferFrom(source(), at, count));
    calls.put("transfer from a writer" + where, (c, r, w) -> c.transferFrom(w, at, count));
    calls.put("transfer from plain" + where, (c, r, w) -> c.transferFrom(plainWritable, at, count));
    calls.put("transfer from closed" + where, (c, r, w) -> c.transferFrom(closed(r), at, count));
    calls.put(
        "transfer from the end" + where, (c, r, w) -> c.transferFrom(r.position(500), at, count));
    for (final FileChannel.MapMode mode :
        List.of(
            FileChannel.MapMode.READ_ONLY,
            FileChannel.MapMode.READ_WRITE,
            FileChannel.MapMode.PRIVATE)) {
      calls.put("map " + mode + where, (c, r, w) -> c.map(mode, at, count).limit());
    }
    for (final boolean shared : List.of(false, true)) {
      calls.put("lock " + shared + where, (c, r, w) -> released(c.lock(at, count, shared)));
      calls.put("tryLock " + shared + where, (c, r, w) -> released(c.tryLock(at, count, shared)));
    }
  }

  private static FileChannel closed(final FileChannel channel) throws IOException {
    channel.close();
    return channel;
  }

  private static ByteBuffer[] cleared(final ByteBuffer... buffers) {
    for (final ByteBuffer each : buffers) {
      if (each != null) {
        each.clear();
      }
    }
    return buffers;
  }

  /** Something that answers nothing. */
  private interface Act {
    void run() throws IOException;
  }

  private static String done(final Act act) throws IOException {
    act.run();
    return "done";
  }

  @ParameterizedTest
  @ValueSource(strings = {"pmem", "file", "disk", "home"})
  void eachMethodTakesAndRefusesWhatAPlainFilesDoes(final String kind) throws IOException {
    place(kind);
    final TieredStore store = fixture.store();
    final Path partition = fixture.partition("t-0");
    final Side segments = new Side(store::open, segment(partition, 0), segment(partition, 500));
    final Side plain = new Side(FileChannel::open, disk.resolve("a"), disk.resolve("b"));
    final List<String> differences = new ArrayList<>();
    try (FileChannel readable = FileChannel.open(disk.resolve("b"), READ);
        FileChannel writable = FileChannel.open(disk.resolve("b"), WRITE)) {
      for (final var call : calls(readable, writable).entrySet()) {
        for (final Set<OpenOption> mode : MODES) {
          for (final boolean closed : List.of(false, true)) {
            final String expected = plain.outcome(mode, closed, call.getValue());
            final String actual = segments.outcome(mode, closed, call.getValue());
            if (!actual.equals(expected) && !namesAnotherFault(expected, actual)) {
              differences.add(call.getKey() + " " + mode + ": " + expected + " but " + actual);
            }
          }
        }
      }
    }
    assertThat(differences).isEmpty();
  }

  /** Of several faults of one call, newer releases of Java name another one first than 17 does. */
  private static boolean namesAnotherFault(final String expected, final String actual) {
    return Runtime.version().feature() > 17 && refuses(expected) && refuses(actual);
  }

  private static boolean refuses(final String outcome) {
    return Stream.of(
            NullPointerException.class,
            IllegalArgumentException.class,
            ClosedChannelException.class,
            NonReadableChannelException.class,
            NonWritableChannelException.class)
        .anyMatch(each -> outcome.startsWith(each.getName() + " "));
  }

  private static OpenOption direct() throws ReflectiveOperationException {
    return Arrays.stream(Class.forName("com.sun.nio.file.ExtendedOpenOption").getEnumConstants())
        .map(OpenOption.class::cast)
        .filter(option -> option.toString().equals("DIRECT"))
        .findFirst()
        .orElseThrow();
  }

  private static ByteBuffer blocks(final int length, final int block) {
    return ByteBuffer.allocateDirect(length + 2 * block).alignedSlice(block).limit(length);
  }

  @ParameterizedTest
  @ValueSource(strings = {"disk", "home"})
  void aChannelPastThePageCacheKeepsToWholeBlocksAndToTheEnd(final String kind) throws Exception {
    place(kind);
    final Path partition = fixture.partition("t-0");
    final Side segments =
        new Side(fixture.store()::open, segment(partition, 0), segment(partition, 500));
    final Side plain = new Side(FileChannel::open, disk.resolve("a"), disk.resolve("b"));
    final int block = (int) Files.getFileStore(disk).getBlockSize();
    final Set<OpenOption> mode =
        Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, direct());
    final Map<String, Call> calls = new LinkedHashMap<>();
    for (final int length : new int[] {0, 100, block, 2 * block}) {
      for (final long at : new long[] {0, 10, block, 2L * block, 8L * block}) {
        final String where = " " + length + " at " + at;
        calls.put("read" + where, (c, r, w) -> c.read(blocks(length, block), at));
        calls.put("write" + where, (c, r, w) -> c.write(blocks(length, block), at));
      }
    }
    calls.put("unaligned", (c, r, w) -> c.write(blocks(3 * block, block).position(block / 2), 0));
    for (final var call : calls.entrySet()) {
      for (final Side side : List.of(plain, segments)) {
        try (FileChannel end = side.opener.open(side.file, WRITE)) {
          end.truncate(block).write(ByteBuffer.allocate(block + 100), 0);
        }
      }
      assertThat(segments.outcome(mode, false, call.getValue()).replaceFirst(" at .*", ""))
          .as(call.getKey())
          .isEqualTo(plain.outcome(mode, false, call.getValue()).replaceFirst(" at .*", ""));
    }
  }
}
