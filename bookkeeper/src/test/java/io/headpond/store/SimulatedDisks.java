// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import io.headpond.store.ModelFaults.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;

/** The simulated devices of the store's tests, for tests of other packages. */
public final class SimulatedDisks implements AutoCloseable {
  /** What is thrown instead of doing what was asked. */
  private enum Kind {
    IO(() -> new IOException("thrown by the test")),
    NO_MEMORY(() -> new OutOfMemoryError("thrown by the test")),
    NO_STACK(() -> new StackOverflowError("thrown by the test")),
    DEFECT(() -> new IllegalStateException("thrown by the test"));

    private final java.util.function.Supplier<Throwable> made;

    Kind(final java.util.function.Supplier<Throwable> made) {
      this.made = made;
    }
  }

  /** One call that fails: by a device's error, or by something thrown at it. */
  public static final class Fault {
    private final ModelFaults.Fault device;
    private final Kind kind;
    private final int operation;

    private Fault(final ModelFaults.Fault device, final Kind kind, final int operation) {
      this.device = device;
      this.kind = kind;
      this.operation = operation;
    }

    /** Is it thrown, and not an error of the device? */
    public boolean thrown() {
      return kind != null;
    }

    @Override
    public String toString() {
      return kind == null ? device.toString() : kind + " at operation " + operation;
    }
  }

  private final ModelDisk disk = new ModelDisk();
  private final Path root;
  private final Path kernel;
  private final ModelFileSystem fileSystem;
  private int devices;
  private Runnable look = () -> {};
  private boolean counting;
  private int operations;
  private Fault planned;
  private boolean thrown;
  private String player = "nobody";
  private Thread engine;
  private String engineName;

  /** None as yet. */
  public SimulatedDisks() throws IOException {
    final Path memory = Path.of("/dev/shm");
    root =
        (Files.isDirectory(memory)
                ? Files.createTempDirectory(memory, "headpond-journal-model")
                : Files.createTempDirectory("headpond-journal-model"))
            .toRealPath();
    kernel = Files.createDirectory(root.resolve("kernel"));
    fileSystem = new ModelFileSystem(disk, kernel);
    disk.listen(this::event);
  }

  /**
   * A new device, in an empty directory.
   *
   * @param memory is it persistent memory, with DAX and a known persistence domain?
   */
  public Path device(final String name, final boolean memory) throws IOException {
    return device(name, memory, "ext4");
  }

