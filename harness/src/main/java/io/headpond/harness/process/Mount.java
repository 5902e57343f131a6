// SPDX-License-Identifier: Apache-2.0
package io.headpond.harness.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** A small file system of its own, for what must run full. */
public final class Mount implements AutoCloseable {

  private final Path folder;

  private Mount(Path folder) {
    this.folder = folder;
  }

  /** Only root can mount, and not in every container. */
  public static boolean possible() throws IOException, InterruptedException {
    if (!"root".equals(System.getProperty("user.name"))) {
      return false;
    }
    Path probe = Files.createTempDirectory("headpond-mount-");
    try (Mount mount = tmpfs(probe, 1)) {
      return Files.getFileStore(mount.folder()).type().equals("tmpfs");
    } catch (IOException e) {
      return false;
    } finally {
      Files.deleteIfExists(probe);
    }
  }

  /** Mounts {@code mebibytes} of memory on an empty folder. */
  public static Mount tmpfs(Path folder, int mebibytes) throws IOException, InterruptedException {
    run("mount", "-t", "tmpfs", "-o", "size=" + mebibytes + "m", "headpond", folder.toString());
    return new Mount(folder);
  }

  /** One that a program has made; it is detached when this is closed. */
  public static Mount made(Path folder) {
    return new Mount(folder);
  }

  /** The folder where it is mounted. */
  public Path folder() {
    return folder;
  }

  /** Gives it another size. */
  public void resize(int mebibytes) throws IOException, InterruptedException {
    run("mount", "-o", "remount,size=" + mebibytes + "m", folder.toString());
  }

  /**
   * Makes it read-only, as the kernel does with a file system that it no longer trusts; or writable
   * again.
   */
  public void readOnly(boolean only) throws IOException, InterruptedException {
    run("mount", "-o", "remount," + (only ? "ro" : "rw"), folder.toString());
  }

  private static void run(String... command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException(String.join(" ", command) + ": " + output);
    }
  }

  /** Detaches it at once, also while a broker that a failed test or run left still uses it. */
  @Override
  public void close() throws IOException {
    try {
      run("umount", "-l", folder.toString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
