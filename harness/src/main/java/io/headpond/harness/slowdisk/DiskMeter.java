// SPDX-License-Identifier: Apache-2.0
package io.headpond.harness.slowdisk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/** Measures a limited disk by two files on it, whose blocks are written before. */
final class DiskMeter {

  private static final int FILE_BYTES = 32 << 20;
  private static final int LARGE_BYTES_MAX = 1 << 20;
  private static final int FORCED_BYTES_MAX = 4 << 20;
  private static final int SECTOR_BYTES = 512;

  /** Threads that keep a device busy with small operations. */
  private static final int SMALL_THREADS = 8;

  /** Threads for large operations: one alone would wait too often. */
  private static final int LARGE_THREADS = 4;

  private static final long LARGE_THREADS_FROM = 100_000_000;

  /** A limit lets a device that was idle begin with a burst. */
  private static final Duration WARM_UP = Duration.ofMillis(400);

  private static final long POLL_MILLIS = 10;

  private final Path direct;
  private final Path cached;
  private final Path counters;
  private final DiskLimit limit;
  private final BooleanSupplier ended;

  /** A read or a write of a block at a position. */
  private interface Operation {
    int run(FileChannel channel, ByteBuffer block, long position) throws IOException;
  }

  /**
   * A measurement that isn't made yet.
   *
   * @param folder on the disk
   * @param counters the kernel's file of the device's operations
   * @param ended true as soon as a measurement shall end with an error
   */
  DiskMeter(Path folder, Path counters, DiskLimit limit, BooleanSupplier ended) {
    this.direct = folder.resolve("measured-direct");
    this.cached = folder.resolve("measured-forced");
    this.counters = counters;
    this.limit = limit;
    this.ended = ended;
  }

  /** Writes the files, so that a measurement allocates nothing and reads what is there. */
  void prepare() throws IOException {
    ByteBuffer block = ByteBuffer.allocateDirect(LARGE_BYTES_MAX);
    for (Path file : List.of(direct, cached)) {
      try (FileChannel channel =
          FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
        for (long at = 0; at < FILE_BYTES; at += LARGE_BYTES_MAX) {
          channel.write(block.clear(), at);
        }
        channel.force(true);
      }
    }
  }

  /**
   * Measures.
   *
   * @param each length of each of the five measurements
   */
  DiskSpeed measure(Duration each) throws IOException, InterruptedException {
    return new DiskSpeed(
        large(FileChannel::write, true, each),
        large(FileChannel::read, false, each),
        forcedBytesPerSecond(each),
        small(FileChannel::write, each),
        small(FileChannel::read, each));
  }

  /** Large enough that the bandwidth limits it, not the number of operations, where that can be. */
  private int largeBytes() {
    if (limit.bytesPerSecond() == 0) {
      return LARGE_BYTES_MAX;
    }
    double wanted = limit.bytesPerSecond() / 64.0;
    if (limit.operationsPerSecond() != 0) {
      wanted = Math.max(wanted, 1.25 * limit.bytesPerSecond() / limit.operationsPerSecond());
    }
    int bytes = DiskSpeed.SMALL_BYTES;
    while (bytes < wanted && bytes < LARGE_BYTES_MAX) {
      bytes *= 2;
    }
    return bytes;
  }

  private DiskSpeed.Stream large(Operation operation, boolean writes, Duration each)
      throws IOException, InterruptedException {
    int bytes = largeBytes();
    int blocks = FILE_BYTES / bytes;
    AtomicLong next = new AtomicLong();
    boolean one = limit.bytesPerSecond() != 0 && limit.bytesPerSecond() < LARGE_THREADS_FROM;
    Counters before = counters(writes);
    double perSecond =
        perSecond(
            one ? 1 : LARGE_THREADS, bytes, operation, () -> next.getAndIncrement() % blocks, each);
    Counters after = counters(writes);
    return new DiskSpeed.Stream(perSecond * bytes, after.operationBytesSince(before, bytes));
  }

  private double small(Operation operation, Duration each)
      throws IOException, InterruptedException {
    int blocks = FILE_BYTES / DiskSpeed.SMALL_BYTES;
    return perSecond(
        SMALL_THREADS,
        DiskSpeed.SMALL_BYTES,
        operation,
        () -> ThreadLocalRandom.current().nextInt(blocks),
        each);
  }

  private double perSecond(
      int threads, int bytes, Operation operation, LongSupplier nextBlock, Duration each)
      throws IOException, InterruptedException {
    try (Workers workers = new Workers()) {
      for (int i = 0; i < threads; i++) {
        workers.start(bytes, operation, nextBlock);
      }
      pause(WARM_UP);
      long begun = System.nanoTime();
      long before = workers.done();
      pause(each);
      long done = workers.done() - before;
      return done * 1e9 / (System.nanoTime() - begun);
    }
  }

