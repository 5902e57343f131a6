// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.demo;

import io.headpond.cli.console.CommandFailure;
import io.headpond.cli.console.ShellWords;
import io.headpond.cli.console.Units;
import io.headpond.harness.process.FolderRemoval;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * The folders of one demo, or of another run with a broker: made at its start, all named {@code
 * headpond-NAME-*}, and removed at its end.
 */
public final class DemoPlace {

  private static final Set<String> MEMORY = Set.of("tmpfs", "ramfs");

  private final Path fast;
  private final Path home;

  private DemoPlace(Path fast, Path home) {
    this.fast = fast;
    this.home = home;
  }

  /**
   * Makes the folders.
   *
   * @param name of what runs in them, as {@code demo}
   * @param home parent of what is stored on disk, or null: one is chosen
   */
  public static DemoPlace create(String name, Path home) throws IOException {
    Path homeParent = home != null ? there(home) : disk();
    String prefix = "headpond-" + name + "-";
    Path fastFolder = Files.createTempDirectory(memory().toRealPath(), prefix);
    return new DemoPlace(fastFolder, Files.createTempDirectory(homeParent.toRealPath(), prefix));
  }

  private static Path there(Path directory) {
    if (!Files.isDirectory(directory)) {
      throw new CommandFailure(
          "--home: " + directory + " isn't a directory",
          "mount its device, or: mkdir -p " + ShellWords.of(directory.toString()));
    }
    return directory;
  }

  private static Path memory() {
    Path shm = Path.of("/dev/shm");
    return Files.isDirectory(shm) && Files.isWritable(shm) ? shm : temporary();
  }

  private static Path disk() throws IOException {
    for (Path candidate :
        List.of(Path.of("/var/tmp"), temporary(), Path.of(System.getProperty("user.home")))) {
      if (Files.isDirectory(candidate) && Files.isWritable(candidate) && !inMemory(candidate)) {
        return candidate;
      }
    }
    return temporary();
  }

  private static Path temporary() {
    return Path.of(System.getProperty("java.io.tmpdir"));
  }

  private static boolean inMemory(Path folder) throws IOException {
    return MEMORY.contains(Files.getFileStore(folder).type());
  }

  /** The fast tier's only directory. */
  public Path tier() throws IOException {
    return Files.createDirectories(fast.resolve("tier"));
  }

  /** The broker's configuration and output. */
  public Path broker() throws IOException {
    return Files.createDirectories(home.resolve("broker"));
  }

  /** True if a power cut would take the fast tier. */
  boolean fastIsVolatile() throws IOException {
    return inMemory(fast);
  }

  /** File system type of the fast tier. */
  private String fastFileSystem() throws IOException {
    return Files.getFileStore(fast).type();
  }

  /** The fast device's file system, with the label that a power cut would take it. */
  public String fastText() throws IOException {
    return fastFileSystem() + (fastIsVolatile() ? ", VOLATILE" : "");
  }

  /** File system type of home. */
  String homeFileSystem() throws IOException {
    return Files.getFileStore(home).type();
  }

  /**
   * Refuses to start where there isn't room: {@code fastBytes} for the tier, {@code homeBytes} at
   * home.
   */
  public void checkRoom(long fastBytes, long homeBytes) throws IOException {
    check(fast, fastBytes);
    check(home, homeBytes);
  }

  private static void check(Path folder, long needed) throws IOException {
    long free = Files.getFileStore(folder).getUsableSpace();
    if (free < needed) {
      throw new CommandFailure(
          folder.getParent()
              + " has "
              + Units.bytes(free)
              + " free, and "
              + Units.bytes(needed)
              + " are needed",
          "make room there");
    }
  }

  /** Removes all of it. */
  public void remove() throws IOException {
    FolderRemoval.remove(fast, true);
    FolderRemoval.remove(home, true);
  }

  /** The fast tier's root. */
  public Path fast() {
    return fast;
  }

  /** The root of everything on disk. */
  public Path home() {
    return home;
  }
}
