// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmptyDeviceTest {
  private static final String ROOT = "21 1 254:0 / / rw,relatime - ext4 /dev/vda rw\n";

  @TempDir Path folder;
  private Path tier;
  private Path mounts;

  @BeforeEach
  void makeTier() throws IOException {
    tier = Files.createDirectories(folder.toRealPath().resolve("fast tier"));
    mounts = folder.resolve("mountinfo");
  }

  private String objection(String... lines) throws IOException {
    Files.writeString(mounts, ROOT + String.join("", lines));
    return EmptyDevice.objection(tier, mounts).orElse("");
  }

  private static String mount(Path point, String root, String type) {
    String escaped = point.toString().replace(" ", "\\040");
    return "40 21 8:16 " + root + " " + escaped + " rw shared:7 - " + type + " /dev/sdb rw\n";
  }

  @Test
  void aWholeFileSystemThatIsMountedThereIsOne() throws IOException {
    assertThat(objection(mount(tier, "/", "ext4"))).isEmpty();
    Files.createDirectory(tier.resolve("lost+found"));
    assertThat(objection(mount(tier, "/", "ext4"))).isEmpty();
  }

  @Test
  void aDirectoryWhoseDeviceIsNotMountedIsNone() throws IOException {
    assertThat(objection()).contains("nothing is mounted there");
  }

  @Test
  void aMountAboveItOrBelowItSaysNothing() throws IOException {
    assertThat(objection(mount(tier.getParent(), "/", "ext4"))).contains("nothing is mounted");
    assertThat(objection(mount(tier.resolve("in"), "/", "ext4"))).contains("nothing is mounted");
  }

  @Test
  void aFolderOfAnotherFileSystemIsNone() throws IOException {
    assertThat(objection(mount(tier, "/mnt/nvme0", "ext4"))).contains("the folder /mnt/nvme0 of");
  }

  @Test
  void theUppermostMountCounts() throws IOException {
    assertThat(objection(mount(tier, "/", "autofs"))).contains("nothing is mounted there");
    assertThat(objection(mount(tier, "/", "autofs"), mount(tier, "/", "xfs"))).isEmpty();
    assertThat(objection(mount(tier, "/", "xfs"), mount(tier, "/old", "ext4"))).contains("/old");
  }

  /** The empty directory is one of the file system above; the device is there, with its files. */
  @Test
  void aMountThatAnotherOneCoversIsNone() throws IOException {
    String above = "41 21 0:40 / " + tier.getParent() + " rw - tmpfs above rw\n";
    assertThat(objection(mount(tier, "/", "xfs"), above)).contains("nothing is mounted there");
  }

  @Test
  void aMountOfAnyNameElsewhereSaysNothing() throws IOException {
    Files.writeString(mounts, ROOT + mount(tier, "/", "xfs"));
    Files.write(
        mounts,
        "50 21 8:1 / /media/Donn\u00e9es rw - vfat /dev/sdz rw\n".getBytes(ISO_8859_1),
        StandardOpenOption.APPEND);
    assertThat(EmptyDevice.objection(tier, mounts)).isEmpty();
  }

  @Test
  void aDeviceThatHoldsAnythingIsNone() throws IOException {
    Files.writeString(tier.resolve(".headpond"), "format=1\n");
    assertThat(objection(mount(tier, "/", "ext4"))).isEqualTo("it holds '.headpond'");
  }

  @Test
  void aDirectoryThatIsNotThereIsNone() throws IOException {
    Files.delete(tier);
    assertThat(objection(mount(tier, "/", "ext4"))).isEqualTo("it isn't there");
  }
}
