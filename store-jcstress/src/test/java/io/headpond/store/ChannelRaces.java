// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import static io.headpond.store.StressedSegment.BYTES;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import java.util.Arrays;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;
import org.openjdk.jcstress.infra.results.L_Result;

/**
 * Two threads on one segment: an operation of the engine, and a move, a seal, a truncation or
 * another operation of the engine. Each sees exactly what was written.
 *
 * <p>{@code null} stands for nothing wrong, so that an outcome names what was. A segment costs a
 * thousand times what an operation on it costs: the threads meet before they begin, and the shorter
 * work is done again and again until the longer one is over.
 */
public final class ChannelRaces {
  private static final int APPEND_BYTES = 64;
  private static final int APPENDS_MAX = 300;
  private static final int LOOKS_MAX = 1_000;
  private static final int TIMES = 6;

  private ChannelRaces() {}

  /** A look at the segment; what is wrong, or null. */
  private interface Look {
    String at(StressedSegment segment) throws IOException;
  }

  /** Looks until the other thread is done. */
  private static String looks(final StressedSegment segment, final Look look) {
    segment.meet();
    String wrong = null;
    try {
      for (int i = 0; wrong == null && (i == 0 || !segment.over()) && i < LOOKS_MAX; i++) {
        wrong = look.at(segment);
      }
      return wrong;
    } catch (final IOException e) {
      return e.getClass().getSimpleName();
    }
  }

  private static String read(final StressedSegment segment) throws IOException {
    final long size = segment.channel.size();
    final byte[] found = segment.read();
    return found.length < size ? "less than size()" : StressedSegment.wrong(found, BYTES);
  }

  /** As sendfile does. */
  private static String transfer(final StressedSegment segment) throws IOException {
    final ByteArrayOutputStream found = new ByteArrayOutputStream();
    final WritableByteChannel target = Channels.newChannel(found);
    while (segment.channel.transferTo(found.size(), 4 * BYTES, target) > 0) {}
    return StressedSegment.wrong(found.toByteArray(), BYTES);
  }

  private static String appends(final StressedSegment segment, final int least) {
    segment.meet();
    for (int i = 0; (i < least || !segment.over()) && i < APPENDS_MAX; i++) {
      segment.append(APPEND_BYTES);
      if (segment.size() != segment.bytes()) {
        return "the writer's own size is wrong";
      }
    }
    return null;
  }

  private static void moves(final StressedSegment segment) {
    segment.meet();
    segment.move();
    segment.move();
    segment.done();
  }

  @State
  @JCStressTest
  @Outcome(id = "null, null", expect = ACCEPTABLE, desc = "All that was appended is there.")
  @Outcome(expect = FORBIDDEN, desc = "Something is missing or wrong.")
  public static class AppendAndMove {
    private final StressedSegment segment = new StressedSegment();

    @Actor
    public void engine(final LL_Result result) {
      result.r1 = appends(segment, 1);
    }

    @Actor
    public void migration() {
      moves(segment);
    }

    @Arbiter
    public void end(final LL_Result result) {
      result.r2 = segment.end();
    }
  }

  @State
  @JCStressTest
  @Outcome(id = "null, null", expect = ACCEPTABLE, desc = "Read as written.")
  @Outcome(expect = FORBIDDEN, desc = "A read failed, or saw something else.")
  public static class ReadAndMove {
    private final StressedSegment segment = new StressedSegment();

    @Actor
    public void consumer(final LL_Result result) {
      result.r1 = looks(segment, ChannelRaces::read);
    }

    @Actor
    public void migration() {
      moves(segment);
    }

    @Arbiter
    public void end(final LL_Result result) {
      result.r2 = segment.end();
    }
  }

  @State
  @JCStressTest
  @Outcome(id = "null, null", expect = ACCEPTABLE, desc = "Sent as written.")
  @Outcome(expect = FORBIDDEN, desc = "A transfer failed, or sent something else.")
  public static class TransferAndMove {
    private final StressedSegment segment = new StressedSegment();

    @Actor
    public void consumer(final LL_Result result) {
      result.r1 = looks(segment, ChannelRaces::transfer);
    }

    @Actor
    public void migration() {
      moves(segment);
    }

    @Arbiter
    public void end(final LL_Result result) {
      result.r2 = segment.end();
    }
  }

  @State
  @JCStressTest
  @Outcome(id = "null, null", expect = ACCEPTABLE, desc = "What was cut is cut, wherever it lies.")
  @Outcome(expect = FORBIDDEN, desc = "What was cut came back, or more went than was cut.")
  public static class TruncateAndMove {
    private static final int CUT_BYTES = 1_000;
    private final StressedSegment segment = new StressedSegment();

    @Actor
    public void engine(final LL_Result result) {
      segment.meet();
      for (int i = 0; result.r1 == null && i < TIMES; i++) {
        segment.truncate(CUT_BYTES);
        result.r1 = segment.size() == CUT_BYTES ? null : "the size after a truncation";
        segment.append(APPEND_BYTES);
      }
    }

