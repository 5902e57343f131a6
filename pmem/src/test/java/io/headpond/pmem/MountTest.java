// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MountTest {
  /** As Linux 6.12 shows them: mounted at /data/fast, then twice at /data. */
  private static final String COVERED =
      """
      27 1 254:0 / / rw - ext4 /dev/vda rw
      69 27 259:1 / /data/fast rw,relatime - xfs /dev/nvme0n1 rw
      70 27 0:40 / /data rw,relatime - ramfs over rw
      71 70 0:41 / /data rw,relatime - tmpfs two rw
      """;

  @TempDir Path folder;
  private String table = "";

  private String at(String path) throws IOException {
    return Mount.of(Path.of(path), Files.writeString(folder.resolve("mountinfo"), table)).type();
  }

  @Test
  void theLongestMountPointOnTheWayCounts() throws IOException {
    table =
        """
        27 1 254:0 / / rw - ext4 /dev/vda rw
        69 27 259:1 / /data rw - xfs /dev/nvme0n1 rw
        70 69 259:2 / /data/fast rw - btrfs /dev/nvme1n1 rw
        """;
    assertThat(at("/data/fast/x")).isEqualTo("btrfs");
    assertThat(at("/data/fast")).isEqualTo("btrfs");
    assertThat(at("/data/faster")).isEqualTo("xfs");
    assertThat(at("/database")).isEqualTo("ext4");
    assertThat(at("/")).isEqualTo("ext4");
  }

  @Test
  void aMountThatALaterOneCoversIsNotSeen() throws IOException {
    table = COVERED;
    assertThat(at("/data/fast")).isEqualTo("tmpfs");
    assertThat(at("/data/fast/segments")).isEqualTo("tmpfs");
    table += "72 71 259:1 / /data/fast rw - xfs /dev/nvme0n1 rw\n";
    assertThat(at("/data/fast")).isEqualTo("xfs");
  }

  @Test
  void aMountWhoseParentIsCoveredIsNotSeen() throws IOException {
    table =
        """
        27 1 254:0 / / rw - ext4 /dev/vda rw
        69 27 259:1 / /mnt/data rw - xfs /dev/nvme0n1 rw
        70 69 259:2 / /mnt/data/fast rw - btrfs /dev/nvme1n1 rw
        71 27 0:41 / /mnt rw - tmpfs two rw
        """;
    assertThat(at("/mnt/data/fast")).isEqualTo("tmpfs");
  }

  @Test
  void theRootThatAnotherOneCoversIsNotSeen() throws IOException {
    table = "1 1 0:1 / / rw - rootfs rootfs rw\n27 1 254:0 / / rw - ext4 /dev/vda rw\n";
    assertThat(at("/data")).isEqualTo("ext4");
  }

  @Test
  void whatTheKernelLetsNobodyWriteToIsReadOnly() throws IOException {
    table =
        """
        27 1 254:0 / / rw,relatime - ext4 /dev/vda rw,errors=remount-ro
        28 27 259:1 / /mounted ro,relatime - xfs /dev/nvme0n1 rw
        29 27 259:2 / /failed rw,relatime - ext4 /dev/nvme1n1 ro
        30 27 259:3 / /failed/newer rw,relatime - ext4 /dev/nvme2n1 rw,abort,emergency_ro
        """;
    Path file = Files.writeString(folder.resolve("mountinfo"), table);
    assertThat(Mount.of(Path.of("/data"), file).readOnly()).isFalse();
    for (String place : List.of("/mounted/x", "/failed", "/failed/newer/x")) {
      assertThat(Mount.of(Path.of(place), file).readOnly()).as(place).isTrue();
    }
  }

  /** A broker's environment often names no language, and anybody's disk may have any name. */
  @Test
  void aNameThatTheJvmCannotExpressIsOnlyAName() throws Exception {
    Path mounts = folder.resolve("mountinfo");
    Files.writeString(
        mounts,
        "27 1 254:0 / / rw - ext4 /dev/vda rw\n28 27 8:1 / /media/Donn\u00e9es rw - vfat /dev/sda1 rw\n",
        StandardCharsets.UTF_8);
    ProcessBuilder command =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            MountTest.class.getName(),
            mounts.toString());
    command.environment().put("LC_ALL", "C");
    Process process = command.redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    assertThat(said).isEqualTo("ext4");
  }

  public static void main(String[] args) throws IOException {
    System.out.print(Mount.of(Path.of("/data"), Path.of(args[0])).type());
  }
}
