// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests.slowdisk;

import io.headpond.harness.slowdisk.DiskLimit;
import io.headpond.harness.slowdisk.LimitedHome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/** A process that has a limited home, with a program that works on it, until it is killed. */
final class LimitedHomeHolder {

  private LimitedHomeHolder() {}

  /**
   * The process.
   *
   * @param args a folder on disk
   */
  public static void main(String[] args) throws Exception {
    LimitedHome.Settings settings =
        new LimitedHome.Settings(
            Path.of(args[0]),
            DiskLimit.parse("20MB/s,500iops"),
            256 << 20,
            512 << 20,
            Duration.ofMillis(500));
    LimitedHome home = new LimitedHome(settings, text -> {});
    home.start();
    Path file = Files.createFile(home.folder().resolve("an engine's file"));
    Process engine = new ProcessBuilder("sleep", "1000").redirectInput(file.toFile()).start();
    System.out.println(engine.pid());
    System.out.flush();
    new CountDownLatch(1).await();
  }
}
