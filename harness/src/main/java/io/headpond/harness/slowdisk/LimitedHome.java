// SPDX-License-Identifier: Apache-2.0
package io.headpond.harness.slowdisk;

import io.headpond.harness.process.FreeSpace;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * A file system on a loop device that the kernel limits, in a folder on a faster disk or in memory.
 * Between the two is a second one: the queue in which operations are merged before they are
 * limited.
 *
 * <p>{@link #start} and {@link #measure} belong to one thread; {@link #close} may be called by
 * another, and ends them.
 */
public final class LimitedHome implements Closeable {

  private static final int ATTEMPTS = 3;
  private static final long BYTES_MIN = 256 << 20;
  private static final long BYTES_CHOSEN_MAX = 16L << 30;

  /** Stays free on the disk below, which others use too. */
  private static final long BYTES_LEFT = 1 << 30;

  private static final long DIRTY_BYTES_MIN = 1 << 20;

  /** Engines have few files, and large ones: small inode tables do. */
  private static final int BYTES_PER_INODE = 64 << 10;

  /**
   * File systems that share no disk with the fast tier. A loop device writes to tmpfs directly from
   * Linux 6.6 on.
   */
  private static final Set<String> MEMORY = Set.of("tmpfs", "ramfs");

  private final SystemFiles system;
  private final Programs programs;
  private final Settings settings;
  private final Consumer<String> progress;
  private HomeRecord record;
  private LoopDevice limited;
  private LoopDevice queue;
  private DiskMeter meter;
  private DiskSpeed before;
  private DiskSpeed after;
  private boolean memory;
  private volatile boolean closed;

  /**
   * A limited home that is wanted.
   *
   * @param home a folder on a disk or in memory, which gets a folder of its own
   * @param limit of the disk
   * @param bytes of the disk; 0: half of the free space, 16 GiB at most
   * @param dirtyBytes of the machine's page cache; 0: they stay as they are
   * @param each length of each of the five measurements before and after, at first
   */
  public record Settings(Path home, DiskLimit limit, long bytes, long dirtyBytes, Duration each) {

    /** Refuses sizes that no run fits in. */
    public Settings {
      if (bytes != 0 && bytes < BYTES_MIN) {
        throw new IllegalArgumentException("a limited home has 256MiB at least");
      }
      if (dirtyBytes != 0 && dirtyBytes < DIRTY_BYTES_MIN) {
        throw new IllegalArgumentException("a page cache has 1MiB of dirty pages at least");
      }
    }
  }

  /**
   * Nothing is set up yet.
   *
   * @param progress told what goes on
   */
  public LimitedHome(Settings settings, Consumer<String> progress) {
    this(SystemFiles.ofMachine(), Programs.ofMachine(), settings, progress);
  }

  LimitedHome(SystemFiles system, Programs programs, Settings settings, Consumer<String> progress) {
    this.system = system;
    this.programs = programs;
    this.settings = settings;
    this.progress = progress;
  }

  private interface Step {
    void take() throws IOException, InterruptedException;
  }

  /**
   * Sets it up and measures it; what was set up is taken down by {@link #close}, also if this
   * fails.
   *
   * @throws IOException if it can't be set up, or isn't what it shall be
   */
  public void start() throws IOException, InterruptedException {
    requirePossible();
    memory = inMemory();
    long bytes = bytes();
    take("noting what must be undone", this::writeRecord);
    take("reserving the limited home's blocks", () -> reserve(bytes));
    take("making its device", () -> limited = LoopDevice.attach(system, programs, record.file()));
    take("making its queue", () -> queue = LoopDevice.above(system, programs, limited));
    take("making its file system", this::makeFileSystem);
    meter = new DiskMeter(record.mount(), limited.counters(), settings.limit(), () -> closed);
    take("writing what is measured", meter::prepare);
    take("limiting it", () -> record.throttle().limit(limited.number(), settings.limit()));
    if (record.dirtyPages() != null) {
      take("limiting dirty pages", () -> record.dirtyPages().set(system));
    }
    before = measured();
    Optional<String> fault = before.fault(settings.limit());
    if (fault.isPresent()) {
      throw new IOException(
          "the limited home in " + settings.home() + " is refused: " + fault.get());
    }
  }

  /** Does a step unless this was closed; one step is done with before it can be closed. */
  private synchronized void take(String what, Step step) throws IOException, InterruptedException {
    if (closed) {
      throw new InterruptedException("the limited home is taken down");
    }
    progress.accept(what);
    step.take();
  }

  /** The reason why this folder can hold no limited home, in words; empty if it can. */
  public static Optional<String> impossible(Path home) {
    DiskLimit any = DiskLimit.parse("gp3");
    Settings settings = new Settings(home, any, BYTES_MIN, 0, Duration.ofSeconds(1));
    try {
      new LimitedHome(settings, text -> {}).requirePossible();
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of(e.toString());
    }
  }

  private void requirePossible() throws IOException {
    int user = system.user();
    if (user != 0) {
      throw new IOException(
          "--home-limit needs root, who makes a loop device, mounts and limits it, and this is user "
              + user
              + "; start headpond-lab as root, or leave --home-limit out");
    }
    programs.require();
    if (!Files.exists(system.loopControl())) {
      throw new IOException(
          system.loopControl()
              + " isn't there, so there are no loop devices; run 'modprobe loop' (in a container: on"
              + " its host), or leave --home-limit out");
    }
    Throttle.of(system, "headpond-limited");
    if (settings.bytes() == 0 && inMemory()) {
      throw new IOException(
          settings.home()
              + " is memory; say by --home-size how much of it the limited home may take, or name a"
              + " folder on a disk by --home");
    }
  }

  private boolean inMemory() throws IOException {
    return MEMORY.contains(Files.getFileStore(settings.home()).type());
  }

  private long bytes() throws IOException {
    long free = Files.getFileStore(settings.home()).getUsableSpace();
    long bytes = settings.bytes() == 0 ? Math.min(BYTES_CHOSEN_MAX, free / 2) : settings.bytes();
    FreeSpace.require(
        settings.home(),
        Math.max(bytes, BYTES_MIN) + BYTES_LEFT,
        "the limited home's blocks",
        "give a smaller --home-size");
    return bytes >> 20 << 20;
  }

  private void writeRecord() throws IOException {
    Files.createDirectories(system.records());
    ProcessInfo own = ProcessInfo.of(system, ProcessHandle.current().pid()).orElseThrow();
    String name = "headpond-limited-" + own.pid() + "-" + own.started();
    DirtyPages former = null;
    DirtyPages dirtyPages = null;
    if (settings.dirtyBytes() != 0) {
      requireOnlyOne();
      former = DirtyPages.now(system);
      dirtyPages = DirtyPages.atMost(settings.dirtyBytes());
    }
    HomeRecord made =
        new HomeRecord(
            own,
            system.boot(),
            settings.home().toRealPath().resolve(name),
            Throttle.of(system, name),
            former,
            dirtyPages);
    made.write(system);
    record = made;
  }

  /** Refuses a second process: it would restore the limits that the first one has set. */
  private void requireOnlyOne() throws IOException {
    for (HomeRecord other : HomeRecord.all(system)) {
      if (other.dirtyPages() != null) {
        throw new IOException(
            "process "
                + other.owner().pid()
                + " limits the machine's dirty pages already; wait for its end, or leave"
                + " --page-cache out");
      }
    }
  }

  private void reserve(long bytes) throws IOException, InterruptedException {
    // Engines of this run only: nobody else's files are in it.
    Files.createDirectory(
        record.folder(),
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    Files.createDirectory(record.mount());
    programs.run("fallocate", "--length", bytes, record.file());
  }

  /** A discard would give the file's blocks back, and lazy tables would be written meanwhile. */
  private void makeFileSystem() throws IOException, InterruptedException {
    programs.run(
        "mkfs.ext4",
        "-q",
        "-b",
        DiskSpeed.SMALL_BYTES,
        "-i",
        BYTES_PER_INODE,
        "-m",
        0,
        "-E",
        "nodiscard,lazy_itable_init=0,lazy_journal_init=0",
        queue.path());
    programs.run("mount", "-t", "ext4", queue.path(), record.mount());
  }

  /**
   * Measures the disk. Beside other work a short measurement can miss; a longer one then decides.
   */
  private DiskSpeed measured() throws IOException, InterruptedException {
    Duration each = settings.each();
    for (int attempt = 1; ; attempt++) {
      progress.accept("measuring the limited home");
      DiskSpeed speed = meter.measure(each);
      if (attempt == ATTEMPTS || speed.fault(settings.limit()).isEmpty()) {
        return speed;
      }
      each = each.multipliedBy(2);
    }
  }

  /**
   * Measures it once more, when the engines are gone.
   *
   * @return why it isn't what it was said to be; empty if it is
   */
  public Optional<String> measure() throws IOException, InterruptedException {
    progress.accept("writing back what the run left");
    programs.run("sync", "--file-system", record.mount());
    after = measured();
    return after.fault(settings.limit());
  }

  /** The mount point. */
  public Path folder() {
    return record.mount();
  }

  /** The rate of large writes that it takes for long, bytes a second; see {@link DiskSpeed}. */
  public long bytesPerSecond() {
    return (long) before.lastingBytesPerSecond(settings.limit());
  }

  /** The limit and the measured speed, in words. */
  public String text() {
    return String.format(
        "home is limited to %s (%s, operations merged, loop device%s, ext4)%s; measured before: %s%s",
        settings.limit(),
        record.throttle(),
        memory ? " in memory" : "",
        settings.dirtyBytes() == 0
            ? ""
            : ", dirty pages to " + (settings.dirtyBytes() >> 20) + " MiB",
        before,
        after == null ? "" : "; after: " + after);
  }

  /** Takes it down. */
  @Override
  public void close() throws IOException {
    closed = true;
    synchronized (this) {
      if (record != null) {
        new TakeDown(system, programs, record, Duration.ofSeconds(30)).run();
        record = null;
      }
    }
  }
}