  /**
   * Another device.
   *
   * @param memory is it persistent memory, with DAX and a known persistence domain?
   * @param fileSystemType as mountinfo names it
   */
  public Path device(final String name, final boolean memory, final String fileSystemType)
      throws IOException {
    final Path folder = Files.createDirectory(root.resolve(name));
    disk.add(folder, memory);
    final String number = "0:" + ++devices;
    final Path block = Files.createDirectories(kernel.resolve("sys/dev/block").resolve(number));
    if (memory) {
      Files.writeString(block.resolve("persistence_domain"), "memory_controller");
    }
    final Path queue = Files.createDirectories(block.resolve("queue"));
    Files.writeString(queue.resolve("write_cache"), "write back");
    Files.writeString(
        kernel.resolve("mountinfo"),
        devices + " 1 " + number + " / " + folder + " rw - " + fileSystemType + " none rw\n",
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
    return fileSystem.wrap(folder);
  }

  /**
   * The last device that was made lies on a module of persistent memory that counts shutdowns at
   * which it lost something.
   */
  public void shutdowns(final long times) throws IOException {
    final Path bus = kernel.resolve("sys/dev/block");
    Files.writeString(bus.resolve("0:" + devices + "/mapping0"), "nmem0,0,17179869184,0");
    final Path module = Files.createDirectories(bus.resolve("nmem0/nfit"));
    Files.writeString(module.resolve("dirty_shutdown"), times + "\n");
  }

  /** Is called before each operation of a device, whatever thread does it. */
  public synchronized void look(final Runnable before) {
    look = before;
  }

  /** What a class of a test does to the devices may fail too, as what the product does. */
  public void count(final Class<?> playing) {
    player = playing.getSimpleName();
    disk.faults().count(playing);
  }

  /**
   * From now on calls are counted, and the fault comes; null: none does. The calling thread is the
   * one that interrupts come upon.
   */
  public synchronized void begin(final Fault fault) {
    if (engine == null) {
      engine = Thread.currentThread();
      engineName = engine.getName();
      engine.setName(ModelFaults.ENGINE);
    }
    planned = fault;
    counting = true;
    disk.faults().begin(fault == null ? null : fault.device);
  }

  /** Nothing fails any more, and nothing is counted. */
  public synchronized void end() {
    if (engine != null) {
      engine.setName(engineName);
      engine = null;
      Thread.interrupted(); // what comes after is a test's
    }
    counting = false;
    disk.faults().end();
    disk.forgive();
  }

  /** Has the fault come? */
  public synchronized boolean struck() {
    return thrown || disk.faults().struck();
  }

  /** All that could have failed between begin and end. */
  public synchronized List<Fault> faults() {
    final List<Fault> all = new ArrayList<>();
    disk.faults()
        .counts()
        .forEach(
            (site, count) -> {
              for (final ModelFaults.Fault fault : ModelFaults.faults(site, count)) {
                if (!othersInterrupt(site, fault.reason())) {
                  all.add(new Fault(fault, null, 0));
                }
              }
            });
    for (final Kind kind : Kind.values()) {
      for (int i = 1; i <= operations; i++) {
        all.add(new Fault(null, kind, i));
      }
    }
    return all;
  }

  /** The player's own calls stand for another thread's than the one that is interrupted. */
  private boolean othersInterrupt(final ModelFaults.Site site, final Reason reason) {
    return reason == Reason.INTERRUPTED && site.caller().startsWith(player);
  }

  private void event() {
    look.run();
    if (counting
        && planned != null
        && planned.kind != null
        && operations + 1 == planned.operation
        && !thrown) {
      thrown = true;
      operations++;
      throwAnyway(planned.kind.made.get());
    }
    operations += counting ? 1 : 0;
  }

  @SuppressWarnings("unchecked")
  private static <T extends Throwable> void throwAnyway(final Throwable any) throws T {
    throw (T) any;
  }

  /** Leaves out the forces that are made within one of the product's methods. */
  public void skipForcesWithin(final String type, final String method) {
    disk.plant(
        new ModelDisk.Defect() {
          @Override
          public boolean skipsForce() {
            return StackWalker.getInstance()
                .walk(
                    frames ->
                        frames.anyMatch(
                            frame ->
                                frame.getClassName().endsWith("." + type)
                                    && frame.getMethodName().equals(method)));
          }
        });
  }

  /**
   * Leaves out one of the product's calls, of the forces of a device.
   *
   * @param leftOut is told of each force that isn't made
   */
  public void leaveOut(final ProductCalls.Call call, final Runnable leftOut) {
    disk.plant(
        new ModelDisk.Defect() {
          @Override
          public boolean skipsForce() {
            final boolean here = call.leadsHere();
            if (here) {
              leftOut.run();
            }
            return here;
          }
        });
  }

  /** A force that failed is taken for one that was done. */
  public void trustFailedForces() {
    disk.plant(
        new ModelDisk.Defect() {
          @Override
          public boolean trustsFailedForce() {
            return true;
          }
        });
  }

  /** The files below a directory as everybody sees them now, by name. */
  public Map<String, byte[]> visible(final Path directory) {
    return files(disk.visible(), directory);
  }

  /** What a power cut leaves now. */
  public Cut cut(final Random random) {
    return new Cut(disk.cut(random));
  }

  /** What a power cut leaves. */
  public final class Cut {
    private final ModelImage image;

    private Cut(final ModelImage image) {
      this.image = image;
    }

    /** The files below a directory, by name. */
    public Map<String, byte[]> files(final Path directory) {
      return SimulatedDisks.files(image, directory);
    }

    /** What a name stands for, a link or not; null: there is none, or its link leads nowhere. */
    public byte[] read(final Path name) {
      final Path real = ModelPath.real(name);
      return entries(name.getParent())
          .filter(entry -> entry.path().equals(real))
          .findFirst()
          .map(image::read)
          .orElse(null);
    }

    /** Names in a directory that are links which lead nowhere. */
    public List<Path> linksToNowhere(final Path directory) {
      return entries(directory)
          .filter(entry -> entry.link() != null && image.read(entry) == null)
          .map(ModelImage.Entry::path)
          .toList();
    }

    private Stream<ModelImage.Entry> entries(final Path directory) {
      return image.below(ModelPath.real(directory)).stream();
    }

    /** The devices hold that now. */
    public void restore() throws IOException {
      disk.restore(image);
    }
  }

  private static Map<String, byte[]> files(final ModelImage image, final Path directory) {
    final Map<String, byte[]> files = new TreeMap<>();
    for (final ModelImage.Entry entry : image.below(ModelPath.real(directory))) {
      if (!entry.directory()) {
        files.put(entry.path().getFileName().toString(), entry.content());
      }
    }
    return files;
  }

  @Override
  public void close() throws IOException {
    disk.listen(() -> {});
    disk.close();
    final Function<Path, Boolean> delete = path -> path.toFile().delete();
    try (Stream<Path> all = Files.walk(root)) {
      all.sorted((a, b) -> b.compareTo(a)).forEach(delete::apply);
    }
  }
}
