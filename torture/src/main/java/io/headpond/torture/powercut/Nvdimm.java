// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut;

import io.headpond.torture.powercut.disk.Forgotten;
import io.headpond.torture.powercut.memory.ForgettingMemory;
import io.headpond.torture.powercut.memory.StoreLog;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/**
 * The NVDIMM of a {@link Guest} from power on to power off; its file stays from boot to boot. One
 * thread.
 */
final class Nvdimm implements AutoCloseable {
  private static final String PLUGIN = "stores";
  private static final String TSC = "tsc";

  /** 1.6 GB of a sparse file; a boot has some millions. */
  private static final int EVENTS_MAX = 100_000_000;

  /** So many stores ahead a stop is aimed at, or write-backs or fences: an append or two. */
  private static final int STORES_AHEAD_MAX = 600;

  /** Nobody may store: then it stops at any moment. */
  private static final long AIM_NANOS_MAX = TimeUnit.SECONDS.toNanos(2);

  private final Path file;

  /** Null: it forgets nothing. */
  private final Forgetting forgetting;

  /** Mends what no file system survives. */
  private final HostPrograms host;

  private Forgotten forgotten = Forgotten.NOTHING;
  private boolean off;
  private boolean commitDropped;

  /**
   * How it forgets.
   *
   * @param plugin of QEMU, which writes the log
   * @param tscKhz rate of the guest's time stamp counter
   */
  private record Forgetting(
      Path plugin,
      Omission omitted,
      SplittableRandom random,
      StoreLog log,
      ForgettingMemory memory,
      long tscKhz) {}

  private Nvdimm(Path file, Forgetting forgetting, HostPrograms host) {
    this.file = file;
    this.forgetting = forgetting;
    this.host = host;
  }

  /**
   * Powers it on.
   *
   * @param file behind it
   * @param seed of a boot: what it forgets follows from it
   */
  static Nvdimm powerOn(Path file, Machine machine, long seed, HostPrograms host)
      throws IOException, InterruptedException {
    if (machine.memory() != Memory.FORGETS) {
      return new Nvdimm(file, null, host);
    }
    SplittableRandom random = new SplittableRandom(~seed);
    StoreLog log = StoreLog.create(beside(file, ".log"), EVENTS_MAX);
    ForgettingMemory memory =
        new ForgettingMemory(file, beside(file, ".durable"), log, random.nextLong());
    return new Nvdimm(
        file,
        new Forgetting(
            Plugin.make(PLUGIN, file.getParent(), host),
            machine.omitted(),
            random,
            log,
            memory,
            tscKhz(file.getParent(), host)),
        host);
  }

  private static Path beside(Path file, String suffix) {
    return file.resolveSibling(file.getFileName() + suffix);
  }

  /** The rate of the host's time stamp counter, which is the guest's too, kHz. */
  static long tscKhz(Path folder, HostPrograms host) throws IOException, InterruptedException {
    Path program = folder.resolve(TSC);
    Plugin.compile(TSC, program, host);
    return Long.parseLong(host.output("tsc-khz", List.of(program.toString()), folder).strip());
  }

  /** QEMU's options for it: what its processor stores is to be seen. */
  List<String> options() {
    return forgetting == null
        ? List.of()
        : List.of(
            "-plugin",
            String.format(
                "file=%s,nvdimm=%s,log=%s,omit=%s",
                forgetting.plugin(), file, beside(file, ".log"), forgetting.omitted().id()));
  }

  /**
   * What the guest's kernel is told. The plugin slows its measurement of the time stamp counter's
   * rate: its clock went 40 times too fast once, and every time-out of an engine was over at once.
   */
  String kernelArguments() {
    return forgetting == null ? "" : " tsc_early_khz=" + forgetting.tscKhz();
  }

  boolean forgets() {
    return forgetting != null;
  }

  /** Lets the guest stop between two stores soon; nothing if it forgets nothing. */
  void stopAmidStores(Boot boot) throws IOException, InterruptedException {
    if (forgetting == null) {
      return;
    }
    StoreLog log = forgetting.log();
    log.stopAt(log.count() + 1 + forgetting.random().nextInt(STORES_AHEAD_MAX));
    long begin = System.nanoTime();
    while (!boot.standsStill() && System.nanoTime() - begin < AIM_NANOS_MAX) {
      boot.check();
      Thread.sleep(1);
    }
    log.stopNever();
  }

  /**
   * Changes a copy to what a cut now would leave, while the guest stands still.
   *
   * @param from the copy's first byte in the memory
   */
  Forgotten forgetIn(Path copy, long from) throws IOException {
    return forgetting == null ? Forgotten.NOTHING : forgetting.memory().cut(copy, from);
  }

  /** Lost and torn when the power went; nothing before. */
  Forgotten forgotten() {
    return forgotten;
  }

  /** True if the cut has torn its journal's last commit. */
  boolean commitDropped() {
    return commitDropped;
  }

  /**
   * Cuts its power, after the guest's; nothing if it was cut before. A superblock or a commit of
   * the journal that the cut tore is mended: the guest has no tool for it.
   */
  @Override
  public void close() throws IOException {
    if (forgetting != null && !off) {
      off = true;
      forgotten = forgetting.memory().cut();
      mend();
    }
  }

  private void mend() throws IOException {
    OptionalLong fileSystem = Ext4Superblock.find(file, Instants.ALIGNMENT, Instants.ALIGNMENT);
    if (fileSystem.isPresent()) {
      try {
        Ext4Superblock.mend(file, fileSystem.getAsLong(), host);
        commitDropped = Ext4Journal.mend(file, fileSystem.getAsLong(), host);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("interrupted while " + file + " was mended");
      }
    }
  }
}
