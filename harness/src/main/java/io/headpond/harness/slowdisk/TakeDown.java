// SPDX-License-Identifier: Apache-2.0
package io.headpond.harness.slowdisk;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/**
 * Takes away what a record names, as far as it is there: limits, mount, device, files, the limit of
 * dirty pages, and the record. A step that fails keeps no later one from being done, only the
 * record from being removed: the next start tries again.
 */
final class TakeDown {

  private static final Duration POLL = Duration.ofMillis(100);

  private final SystemFiles system;
  private final Programs programs;
  private final HomeRecord record;
  private final Duration patience;
  private final List<IOException> failures = new ArrayList<>();

  private interface Step {
    void take() throws IOException, InterruptedException;
  }

  /** {@code patience}: how long a device that is still used is waited for; its users are ending. */
  TakeDown(SystemFiles system, Programs programs, HomeRecord record, Duration patience) {
    this.system = system;
    this.programs = programs;
    this.record = record;
    this.patience = patience;
  }

  /**
   * Does it all.
   *
   * @throws IOException in the end, if steps failed; it says which
   */
  void run() throws IOException {
    if (record.sameBoot(system)) {
      take(this::unlimit);
      take(this::unmount);
      take(this::detach);
    }
    take(() -> Files.deleteIfExists(record.file()));
    take(() -> Files.deleteIfExists(record.mount()));
    take(() -> Files.deleteIfExists(record.folder()));
    if (record.sameBoot(system)) {
      take(this::restoreDirtyPages);
      take(record.throttle()::remove);
    }
    if (failures.isEmpty()) {
      record.delete(system);
      return;
    }
    IOException all =
        new IOException(
            record.folder()
                + ": not all of the limited home could be taken down: "
                + String.join("; ", failures.stream().map(TakeDown::text).toList())
                + "; end what still uses it: the next start of headpond-lab, or of headpond demo, tries again");
    failures.forEach(all::addSuppressed);
    throw all;
  }

  /** Some exceptions have no other message than a file's name. */
  private static String text(IOException failure) {
    return failure instanceof FileSystemException ? failure.toString() : failure.getMessage();
  }

  private void take(Step step) {
    boolean interrupted = Thread.interrupted();
    try {
      step.take();
    } catch (IOException e) {
      failures.add(e);
    } catch (InterruptedException e) {
      failures.add(new IOException("interrupted", e));
      interrupted = true;
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private Optional<LoopDevice> device() throws IOException {
    return LoopDevice.of(system, record.file());
  }

  /** Removes the limit, first of all: what is still to be written isn't slow any more. */
  private void unlimit() throws IOException {
    Optional<LoopDevice> device = device();
    if (device.isPresent()) {
      record.throttle().unlimit(device.get().number());
    }
  }

  private void unmount() throws IOException, InterruptedException {
    long deadline = System.nanoTime() + patience.toNanos();
    while (system.mounted(record.mount())) {
      try {
        programs.run("umount", record.mount());
      } catch (IOException busy) {
        if (System.nanoTime() - deadline > 0) {
          throw busy;
        }
        LockSupport.parkNanos(POLL.toNanos());
      }
    }
  }

  private void detach() throws IOException, InterruptedException {
    Optional<LoopDevice> limited = device();
    if (limited.isPresent()) {
      detach(() -> limited.get().above(system));
      detach(this::device);
    }
  }

  private interface Search {
    Optional<LoopDevice> now() throws IOException;
  }

  /** The kernel detaches it when its last user is gone, which may be after the call. */
  private void detach(Search search) throws IOException, InterruptedException {
    Optional<LoopDevice> device = search.now();
    if (device.isEmpty()) {
      return;
    }
    programs.run("losetup", "--detach", device.get().path());
    long deadline = System.nanoTime() + patience.toNanos();
    while (search.now().isPresent()) {
      if (System.nanoTime() - deadline > 0) {
        throw new IOException(device.get().path() + " is still used");
      }
      LockSupport.parkNanos(POLL.toNanos());
    }
  }

  private void restoreDirtyPages() throws IOException {
    if (record.dirtyPages() != null) {
      record.former().restore(system, record.dirtyPages());
    }
  }
}
