// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headpond.cli.Run;
import io.headpond.store.config.StoreConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecoveryTest {
  private static final String NOBODY = "localhost:1";

  @TempDir Path root;
  private CutFixture fixture;
  private Path tier;
  private Path settings;
  private Path mounts;

  @BeforeEach
  void makeLogDir() throws Exception {
    fixture = new CutFixture(root);
    tier = root.toRealPath().resolve("tier pmem");
    Files.writeString(fixture.logDir().resolve("meta.properties"), "node.id=1\nversion=1\n");
    settings =
        Files.writeString(
            root.resolve("client"), "default.api.timeout.ms=500\nrequest.timeout.ms=300\n");
    mounts = root.resolve("mountinfo");
    mounted("/");
  }

  private void mounted(String folder) throws Exception {
    String point = tier.toString().replace(" ", "\\040");
    Files.writeString(mounts, "40 21 8:16 " + folder + " " + point + " rw - ext4 /dev/sdb rw\n");
  }

  private List<Recovery.LogDirJson> recover(boolean ephemeral) throws Exception {
    return recover(fixture.configuration(ephemeral));
  }

  private List<Recovery.LogDirJson> recover(Path configuration) throws Exception {
    try (Recovery recovery =
        new Recovery(StoreConfig.load(configuration), null, mounts, path -> "")) {
      recovery.plan((logDir, lost) -> OtherReplicas.ask(logDir, NOBODY, settings, lost));
      return recovery.make(new LogDirChanges());
    }
  }

  private void comeBackEmpty() throws Exception {
    fixture.lose();
    Files.createDirectory(tier);
  }

  private void refused(boolean ephemeral, String... texts) throws Exception {
    Map<String, String> before = LogDirFixture.contents(fixture.logDir());
    assertThatThrownBy(() -> recover(ephemeral)).hasMessageContainingAll(texts);
    assertThat(LogDirFixture.contents(fixture.logDir())).isEqualTo(before);
  }

  @Test
  void nothingIsDoneOrAskedWhileEveryTierIsThere() throws Exception {
    Run run =
        Run.of("recover", fixture.configuration(true).toString(), "--bootstrap-server", NOBODY);
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out()).contains("nothing to do");
  }

  @Test
  void aTierThatIsNotDeclaredEphemeralIsLeftToTheOperator() throws Exception {
    comeBackEmpty();
    refused(false, "HP0118", "isn't declared ephemeral", "headpond recover", "--tier pmem");
  }

  @Test
  void aTierThatIsNoLongerConfiguredIsLeftToTheStart() throws Exception {
    comeBackEmpty();
    Path only = root.resolve("only nvme.properties");
    Files.writeString(
        only,
        "log.dirs="
            + fixture.logDir()
            + "\nheadpond.tiers=nvme\nheadpond.tier.nvme.paths="
            + root.resolve("tier nvme"));
    assertThat(recover(only)).isEmpty();
  }

  @Test
  void aDirectoryThatIsNoMountPointIsRefused() throws Exception {
    comeBackEmpty();
    Files.writeString(mounts, "21 1 254:0 / / rw - ext4 /dev/vda rw\n");
    refused(true, "HP0118", "nothing is mounted there");
  }

  @Test
  void aTierOfSomebodyElseIsRefused() throws Exception {
    comeBackEmpty();
    Files.writeString(
        tier.resolve(".headpond"),
        "format=1\nkind=tier\ntier=pmem\nid=0d4f1d6e-52b7-4a55-a0a5-2f3f5f0f5b77\n");
    refused(true, "HP0118", "it holds '.headpond'");
  }

  @Test
  void aClusterThatDoesNotAnswerIsRefusedByName() throws Exception {
    comeBackEmpty();
    refused(true, NOBODY, "who else has orders (0)");
  }

  @Test
  void aTierThatHeldNothingIsGivenUpWithoutAQuestion() throws Exception {
    for (long base : List.of(100L, 250L)) {
      Files.delete(fixture.segment("orders-0", base));
    }
    comeBackEmpty();
    List<Recovery.LogDirJson> done = recover(true);
    assertThat(done).hasSize(1);
    assertThat(done.get(0).partitions()).isEmpty();
    assertThat(done.get(0).lostDirectories()).containsExactly(tier.toString());
    assertThat(fixture.logDir().resolve(".headpond.recovered")).content().contains(tier.toString());
    assertThat(recover(true)).isEmpty();
  }

  /** Of 'headpond doctor', and of a start that looked at the device; no next one has come yet. */
  @Test
  void aFileThatAKilledTrialOfTheDeviceLeftIsNoMatter() throws Exception {
    comeBackEmpty();
    Files.createFile(tier.resolve(".headpond-probe-6f9f0c1e"));
    refused(true, NOBODY, "who else has orders (0)");
  }
}
