// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut;

import io.headpond.cli.console.CommandFailure;
import io.headpond.cli.console.Units;
import io.headpond.harness.process.FolderRemoval;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The folder and the processes of one command that starts guests. Both are gone when it is closed,
 * or when the JVM is ended by Ctrl-C; the folder stays if it is kept.
 */
final class PowerCutPlace implements AutoCloseable {
  private static final long BYTES_MIN = 2L << 30;
  private static final int END_SECONDS = 10;

  private final Path root;
  private final HostPrograms host = new HostPrograms();
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile boolean kept;

  private PowerCutPlace(Path root, boolean kept) {
    this.root = root;
    this.kept = kept;
  }

  /**
   * A new folder on disk.
   *
   * @param keep it at the end
   */
  static PowerCutPlace create(boolean keep) throws IOException {
    Path disk = Path.of("/var/tmp");
    Path parent = Files.isWritable(disk) ? disk : Path.of(System.getProperty("java.io.tmpdir"));
    Path root = Files.createTempDirectory(parent.toRealPath(), "headpond-powercut-");
    PowerCutPlace place = new PowerCutPlace(root, keep);
    Runtime.getRuntime().addShutdownHook(new Thread(place::interrupted, "powercut-cleanup"));
    long free = Files.getFileStore(root).getUsableSpace();
    if (free < BYTES_MIN) {
      place.close();
      throw new CommandFailure(
          parent
              + " has "
              + Units.bytes(free)
              + " free, and "
              + Units.bytes(BYTES_MIN)
              + " are needed",
          "make room there");
    }
    return place;
  }

  /** Of everything. */
  Path root() {
    return root;
  }

  /** The programs that run on the host. */
  HostPrograms host() {
    return host;
  }

  /** From now on the folder stays. */
  void keep() {
    kept = true;
  }

  /** True if the folder stays. */
  boolean kept() {
    return kept;
  }

  /** The failure in one line, with the further lines shown before it. Keeps all files. */
  CommandFailure failure(IOException e, CutsView view) {
    keep();
    return CommandFailure.ofLines(e, "disks and consoles are kept in " + root, view::line);
  }

  /** Ctrl-C: the guest first, then the command, so that nobody writes into what is removed. */
  private void interrupted() {
    host.close();
    try {
      ended.await(END_SECONDS, TimeUnit.SECONDS);
      remove();
    } catch (IOException e) {
      System.err.println("headpond-lab: not everything could be removed: " + e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void remove() throws IOException {
    if (!kept) {
      FolderRemoval.remove(root, true);
    }
  }

  @Override
  public void close() throws IOException {
    host.close();
    remove();
    ended.countDown();
  }
}
