// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut;

import io.headpond.harness.process.ChildProcess;
import io.headpond.harness.process.FolderRemoval;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What a cut at an instant would have left of a guest's disks, brought up in a folder of the host,
 * and a process of the host, by the guest's Java, that finds them where the guest has its disks: an
 * engine's files hold absolute paths. It sees them in a name space of its own, for which no root is
 * needed. One thread.
 *
 * @param folder of everything that belongs to this instant
 * @param app what the guest has as {@code /app}
 * @param image of the guest
 * @param java feature release of the guest's Java that reads them
 */
record CopiedDisks(Path folder, Path app, Path image, int java, HostPrograms host)
    implements AutoCloseable {
  /** A process of an engine ends within it when it is told to. */
  static final Duration STOP_LIMIT = Duration.ofMinutes(1);

  /** The guest's mount points, besides {@code /app}. */
  static final List<String> MOUNTS = List.of("home", "fast", "pmem");

  /** A root directory, a mount itself as any, that is the host's but for the mounts below it. */
  private static final String SCRIPT =
      """
      set -e
      mount --bind "$1" "$1"
      cd "$1"
      for each in /*; do
        name=${each#/}
        case $name in home | fast | pmem | app) continue ;; esac
        if [ -L "$each" ]; then
          ln -sfn "$(readlink "$each")" "$name"
        elif [ -d "$each" ]; then
          mkdir -p "$name"
          mount --rbind "$each" "$name"
        fi
      done
      shift
      while [ "$1" != -- ]; do
        mkdir -p "$2"
        mount --bind "$1" "$2"
        shift 2
      done
      shift
      exec chroot . "$@"
      """;

  /**
   * Empty ones.
   *
   * @param folder that is made for them
   * @param app what the guest has as {@code /app}
   * @param image of the guest
   * @param java feature release of the guest's Java
   */
  static CopiedDisks empty(Path folder, Path app, Path image, int java, HostPrograms host)
      throws IOException {
    for (String mount : MOUNTS) {
      Files.createDirectories(folder.resolve(mount));
    }
    return new CopiedDisks(folder, app, image, java, host);
  }

  /**
   * Verifies that a name space can be made.
   *
   * @throws IOException if the host allows none
   */
  static void require(Path folder, HostPrograms host) throws IOException, InterruptedException {
    host.run("unshare", nameSpace(List.of("true")), folder);
  }

  private static List<String> nameSpace(List<String> command) throws IOException {
    List<String> all = new ArrayList<>();
    all.add(HostPrograms.find("unshare", "util-linux").toString());
    all.addAll(List.of("--user", "--map-root-user", "--mount"));
    all.addAll(command);
    return all;
  }

  /** The file of what a {@link #start started} process prints. */
  Path output() {
    return folder.resolve("engine.out");
  }

  /**
   * Starts a JVM that finds the copies.
   *
   * @param arguments behind the JVM's own options
   */
  ChildProcess start(String name, List<String> arguments) throws IOException {
    Path root = Files.createDirectories(folder.resolve("view"));
    List<String> command = new ArrayList<>(List.of("sh", "-c", SCRIPT, "sh", root.toString()));
    for (String mount : MOUNTS) {
      command.addAll(List.of(folder.resolve(mount).toString(), mount));
    }
    String jre = Setup.jre(java);
    command.addAll(List.of(app.toString(), "app", GuestImage.jre(image, jre).toString(), jre));
    command.addAll(List.of("--", "/" + jre + "/bin/java"));
    command.addAll(EngineJvm.options(java));
    command.add("-Djava.io.tmpdir=" + Files.createDirectories(folder.resolve("tmp")));
    command.addAll(arguments);
    return host.start(name, nameSpace(command), folder, output());
  }

  /** Removes all of it. */
  @Override
  public void close() throws IOException {
    FolderRemoval.remove(folder, true);
  }
}