    @Actor
    public void migration() {
      moves(segment);
    }

    @Arbiter
    public void end(final LL_Result result) {
      result.r2 = segment.end();
    }
  }

  @State
  @JCStressTest
  @Outcome(id = "null", expect = ACCEPTABLE, desc = "Everything is there when it is opened again.")
  @Outcome(expect = FORBIDDEN, desc = "Something is missing or wrong.")
  public static class CloseAndMove {
    private final StressedSegment segment = new StressedSegment();

    @Actor
    public void engine() {
      segment.meet();
      segment.pause();
      segment.close();
    }

    @Actor
    public void migration() {
      moves(segment);
    }

    @Arbiter
    public void end(final L_Result result) {
      result.r1 = segment.end();
    }
  }

  @State
  @JCStressTest
  @Outcome(id = "null", expect = ACCEPTABLE, desc = "The file has its last name, and all bytes.")
  @Outcome(expect = FORBIDDEN, desc = "A name leads to the wrong file, or to none.")
  public static class RenameAndMove {
    private final StressedSegment segment = new StressedSegment();

    @Actor
    public void engine() {
      segment.meet();
      segment.pause();
      segment.rename(".deleted");
    }

    @Actor
    public void migration() {
      moves(segment);
    }

    @Arbiter
    public void end(final L_Result result) {
      result.r1 = segment.end();
    }
  }

  @State
  @JCStressTest
  @Outcome(id = "null, null", expect = ACCEPTABLE, desc = "size() is never ahead of the bytes.")
  @Outcome(expect = FORBIDDEN, desc = "A reader saw less than size() said, or other bytes.")
  public static class ReadAndAppend {
    private final StressedSegment segment = new StressedSegment();

    @Actor
    public void engine(final LL_Result result) {
      result.r2 = appends(segment, APPENDS_MAX);
      segment.done();
    }

    @Actor
    public void consumer(final LL_Result result) {
      result.r1 = looks(segment, ChannelRaces::read);
    }

    @Arbiter
    public void end(final LL_Result result) {
      result.r2 = result.r2 != null ? result.r2 : segment.end();
    }
  }

  @State
  @JCStressTest
  @Outcome(id = "null, null", expect = ACCEPTABLE, desc = "Never what nobody wrote.")
  @Outcome(expect = FORBIDDEN, desc = "A reader saw zeros, or the end is wrong.")
  public static class ReadAndTruncate {
    private static final int CUT_BYTES = 1_000;

    /** A read of it takes about as long as a truncation. */
    private static final int LARGE_BYTES = 512 << 10;

    private final StressedSegment segment = new StressedSegment(LARGE_BYTES);

    @Actor
    public void engine() {
      segment.meet();
      for (int i = 0; i < TIMES; i++) {
        segment.truncate(CUT_BYTES);
        segment.append(LARGE_BYTES - CUT_BYTES);
      }
      segment.done();
    }

    @Actor
    public void consumer(final LL_Result result) {
      result.r1 = looks(segment, ReadAndTruncate::once);
    }

    private static String once(final StressedSegment segment) throws IOException {
      final ByteBuffer found = ByteBuffer.allocate(2 * LARGE_BYTES);
      segment.channel.read(found, 0);
      return StressedSegment.wrong(Arrays.copyOf(found.array(), found.position()), CUT_BYTES);
    }

    @Arbiter
    public void end(final LL_Result result) {
      result.r2 = segment.end();
    }
  }

  @State
  @JCStressTest
  @Outcome(id = "null, null", expect = ACCEPTABLE, desc = "All that was appended is there.")
  @Outcome(expect = FORBIDDEN, desc = "Something is missing or wrong.")
  public static class AppendAndSeal {
    private final StressedSegment segment = new StressedSegment();

    @Actor
    public void engine(final LL_Result result) {
      result.r1 = appends(segment, APPENDS_MAX);
      segment.done();
    }

    @Actor
    public void clock() {
      segment.meet();
      for (int i = 0; !segment.over() && i < LOOKS_MAX; i++) {
        segment.seal();
      }
    }

    @Arbiter
    public void end(final LL_Result result) {
      result.r2 = segment.end();
    }
  }

  @State
  @JCStressTest
  @Outcome(id = "null, null", expect = ACCEPTABLE, desc = "Read as written.")
  @Outcome(
      id = {"ClosedChannelException, null", "AsynchronousCloseException, null"},
      expect = ACCEPTABLE,
      desc = "Closed under the reader, who is told.")
  @Outcome(expect = FORBIDDEN, desc = "A reader saw something else, or the bytes are gone.")
  public static class ReadAndClose {
    private final StressedSegment segment = new StressedSegment();

    @Actor
    public void consumer(final LL_Result result) {
      result.r1 = looks(segment, ChannelRaces::read);
    }

    @Actor
    public void engine() {
      segment.meet();
      segment.pause();
      segment.close();
      segment.done();
    }

    @Arbiter
    public void end(final LL_Result result) {
      result.r2 = segment.end();
    }
  }
}
