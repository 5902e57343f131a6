// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Another process that holds a lock file, as a running broker does, until its stdin ends. */
final class LockHolder implements AutoCloseable {
  private final Process process;

  LockHolder(Path lockFile) throws IOException {
    process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Dsun.jnu.encoding=UTF-8",
                "-cp",
                System.getProperty("java.class.path"),
                LockHolder.class.getName(),
                lockFile.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    if (process.getInputStream().read() != 'L') {
      throw new IOException("the other process didn't get the lock " + lockFile);
    }
  }

  long pid() {
    return process.pid();
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }

  public static void main(String[] args) throws IOException {
    try (FileChannel channel =
        FileChannel.open(Path.of(args[0]), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      System.out.print(channel.tryLock() == null ? 'N' : 'L');
      System.out.flush();
      while (System.in.read() >= 0) {
        // Held until the parent goes away.
      }
    }
  }
}
