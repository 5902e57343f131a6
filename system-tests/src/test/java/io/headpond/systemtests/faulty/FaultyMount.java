// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests.faulty;

import io.headpond.harness.process.Dialogue;
import io.headpond.harness.process.JavaServer;
import io.headpond.systemtests.Workspace;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Stream;

/**
 * A folder that is a file system of its own, which fails or is slow when it is told to: libfuse 2
 * must be there (Debian's {@code libfuse2}) and {@code /dev/fuse} open to this user. One thread.
 */
public final class FaultyMount implements AutoCloseable {

  /** What a device that fails answers. */
  public static final int EIO = 5;

  /** What a full one answers, or one whose user has used up his share. */
  public static final int ENOSPC = 28;

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Dialogue server;

  private FaultyMount(Dialogue server) {
    this.server = server;
  }

  /** Why there is none on this machine; empty if there is. */
  public static String impossible() {
    if (!Files.isWritable(Path.of("/dev/fuse"))) {
      return "/dev/fuse isn't there or not open to this user";
    }
    boolean library =
        Stream.of("/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/lib")
            .anyMatch(folder -> Files.exists(Path.of(folder, "libfuse.so.2")));
    return library ? "" : "libfuse.so.2 isn't installed (Debian: libfuse2)";
  }

  /** Mounts it on an empty folder; its files are in another one of the workspace. */
  public static FaultyMount on(Path folder, Workspace workspace)
      throws IOException, InterruptedException {
    String name = "device-of-" + folder.getFileName();
    Properties settings = new Properties();
    settings.setProperty("root", workspace.folder(name).toString());
    settings.setProperty("mount", folder.toString());
    JavaServer java =
        new JavaServer(name, workspace.folder(name + "-server")).classPath(classPath());
    Dialogue server = Dialogue.start(name, java, FaultyServer.class.getName(), settings);
    try {
      server.ask("mount", PATIENCE);
      return new FaultyMount(server);
    } catch (IOException | InterruptedException | RuntimeException e) {
      server.close();
      throw e;
    }
  }

  private static List<Path> classPath() {
    String path =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    return Stream.of(path.split(File.pathSeparator)).map(Path::of).toList();
  }

  /** Calls fail from now on: so many of them, all if negative. */
  public void fail(Fault.Call call, int errno, int times, String path)
      throws IOException, InterruptedException {
    ask("fail " + call + " " + errno + " " + times + " " + path);
  }

  /** Nothing fails any more; returns how often something did. */
  public long repair() throws IOException, InterruptedException {
    return Long.parseLong(ask("clear").get("hits"));
  }

  /** How often something has failed since it was last repaired. */
  public long hits() throws IOException, InterruptedException {
    return Long.parseLong(ask("figures").get("hits"));
  }

  /** Bytes that were written to it. */
  public long writtenBytes() throws IOException, InterruptedException {
    return Long.parseLong(ask("figures").get("written"));
  }

  /** Writes are as slow as those of a disk that takes so many bytes a second; 0: no longer. */
  public void pace(long bytesPerSecond) throws IOException, InterruptedException {
    ask("pace " + bytesPerSecond);
  }

  /**
   * What failed forces have lost is zeros afterwards, as after a power cut: Linux goes on showing
   * it until then. The engine must not run. Returns the number of bytes.
   */
  public long cutPower() throws IOException, InterruptedException {
    return Long.parseLong(ask("cut").get("lost"));
  }

  private Map<String, String> ask(String command) throws IOException, InterruptedException {
    return server.ask(command, PATIENCE);
  }

  /** Detaches it; a broker that a failed test left gets errors from then on. */
  @Override
  public void close() {
    server.close();
  }
}
