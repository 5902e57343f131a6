// SPDX-License-Identifier: Apache-2.0
package io.headpond.nio;

import static java.nio.file.StandardWatchEventKinds.ENTRY_CREATE;

import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.instrument.Instrumentation;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.ProviderMismatchException;
import java.nio.file.StandardOpenOption;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.nio.file.spi.FileSystemProvider;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** What the tests' child JVMs run. Ends with exit code 0 only if all was as it should be. */
public final class ChildMain {
  private static final long WATCH_SECONDS_MAX = 30;

  /** Far more than are given back in the time that a JVM takes to end. */
  private static final int DROPPED = 1_000;

  private ChildMain() {}

  /**
   * Runs one job.
   *
   * @param arguments the job and what it needs
   */
  public static void main(final String... arguments) throws Exception {
    final FileSystemProvider provider = FileSystems.getDefault().provider();
    System.out.println("provider " + provider.getClass().getName());
    switch (arguments[0]) {
      case "report" -> System.out.println("path " + Path.of("x").getClass().getName());
      case "loaded" -> System.out.println("main");
      case "differential" -> differential(provider, Path.of(arguments[1]));
      case "tour" -> tour(provider, Path.of(arguments[1]));
      case "claim" -> claim(Path.of(arguments[1]));
      case "drop" -> drop(Path.of(arguments[1]));
      case "preallocate" -> preallocate(Path.of(arguments[1]));
      case "lock" -> lock(Path.of(arguments[1]));
      case "read" -> System.out.println("content " + Files.readString(Path.of(arguments[1])));
      default -> throw new IllegalArgumentException(arguments[0]);
    }
  }

  /** Another agent that uses the default file system before Headpond's does. */
  public static void premain(final String arguments, final Instrumentation instrumentation) {
    System.out.println("agent: " + Path.of("x").getClass().getName());
  }

  private static void differential(final FileSystemProvider provider, final Path folder)
      throws IOException {
    final long seed = System.nanoTime();
    final Path builtIn = ((HeadpondFileSystemProvider) provider).builtIn().getPath(folder.toUri());
    final String difference =
        new Differential(builtIn.resolve("built-in"), folder.resolve("ours"), seed)
            .firstDifference(5000);
    require(difference == null, difference);
  }

  private static void claim(final Path logDir) throws IOException {
    final Path partition = Files.createDirectories(logDir.resolve("t-0"));
    Files.writeString(logDir.resolve(".lock"), "");
    final Path segment = partition.resolve("00000000000000000000.log");
    Files.writeString(segment, "records");
    require(Files.isSymbolicLink(segment), segment + " is no link");
    System.out.println("claimed");
  }

