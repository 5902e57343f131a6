// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.channel;

import io.headpond.pmem.Background;
import io.headpond.pmem.RunAhead;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
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
 * into an empty file or into one of zeros, as the pool prepares them.
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
  public boolean prepared;

  private Path folder;
  private RunAhead runAhead;
  private Path file;
  private Subject kind;
  private Subject.Target target;
  private ByteBuffer source;

  @Setup
  public void start() throws IOException {
    kind = Subject.of(subject);
    folder = Files.createTempDirectory(Path.of(directory), "headpond-bench-");
    runAhead = new RunAhead(new Background((name, failures, cause) -> {}), "bench-run-ahead", 1);
    source = Source.of(kind, appendBytes);
    file = Subject.zeroFile(folder, prepared ? FILE_BYTES : 0);
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
    Files.delete(file);
    file = Subject.zeroFile(folder, prepared ? FILE_BYTES : 0);
  }

  @TearDown
  public void stop() throws IOException {
    runAhead.close();
    Files.delete(file);
    Files.delete(folder);
  }
}
