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
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * One append into a region that exists already, mapped and faulted in where that applies: the cost
 * of the append itself. The position goes round in a region larger than the CPU's caches.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class PregrownAppend {
  /** Larger than the last-level cache's share of a core on most machines. */
  static final int REGION_BYTES = 64 << 20;

  @Param("headpond-none")
  public String subject;

  @Param("4096")
  public int appendBytes;

  @Param("/dev/shm")
  public String directory;

  private RunAhead runAhead;
  private Path file;
  private Subject.Target target;
  private ByteBuffer source;
  private long position;

  @Setup
  public void open() throws IOException {
    Subject kind = Subject.of(subject);
    file = Subject.zeroFile(Path.of(directory), REGION_BYTES);
    runAhead = new RunAhead(new Background((name, failures, cause) -> {}), "bench-run-ahead", 1);
    target = kind.open(file, REGION_BYTES, runAhead);
    source = Source.of(kind, appendBytes);
  }

  @TearDown
  public void close() throws IOException {
    target.close();
    runAhead.close();
    Files.delete(file);
  }

  /** One append. */
  @Benchmark
  public void append() throws IOException {
    source.clear();
    target.append(source, position);
    position += appendBytes;
    if (position > REGION_BYTES - appendBytes) {
      position = 0;
    }
  }
}
