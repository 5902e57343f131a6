// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.measure;

import io.headpond.pmem.Background;
import io.headpond.pmem.Device;
import io.headpond.pmem.MappedFile;
import io.headpond.pmem.MappedFileOptions;
import io.headpond.pmem.PersistBackend;
import io.headpond.pmem.RunAhead;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** A way in which an append to a file becomes durable. */
enum AppendWay {
  /** The file grows by each append: {@code write}, {@code fdatasync}. What engines do. */
  GROWING("growing file, write and fdatasync"),
  /** The file's blocks are there, and nothing was written to them: {@code fallocate} before. */
  ALLOCATED("allocated before, write and fdatasync"),
  /** The file's blocks were written and forced before: the least that a force can cost. */
  WRITTEN("written before, O_DSYNC"),
  /** The append of a file tier with {@code headpond.durability=append}. */
  HEADPOND("Headpond's file tier, durability=append");

  /** As a tier's files have it. */
  private static final int CHUNK_BYTES_MAX = 4 << 20;

  private static final int ZEROS_BYTES = 1 << 20;
  private static final int FALLOCATE_SECONDS_MAX = 30;

  /** The way in words. */
  final String words;

  AppendWay(String words) {
    this.words = words;
  }

  /** An open file, one thread. */
  interface Appender extends AutoCloseable {
    /** Appends, durably. */
    void append(ByteBuffer source, long at) throws IOException;

    @Override
    void close() throws IOException;
  }

  /** As shown in JSON. */
  String key() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** True if it works on that device. */
  boolean worksOn(Device device) {
    return this != HEADPOND || device.writesInPlace();
  }

  /**
   * Prepares a new file.
   *
   * @param bytes as much will be appended
   * @return null if it can't be had here
   */
  Appender open(Path file, Device device, long bytes) throws IOException, InterruptedException {
    return switch (this) {
      case GROWING -> forced(Files.createFile(file));
      case ALLOCATED -> allocate(Files.createFile(file), bytes) ? forced(file) : null;
      case WRITTEN -> written(file, bytes);
      case HEADPOND -> headpond(Files.createFile(file), device);
    };
  }

  private static Appender forced(Path file) throws IOException {
    FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
    return new Appender() {
      @Override
      public void append(ByteBuffer source, long at) throws IOException {
        writeAll(channel, source, at);
        channel.force(false);
      }

      @Override
      public void close() throws IOException {
        channel.close();
      }
    };
  }

  /** Java has no call for it; the program is part of util-linux. */
  private static boolean allocate(Path file, long bytes) throws IOException, InterruptedException {
    try {
      Process process =
          new ProcessBuilder("fallocate", "-l", Long.toString(bytes), file.toString())
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      if (!process.waitFor(FALLOCATE_SECONDS_MAX, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        return false;
      }
      return process.exitValue() == 0;
    } catch (IOException notThere) {
      return false;
    }
  }

  static Appender written(Path file, long bytes) throws IOException {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      ByteBuffer zeros = ByteBuffer.allocateDirect(ZEROS_BYTES);
      for (long at = 0; at < bytes; at += ZEROS_BYTES) {
        writeAll(channel, zeros.clear().limit((int) Math.min(ZEROS_BYTES, bytes - at)), at);
      }
      channel.force(true);
    }
    FileChannel channel =
        FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.DSYNC);
    return new Appender() {
      @Override
      public void append(ByteBuffer source, long at) throws IOException {
        writeAll(channel, source, at);
      }

      @Override
      public void close() throws IOException {
        channel.close();
      }
    };
  }

  private static Appender headpond(Path file, Device device) throws IOException {
    RunAhead runAhead =
        new RunAhead(
            new Background((name, failures, cause) -> {}), "headpond-measure-run-ahead", 1);
    MappedFile opened =
        MappedFile.open(
            file,
            0,
            MappedFileOptions.of(device, PersistBackend.DSYNC, new Unlimited(), runAhead)
                .maxChunkBytes(CHUNK_BYTES_MAX));
    return new Appender() {
      @Override
      public void append(ByteBuffer source, long at) throws IOException {
        opened.write(source, at);
      }

      @Override
      public void close() throws IOException {
        try (runAhead) {
          opened.close();
        }
      }
    };
  }

  /** Bytes to append that don't compress. */
  static ByteBuffer source(int bytes) {
    byte[] random = new byte[bytes];
    new Random(bytes).nextBytes(random);
    return ByteBuffer.allocateDirect(bytes).put(random).flip();
  }

  static void writeAll(FileChannel channel, ByteBuffer source, long at) throws IOException {
    long next = at;
    while (source.hasRemaining()) {
      next += channel.write(source, next);
    }
  }
}
