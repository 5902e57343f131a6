// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut;

import io.headpond.torture.powercut.disk.Forgotten;
import io.headpond.torture.powercut.memory.ForgettingMemory;
import io.headpond.torture.powercut.memory.StoreLog;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
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
  private static final List<String> SOURCES = List.of(PLUGIN + ".c", "qemu.h");

  /** 1.6 GB of a sparse file; a boot has some millions. */
  private static final int EVENTS_MAX = 100_000_000;

  /** So many stores ahead a stop is aimed at, or write-backs or fences: an append or two. */
  private static final int STORES_AHEAD_MAX = 600;

  /** Nobody may store: then it stops at any moment. */
  private static final long AIM_NANOS_MAX = TimeUnit.SECONDS.toNanos(2);

  private final Path file;
  private final Path plugin;
  private final Omission omitted;
  private final SplittableRandom random;

  /** Null: it forgets nothing, as the next one. */
  private final StoreLog log;

  private final ForgettingMemory memory;

  /** Mends what no file system survives. */
  private final HostPrograms host;

  private Forgotten forgotten = Forgotten.NOTHING;
  private boolean off;

  private Nvdimm(
      Path file,
      Path plugin,
      Omission omitted,
      SplittableRandom random,
      StoreLog log,
      ForgettingMemory memory,
      HostPrograms host) {
    this.file = file;
    this.plugin = plugin;
    this.omitted = omitted;
    this.random = random;
    this.log = log;
    this.memory = memory;
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
    if (machine.memory() == Memory.KEEPS) {
      return new Nvdimm(file, null, Omission.NONE, null, null, null, host);
    }
    SplittableRandom random = new SplittableRandom(~seed);
    StoreLog log = StoreLog.create(beside(file, ".log"), EVENTS_MAX);
    ForgettingMemory memory =
        new ForgettingMemory(file, beside(file, ".durable"), log, random.nextLong());
    return new Nvdimm(file, plugin(file, host), machine.omitted(), random, log, memory, host);
  }

  private static Path beside(Path file, String suffix) {
    return file.resolveSibling(file.getFileName() + suffix);
  }

  /** Compiles it; a blink. */
  private static Path plugin(Path file, HostPrograms host)
      throws IOException, InterruptedException {
    for (String name : SOURCES) {
      try (InputStream in = Nvdimm.class.getResourceAsStream(name)) {
        Files.copy(in, file.resolveSibling(name), StandardCopyOption.REPLACE_EXISTING);
      }
    }
    Path plugin = file.resolveSibling(PLUGIN + ".so");
    host.run(
        "gcc",
        List.of(
            HostPrograms.find("gcc", "gcc").toString(),
            "-O2",
            "-Wall",
            "-Wextra",
            "-Werror",
            "-shared",
            "-fPIC",
            "-fvisibility=hidden",
            "-o",
            plugin.toString(),
            file.resolveSibling(SOURCES.get(0)).toString()),
        file.getParent());
    return plugin;
  }

  /** QEMU's options for it: what its processor stores is to be seen. */
  List<String> options() {
    return memory == null
        ? List.of()
        : List.of(
            "-plugin",
            String.format(
                "file=%s,nvdimm=%s,log=%s,omit=%s",
                plugin, file, beside(file, ".log"), omitted.id()));
  }

  boolean forgets() {
    return memory != null;
  }

  /** Lets the guest stop between two stores soon; nothing if it forgets nothing. */
  void stopAmidStores(Boot boot) throws IOException, InterruptedException {
    if (memory == null) {
      return;
    }
    log.stopAt(log.count() + 1 + random.nextInt(STORES_AHEAD_MAX));
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
    return memory == null ? Forgotten.NOTHING : memory.cut(copy, from);
  }

  /** Lost and torn when the power went; nothing before. */
  Forgotten forgotten() {
    return forgotten;
  }

  /**
   * Cuts its power, after the guest's; nothing if it was cut before. A superblock that the cut tore
   * is mended: the guest has no tool for it.
   */
  @Override
  public void close() throws IOException {
    if (memory != null && !off) {
      off = true;
      forgotten = memory.cut();
      mend();
    }
  }

  private void mend() throws IOException {
    OptionalLong fileSystem = Ext4Superblock.find(file, Instants.ALIGNMENT, Instants.ALIGNMENT);
    if (fileSystem.isPresent()) {
      try {
        Ext4Superblock.mend(file, fileSystem.getAsLong(), host);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("interrupted while " + file + " was mended");
      }
    }
  }
}
