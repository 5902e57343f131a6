// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.channel;

import io.headpond.pmem.Background;
import io.headpond.pmem.RecyclePool;
import io.headpond.pmem.RunAhead;
import io.headpond.pmem.Space;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * A whole file of {@value #FILE_BYTES} bytes filled by appends as fast as they go: growth included,
 * into an empty file or into one out of the recycle pool.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class GrowingAppend {
  static final int FILE_BYTES = 128 << 20;

  @Param("headpond-none")
  public String subject;

  @Param("4096")
  public int appendBytes;

  @Param("/dev/shm")
  public String directory;

  @Param("false")
  public boolean recycled;

  private Path folder;
  private RunAhead runAhead;
  private RecyclePool pool;
  private Path file;
  private Subject kind;
  private Subject.Target target;
  private ByteBuffer source;

  @Setup
  public void start() throws IOException {
    kind = Subject.of(subject);
    folder = Files.createTempDirectory(Path.of(directory), "headpond-bench-");
    runAhead = new RunAhead(new Background((name, failures, cause) -> {}), "bench-run-ahead", 1);
    pool =
        new RecyclePool(
            folder.resolve("pool"),
            2L * FILE_BYTES,
            1,
            new NoSpace(),
            new Background((name, failures, cause) -> {}),
            "bench-recycle");
    source = Source.of(kind, appendBytes);
    file = Subject.zeroFile(folder, recycled ? FILE_BYTES : 0);
  }

  @Setup(Level.Invocation)
  public void open() throws IOException {
    target = kind.open(file, 0, runAhead);
  }

  /** Fills the file. */
  @Benchmark
  public void fill() throws IOException {
    for (long position = 0; position <= FILE_BYTES - appendBytes; position += appendBytes) {
      source.clear();
      target.append(source, position);
    }
  }

  /** Gets the next file ready, outside of the measured time. */
  @TearDown(Level.Invocation)
  public void next() throws IOException {
    target.close();
    if (recycled) {
      if (!pool.offer(file)) {
        throw new IOException(file + ": the recycle pool refuses it");
      }
      while (pool.zeroedBytes() == 0) {
        LockSupport.parkNanos(1_000_000);
      }
      if (pool.take(file, 1, FILE_BYTES).isEmpty()) {
        throw new IOException(file + ": the recycle pool is empty");
      }
    } else {
      Files.delete(file);
      Files.createFile(file);
    }
  }

  @TearDown
  public void stop() throws IOException {
    pool.close();
    runAhead.close();
    Files.delete(file);
    Files.delete(folder.resolve("pool"));
    Files.delete(folder);
  }

  private static final class NoSpace implements Space {
    @Override
    public boolean reserve(long bytes) {
      return true;
    }

    @Override
    public void release(long bytes) {}
  }
}
