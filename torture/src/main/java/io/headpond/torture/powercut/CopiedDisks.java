// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut;

import io.headpond.harness.process.ChildProcess;
import io.headpond.harness.process.FolderRemoval;
import io.headpond.harness.process.JavaHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What a cut at an instant would have left of a guest's disks, brought up in a folder of the host,
 * and a process of the host that finds them where the guest has its disks: an engine's files hold
 * absolute paths. It sees them in a name space of its own, for which no root is needed. One thread.
 */
final class CopiedDisks implements AutoCloseable {
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
        mount --bind "$1" "$2"
        shift 2
      done
      shift
      exec chroot . "$@"
      """;

  private final Path folder;
  private final Path app;
  private final HostPrograms host;

  /**
   * @param folder where they were brought up, each by its name
   * @param app what the guest has as {@code /app}
   */
  CopiedDisks(Path folder, Path app, HostPrograms host) {
    this.folder = folder;
    this.app = app;
    this.host = host;
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

  /** Of everything that belongs to this instant. */
  Path folder() {
    return folder;
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
      Files.createDirectories(root.resolve(mount));
      command.addAll(List.of(folder.resolve(mount).toString(), mount));
    }
    Files.createDirectories(root.resolve("app"));
    command.addAll(List.of(app.toString(), "app", "--"));
    command.add(JavaHome.current().java().toRealPath().toString());
    command.addAll(EngineJvm.options());
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
