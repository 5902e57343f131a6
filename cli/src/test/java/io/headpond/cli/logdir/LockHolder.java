// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/** Another process that holds lock files, as a running broker does, until its stdin ends. */
public final class LockHolder implements AutoCloseable {
  private final Process process;

  public LockHolder(Path... lockFiles) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-XX:TieredStopAtLevel=1");
    command.add("-Dsun.jnu.encoding=UTF-8");
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(LockHolder.class.getName());
    List.of(lockFiles).forEach(file -> command.add(file.toString()));
    process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    for (Path lockFile : lockFiles) {
      if (process.getInputStream().read() != 'L') {
        throw new IOException("the other process didn't get the lock " + lockFile);
      }
    }
  }

  public long pid() {
    return process.pid();
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }

  public static void main(String[] args) throws IOException {
    List<FileChannel> channels = new ArrayList<>();
    for (String file : args) {
      FileChannel channel =
          FileChannel.open(Path.of(file), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      channels.add(channel);
      System.out.print(channel.tryLock() == null ? 'N' : 'L');
      System.out.flush();
    }
    while (System.in.read() >= 0) {
      // Held until the parent goes away.
    }
    for (FileChannel channel : channels) {
      channel.close();
    }
  }
}
