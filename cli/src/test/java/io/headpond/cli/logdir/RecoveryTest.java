// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headpond.cli.Run;
import io.headpond.store.config.StoreConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.function.Function;
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

  /** A broker's configuration of the fixture's directories. */
  private Path configuration(boolean ephemeral) throws Exception {
    return Files.writeString(
        root.resolve("server.properties"),
        "log.dirs="
            + fixture.logDir()
            + "\nheadpond.tiers=pmem,nvme\nheadpond.tier.pmem.paths="
            + root.resolve("tier pmem")
            + "\nheadpond.tier.nvme.paths="
            + root.resolve("tier nvme")
            + "\nheadpond.tier.pmem.ephemeral="
            + ephemeral
            + "\n");
  }

  private List<Recovery.Result> recover(boolean ephemeral) throws Exception {
    return new Recovery(StoreConfig.load(configuration(ephemeral)), mounts, new LogDirChanges())
        .run(this::askNobody);
  }

  private Function<TierLoss.Partition, OtherReplicas.Answer> askNobody(
      Path logDir, List<TierLoss.Partition> partitions) throws IOException {
    return OtherReplicas.ask(logDir, NOBODY, settings, partitions)::of;
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
    Run run = Run.of("recover", configuration(true).toString(), "--bootstrap-server", NOBODY);
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out()).contains("nothing to do");
  }

  @Test
  void aTierThatIsNotDeclaredEphemeralIsLeftToTheOperator() throws Exception {
    comeBackEmpty();
    refused(false, "HP0118", "isn't declared ephemeral", "forget-tier");
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
    assertThat(
            new Recovery(StoreConfig.load(only), mounts, new LogDirChanges()).run(this::askNobody))
        .isEmpty();
  }

  /** Its device may be mounted where the configuration names a directory by now. */
  @Test
  void anotherDirectoryOfTheTierThatIsNotConfiguredIsRefused() throws Exception {
    comeBackEmpty();
    Files.writeString(
        fixture.logDir().resolve(".headpond"),
        "tier.pmem.7=0d4f1d6e-52b7-4a55-a0a5-2f3f5f0f5b77 /not/there\n",
        StandardOpenOption.APPEND);
    refused(true, "HP0118", "/not/there", "the configuration doesn't name it");
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
  void aTierThatHeldNothingIsForgottenWithoutAQuestion() throws Exception {
    for (long base : List.of(100L, 250L)) {
      Files.delete(fixture.segment("orders-0", base));
    }
    comeBackEmpty();
    List<Recovery.Result> done = recover(true);
    assertThat(done).hasSize(1);
    assertThat(done.get(0).partitions()).isZero();
    assertThat(done.get(0).text()).contains("HP0206").contains(tier.toString());
    assertThat(fixture.logDir().resolve(".headpond.recovered"))
        .content()
        .contains("\"tier\":\"pmem\"");
    assertThat(recover(true)).isEmpty();
  }

  /** Of 'headpond doctor', and of a start that looked at the device; no next one has come yet. */
  @Test
  void aFileThatAKilledTrialOfTheDeviceLeftIsNoMatter() throws Exception {
    comeBackEmpty();
    Files.createFile(tier.resolve(".headpond-probe"));
    Files.createFile(tier.resolve(".headpond-probe-6f9f0c1e"));
    refused(true, NOBODY, "who else has orders (0)");
  }

  @Test
  void aPartitionWhoseDiskIsNotMountedIsWaitedFor() throws Exception {
    comeBackEmpty();
    Files.createSymbolicLink(
        fixture.logDir().resolve("orders-2"), root.resolve("not mounted/orders-2"));
    refused(true, "orders-2 leads nowhere");
  }
}
