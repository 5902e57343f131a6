// SPDX-License-Identifier: Apache-2.0
package io.headpond.harness.slowdisk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Control groups as trees of plain files: a write shows its last line only. */
class ThrottleTest {

  private static final DiskLimit LIMIT = DiskLimit.parse("50MB/s,3000iops");
  private static final String V1 = "sys/fs/cgroup/blkio/";
  private static final String V2 = "sys/fs/cgroup/";

  @TempDir Path root;
  private FakeMachine machine;

  @BeforeEach
  void machine() throws IOException {
    machine = new FakeMachine(root);
  }

  private Throttle throttle() throws IOException {
    return Throttle.of(machine.files(), "headpond-limited-1");
  }

  private void version2(String controllers) throws IOException {
    machine.file(V2 + "cgroup.controllers", "cpuset cpu io memory pids");
    machine.file(V2 + "cgroup.subtree_control", controllers);
    machine.file(V2 + "user.slice/cgroup.procs", "");
    machine.file(V2 + "headpond-limited-1/io.max", "");
    machine.file(V2 + "headpond-limited-1/cgroup.procs", "4711\n" + FakeMachine.PID);
  }

  @Test
  void version1LimitsInTheRootGroup() throws IOException {
    machine.version1("");
    throttle().limit("7:3", LIMIT);
    assertThat(machine.content(V1 + "blkio.throttle.write_bps_device")).isEqualTo("7:3 50000000");
    assertThat(machine.content(V1 + "blkio.throttle.read_bps_device")).isEqualTo("7:3 50000000");
    assertThat(machine.content(V1 + "blkio.throttle.write_iops_device")).isEqualTo("7:3 3000");
    assertThat(machine.content(V1 + "blkio.throttle.read_iops_device")).isEqualTo("7:3 3000");
    throttle().unlimit("7:3");
    for (String kind : List.of("write_bps", "read_bps", "write_iops", "read_iops")) {
      assertThat(machine.content(V1 + "blkio.throttle." + kind + "_device")).isEqualTo("7:3 0");
    }
  }

  @Test
  void version1LimitsTheProcessesOwnGroupToo() throws IOException {
    Path top = machine.version1("");
    Path own = machine.version1("docker/abc");
    machine.file("proc/self/cgroup", "9:cpu,cpuacct:/x\n7:blkio,net_cls:/docker/abc\n0::/y");
    assertThat(throttle()).isEqualTo(new ThrottleV1(List.of(top, own)));
    throttle().limit("7:3", LIMIT);
    assertThat(machine.content(V1 + "docker/abc/blkio.throttle.write_bps_device"))
        .isEqualTo("7:3 50000000");
  }

  @Test
  void aGroupThatIsOnlySeenOutsideOfTheContainerIsLeft() throws IOException {
    Path top = machine.version1("");
    machine.file("proc/self/cgroup", "7:blkio:/docker/abc");
    assertThat(throttle()).isEqualTo(new ThrottleV1(List.of(top)));
  }

  @Test
  void version2LimitsInAGroupThatThisProcessJoins() throws IOException {
    version2("cpu io memory");
    Throttle throttle = throttle();
    throttle.limit("7:3", LIMIT);
    assertThat(machine.content(V2 + "headpond-limited-1/io.max"))
        .isEqualTo("7:3 rbps=50000000 wbps=50000000 riops=3000 wiops=3000");
    assertThat(machine.content(V2 + "headpond-limited-1/cgroup.procs"))
        .isEqualTo("" + FakeMachine.PID);
    throttle.unlimit("7:3");
    assertThat(machine.content(V2 + "headpond-limited-1/io.max"))
        .isEqualTo("7:3 rbps=max wbps=max riops=max wiops=max");
  }

  @Test
  void version2WritesNoLimitWhereThereIsNone() throws IOException {
    version2("io memory");
    throttle().limit("7:3", DiskLimit.parse("500iops"));
    assertThat(machine.content(V2 + "headpond-limited-1/io.max"))
        .isEqualTo("7:3 rbps=max wbps=max riops=500 wiops=500");
  }

  @Test
  void version2GoesBackToTheFormerGroup() throws IOException {
    version2("io memory");
    Throttle throttle = throttle();
    assertThat(throttle.members()).containsExactly(4711L);
    Path group = machine.path(V2 + "headpond-limited-1");
    // Only of plain files a group with files can't be removed.
    assertThatThrownBy(throttle::remove).isInstanceOf(FileSystemException.class);
    assertThat(machine.content(V2 + "user.slice/cgroup.procs")).isEqualTo("" + FakeMachine.PID);
    Files.delete(group.resolve("io.max"));
    Files.writeString(group.resolve("cgroup.procs"), "");
    Files.delete(group.resolve("cgroup.procs"));
    Files.delete(group);
    throttle.remove();
    throttle.unlimit("7:3");
    assertThat(throttle.members()).isEmpty();
  }

  @Test
  void version2NeedsTheControllersOfBlocksAndMemory() throws IOException {
    version2("cpu memory");
    assertThatThrownBy(this::throttle)
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll(
            "cgroup.subtree_control has [cpu, memory]", "write '+io +memory' into it");
  }

  @Test
  void aMachineWithoutControllersIsRefused() {
    assertThatThrownBy(this::throttle)
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll("sys/fs/cgroup", "no controller of block devices", "cgroup2");
  }

  @Test
  void version1CountsWhereBothAreMounted() throws IOException {
    version2("");
    machine.version1("");
    assertThat(throttle()).isInstanceOf(ThrottleV1.class);
  }

  @Test
  void aRecordGivesTheSameAgain() {
    for (Throttle throttle :
        List.of(
            new ThrottleV1(List.of(Path.of("/a"), Path.of("/a/b"))),
            new ThrottleV2(Path.of("/c"), Path.of("/d")))) {
      Properties properties = new Properties();
      throttle.put(properties);
      assertThat(Throttle.of(properties)).isEqualTo(throttle);
    }
  }
}