  /** Holds a lock file until it is killed. */
  private static void lock(final Path file) throws Exception {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      require(channel.tryLock() != null, file + " is locked");
      System.out.println("locked");
      TimeUnit.SECONDS.sleep(WATCH_SECONDS_MAX);
    }
  }

  /** Ends with many files just dropped, and one segment open. */
  private static void drop(final Path logDir) throws IOException {
    claim(logDir);
    final Path partition = logDir.resolve("t-0");
    for (int i = 1; i <= DROPPED; i++) {
      Files.writeString(partition.resolve(String.format("%020d.log", i)), "records");
    }
    final Path kept = partition.resolve("00000000000000000000.log");
    final FileChannel open = FileChannel.open(kept, StandardOpenOption.WRITE);
    // As an engine: it appends and deletes while the JVM ends already, and closes its logs last.
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  try {
                    open.write(ByteBuffer.wrap("more".getBytes(StandardCharsets.UTF_8)), 7);
                    for (int i = 1; i <= DROPPED; i++) {
                      Files.delete(partition.resolve(String.format("%020d.log", i)));
                    }
                    require(settling(), "nothing waits for what the engine still does");
                    open.close();
                  } catch (final IOException e) {
                    e.printStackTrace();
                  }
                }));
  }

  /** Has the plug-in its own part in the end of the JVM? */
  private static boolean settling() {
    return Thread.getAllStackTraces().keySet().stream()
        .anyMatch(thread -> thread.getName().equals("headpond-settle"));
  }

  /** What Kafka does with preallocate=true: a segment that no provider sees being made. */
  private static void preallocate(final Path logDir) throws Exception {
    claim(logDir);
    final long claimed = System.currentTimeMillis();
    for (int i = 1; i < 12; i++) {
      final Path segment = logDir.resolve("t-0").resolve("000000000000000000" + (10 + i) + ".log");
      try (RandomAccessFile file = new RandomAccessFile(segment.toString(), "rw")) {
        file.setLength(1 << 20);
        while (Files.getLastModifiedTime(segment).toMillis() <= claimed) {
          file.write(1);
        }
      }
      Files.move(segment, segment.resolveSibling(segment.getFileName() + ".deleted"));
    }
    // Made through the provider: nothing to report.
    final Path ours = logDir.resolve("t-0").resolve("00000000000000000000.log");
    Files.move(ours, ours.resolveSibling(ours.getFileName() + ".deleted"));
  }

  private static void tour(final FileSystemProvider provider, final Path folder) throws Exception {
    final Path file = Files.writeString(folder.resolve("a file ü"), "content");
    require(new File(file.toString()).toPath().equals(file), "File.toPath");
    require(file.toFile().toPath().equals(file), "Path.toFile");
    require(Path.of(file.toUri()).equals(file), "Path.of(URI)");
    require(FileSystems.getFileSystem(URI.create("file:///")) == file.getFileSystem(), "URI");
    require(FileSystemProvider.installedProviders().get(0) == provider, "installed providers");
    final Path temporary = Files.createTempDirectory("headpond");
    require(temporary.getClass() == file.getClass(), "temporary directory");
    Files.delete(temporary);
    zip(folder, file);
    watch(Files.createDirectory(folder.resolve("watched")));
    final Path foreign = RandomOperations.foreign();
    try {
      provider.delete(foreign);
      require(false, "another provider's path must be refused");
    } catch (final ProviderMismatchException expected) {
      // As the built-in provider does.
    }
    Files.copy(foreign.resolve("java/lang/Object.class"), folder.resolve("Object.class"));
    require(Files.size(folder.resolve("Object.class")) > 0, "copy from another provider");
  }

  private static void zip(final Path folder, final Path file) throws IOException {
    final Path zip = folder.resolve("archive.zip");
    try (FileSystem archive =
        FileSystems.newFileSystem(URI.create("jar:" + zip.toUri()), Map.of("create", "true"))) {
      Files.copy(file, archive.getPath("/copied"));
      Files.move(Files.writeString(folder.resolve("m"), "moved"), archive.getPath("/moved"));
    }
    try (FileSystem archive = FileSystems.newFileSystem(zip)) {
      require(Files.readString(archive.getPath("/copied")).equals("content"), "zip copy");
      require(Files.readString(archive.getPath("/moved")).equals("moved"), "zip move");
      Files.copy(archive.getPath("/copied"), folder.resolve("unzipped"));
      require(Files.mismatch(file, folder.resolve("unzipped")) == -1, "copy from a zip");
      require(Files.notExists(folder.resolve("m")), "move into a zip");
    }
  }

  private static void watch(final Path directory) throws Exception {
    try (WatchService service = FileSystems.getDefault().newWatchService()) {
      final WatchKey key = directory.register(service, ENTRY_CREATE);
      require(key == directory.register(service, ENTRY_CREATE), "one key per directory");
      Files.createFile(directory.resolve("new"));
      final WatchKey signalled = service.poll(WATCH_SECONDS_MAX, TimeUnit.SECONDS);
      require(signalled == key, "the key that was registered is signalled");
      require(key.watchable().equals(directory), "watchable");
      final WatchEvent<?> event = key.pollEvents().get(0);
      require(event.kind() == ENTRY_CREATE && event.count() == 1, "event");
      require(directory.resolve((Path) event.context()).endsWith("new"), "context");
      require(key.reset() && key.isValid(), "reset");
      key.cancel();
      require(!key.isValid(), "cancel");
    }
  }

  private static void require(final boolean condition, final String what) {
    if (!condition) {
      throw new IllegalStateException(what);
    }
  }
}
