// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper.ledger;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/** A small file system of its own, for a device that fills. Needs root and the right to mount. */
final class SmallDevice implements AutoCloseable {
  final Path path;

  /**
   * Mounts a tmpfs.
   *
   * @param size as for {@code mount -o size=}
   */
  SmallDevice(final String size) throws IOException {
    this("-t", "tmpfs", "-o", "size=" + size, "headpond");
  }

  /** Mounts an ext4 in a file, which is made. */
  static SmallDevice ext4(final Path file, final String size) throws IOException {
    run("truncate", "-s", size, file.toString());
    run("mkfs.ext4", "-q", "-F", "-m", "0", file.toString());
    return new SmallDevice("-o", "loop", file.toString());
  }

  private SmallDevice(final String... what) throws IOException {
    path = Files.createTempDirectory("headpond-device").toRealPath();
    final List<String> command = new ArrayList<>(List.of("mount"));
    command.addAll(List.of(what));
    command.add(path.toString());
    try {
      run(command.toArray(String[]::new));
    } catch (final IOException e) {
      Files.delete(path);
      throw e;
    }
  }

  /** Fills it up to so many bytes, as another program would. */
  void fill(final long rest) throws IOException {
    final ByteBuffer page = ByteBuffer.allocate(4096);
    try (FileChannel file =
        FileChannel.open(
            path.resolve("filler"), StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      while (Files.getFileStore(path).getUsableSpace() > rest) {
        file.write(page.clear());
      }
    } catch (final IOException e) {
      if (rest > 0) {
        throw e;
      }
    }
  }

  /** Fills it as well, without writing anything. */
  void allocate(final long rest) throws IOException {
    final long bytes = Files.getFileStore(path).getUsableSpace() - rest;
    run("fallocate", "-l", Long.toString(bytes), path.resolve("filler").toString());
  }

  /** Gives back what these took. */
  void empty() throws IOException {
    Files.delete(path.resolve("filler"));
  }

  /** What the kernel does to a file system that it no longer trusts; and back. */
  void readOnly(final boolean only) throws IOException {
    run("mount", "-o", "remount," + (only ? "ro" : "rw"), path.toString());
  }

  /** What an ext4 does after an error of its journal. */
  void abort() throws IOException {
    run("mount", "-o", "remount,abort", path.toString());
  }

  @Override
  public void close() throws IOException {
    run("umount", "-l", path.toString());
    Files.delete(path);
  }

  private static void run(final String... command) throws IOException {
    final Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    final String said = new String(process.getInputStream().readAllBytes());
    try {
      if (process.waitFor() != 0) {
        throw new IOException(String.join(" ", command) + ": " + said);
      }
    } catch (final InterruptedException e) {
      process.destroy();
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }
}