  private void pause(Duration time) throws InterruptedException {
    long deadline = System.nanoTime() + time.toNanos();
    while (System.nanoTime() - deadline < 0) {
      requireGoingOn();
      Thread.sleep(POLL_MILLIS);
    }
  }

  private void requireGoingOn() throws InterruptedException {
    if (ended.getAsBoolean()) {
      throw new InterruptedException("the limited home is taken down");
    }
  }

  /** Threads that do operations until this is closed. */
  private final class Workers implements AutoCloseable {

    private final List<Thread> threads = new ArrayList<>();
    private final AtomicLong done = new AtomicLong();
    private volatile boolean stopped;
    private volatile IOException failure;

    void start(int bytes, Operation operation, LongSupplier nextBlock) {
      Thread thread = new Thread(() -> work(bytes, operation, nextBlock), "headpond-disk-meter");
      thread.setDaemon(true);
      thread.start();
      threads.add(thread);
    }

    private void work(int bytes, Operation operation, LongSupplier nextBlock) {
      ByteBuffer block =
          ByteBuffer.allocateDirect(bytes + DiskSpeed.SMALL_BYTES)
              .alignedSlice(DiskSpeed.SMALL_BYTES)
              .slice(0, bytes);
      try (FileChannel channel = openDirect()) {
        while (!stopped) {
          operation.run(channel, block.clear(), nextBlock.getAsLong() * bytes);
          done.incrementAndGet();
        }
      } catch (IOException e) {
        failure = e;
      }
    }

    long done() throws IOException {
      if (failure != null) {
        throw new IOException(direct + " can't be measured by direct I/O: " + failure, failure);
      }
      return done.get();
    }

    @Override
    public void close() {
      stopped = true;
      boolean interrupted = false;
      for (Thread thread : threads) {
        interrupted |= joined(thread);
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }

    /** Waits for the end of its last operation; true if this thread was interrupted meanwhile. */
    private static boolean joined(Thread thread) {
      boolean interrupted = false;
      while (true) {
        try {
          thread.join();
          return interrupted;
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    }
  }

  /**
   * The option is public, but compilers warn of its package, and a small runtime may lack its
   * module: so it is taken by name.
   */
  private FileChannel openDirect() throws IOException {
    try {
      for (Object option :
          Class.forName("com.sun.nio.file.ExtendedOpenOption").getEnumConstants()) {
        if (option.toString().equals("DIRECT")) {
          return FileChannel.open(
              direct, StandardOpenOption.READ, StandardOpenOption.WRITE, (OpenOption) option);
        }
      }
    } catch (ClassNotFoundException none) {
      throw new IOException("this Java has no direct I/O; take one with jdk.unsupported", none);
    }
    throw new IOException("this Java has no direct I/O; take another");
  }

  /** The rate of an engine's forced writes, limited by the page cache's write-back too. */
  private double forcedBytesPerSecond(Duration each) throws IOException, InterruptedException {
    long wanted = limit.bytesPerSecond() == 0 ? FORCED_BYTES_MAX : limit.bytesPerSecond() / 16;
    ByteBuffer block =
        ByteBuffer.allocateDirect(
            (int) Math.min(FORCED_BYTES_MAX, Math.max(wanted, DiskSpeed.SMALL_BYTES)));
    try (FileChannel channel = FileChannel.open(cached, StandardOpenOption.WRITE)) {
      long begun = 0;
      long bytes = 0;
      long warm = System.nanoTime() + WARM_UP.toNanos();
      for (long at = 0; begun == 0 || System.nanoTime() - begun < each.toNanos(); ) {
        requireGoingOn();
        channel.write(block.clear(), at);
        channel.force(false);
        at = at + 2L * block.capacity() > FILE_BYTES ? 0 : at + block.capacity();
        if (begun != 0) {
          bytes += block.capacity();
        } else if (System.nanoTime() - warm > 0) {
          begun = System.nanoTime();
        }
      }
      return bytes * 1e9 / (System.nanoTime() - begun);
    }
  }

  /** The kernel's counters of a device's reads or writes. */
  private record Counters(long operations, long sectors) {

    double operationBytesSince(Counters before, int otherwise) {
      return operations == before.operations
          ? otherwise
          : (double) SECTOR_BYTES * (sectors - before.sectors) / (operations - before.operations);
    }
  }

  /** Fields of /sys/block/NAME/stat: operations, merged ones, sectors; of reads, then of writes. */
  private Counters counters(boolean writes) throws IOException {
    String[] fields = SystemFiles.text(counters).split("\\s+");
    int first = writes ? 4 : 0;
    return new Counters(Long.parseLong(fields[first]), Long.parseLong(fields[first + 2]));
  }
}
