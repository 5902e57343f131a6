// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.headpond.cli.Run;
import io.headpond.harness.process.FolderRemoval;
import io.headpond.harness.process.Mount;
import io.headpond.store.TieredStore;
import io.headpond.store.config.ConfigException;
import io.headpond.store.config.StoreConfig;
import io.headpond.store.event.EventCode.Words;
import io.headpond.store.event.StartCodes;
import io.headpond.store.event.StoreRefusedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A start in each situation in which it is refused, and then the remedy that the refusal prints.
 * Each test is tagged with the code; {@code ErrorsPageTest} misses one that has none.
 */
class RemedyTest {
  private static final Pattern COMMAND = Pattern.compile("'headpond ([^']+)'");

  @TempDir Path root;
  private CutFixture fixture;
  private Path file;

  @BeforeEach
  void aBrokerThatHasStopped() throws IOException {
    fixture = new CutFixture(root);
    file = fixture.configuration(false);
  }

  private Path tier(String name) {
    return root.resolve("tier " + name);
  }

  /** What a start says; null: it goes ahead. */
  private Words start() throws IOException {
    try (TieredStore store = new TieredStore(StoreConfig.load(file))) {
      store.claim(store.config().logDirs().get(0), true);
      return null;
    } catch (StoreRefusedException e) {
      return e.words();
    } catch (ConfigException e) {
      return StartCodes.CONFIGURATION.words(e.getMessage());
    }
  }

  private Words refused(String code) throws IOException {
    Words words = start();
    assertThat(words).as("a start").isNotNull();
    assertThat(words.code().code()).isEqualTo(code);
    return words;
  }

  private void starts() throws IOException {
    assertThat(start()).isNull();
  }

  /** Runs the command that a remedy prints. */
  private static void run(String remedy, String... more) {
    Matcher command = COMMAND.matcher(remedy);
    assertThat(command.find()).as(remedy).isTrue();
    List<String> words = new ArrayList<>();
    Matcher each = Pattern.compile("/.*?(?= --|$)|\\S+").matcher(command.group(1));
    while (each.find()) {
      words.add(each.group());
    }
    words.addAll(Arrays.asList(more));
    Run run = Run.of(words.toArray(String[]::new));
    assertThat(run.exitCode()).as(words + "\n" + run.out() + run.err()).isZero();
  }

  private void configure(String from, String to) throws IOException {
    Files.writeString(file, Files.readString(file).replace(from, to));
  }

  /** As {@code cp -a}: links stay links. */
  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> all = Files.walk(from)) {
      for (Path each : all.toList()) {
        Files.copy(
            each,
            to.resolve(from.relativize(each).toString()),
            LinkOption.NOFOLLOW_LINKS,
            StandardCopyOption.COPY_ATTRIBUTES);
      }
    }
  }

  @Test
  @Tag("HP0101")
  void aKeyThatIsCorrected() throws IOException {
    configure("headpond.tiers", "headpond.tires");
    refused("HP0101");
    configure("headpond.tires", "headpond.tiers");
    starts();
  }

  @Test
  @Tag("HP0102")
  void aNewTierWhoseDirectoryIsMade() throws IOException {
    configure("tiers=pmem,nvme", "tiers=pmem,nvme,third\nheadpond.tier.third.paths=" + tier("3"));
    refused("HP0102");
    Files.createDirectory(tier("3"));
    starts();
  }

  @Test
  @Tag("HP0102")
  void aNewTierInWhosePlaceAFileIs() throws IOException {
    configure("tiers=pmem,nvme", "tiers=pmem,nvme,third\nheadpond.tier.third.paths=" + tier("3"));
    Files.createFile(tier("3"));
    refused("HP0102");
    Files.delete(tier("3"));
    Files.createDirectory(tier("3"));
    starts();
  }

  @Test
  @Tag("HP0102")
  void aTierThatIsMountedAgain() throws IOException {
    fixture.lose();
    refused("HP0102");
    fixture.find("pmem");
    starts();
  }

  /** The command says what is left to do, and the next start too: its directory is gone. */
  @Test
  @Tag("HP0102")
  void aLostTierWhoseDirectoryIsGone() throws IOException {
    fixture.lose();
    run(refused("HP0102").remedy(), "--accept-loss");
    refused("HP0102");
    Files.createDirectory(tier("pmem"));
    starts();
  }

  @Test
  @Tag("HP0103")
  void aLostTierWhoseMountPointIsEmpty() throws IOException {
    fixture.lose();
    Files.createDirectory(tier("pmem"));
    run(refused("HP0103").remedy(), "--accept-loss");
    starts();
  }

  @Test
  @Tag("HP0103")
  void aTierThatIsMountedOverItsMountPoint() throws IOException {
    fixture.lose();
    Files.createDirectory(tier("pmem"));
    refused("HP0103");
    Files.delete(tier("pmem"));
    fixture.find("pmem");
    starts();
  }

  @Test
  @Tag("HP0103")
  void anEphemeralTierThatCameBackEmpty() throws Exception {
    assumeTrue(Mount.possible(), "only root can mount a device");
    file = fixture.configuration(true);
    fixture.lose();
    try (Mount device = Mount.tmpfs(Files.createDirectory(tier("pmem")), 16)) {
      assertThat(device.folder()).isEmptyDirectory();
      String remedy = refused("HP0103").remedy();
      assertThat(remedy).doesNotContain("ephemeral", "--tier");
      run(remedy, "--accept-loss");
      starts();
    }
  }

  @Test
  @Tag("HP0104")
  void anotherTierInItsPlace() throws IOException {
    fixture.lose();
    Files.move(tier("nvme"), tier("pmem"));
    Files.createDirectory(tier("nvme"));
    refused("HP0104");
    Files.delete(tier("nvme"));
    Files.move(tier("pmem"), tier("nvme"));
    fixture.find("pmem");
    starts();
  }

  @Test
  @Tag("HP0104")
  void anotherTierInPlaceOfALostOne() throws IOException {
    fixture.lose();
    LogDirFixture other = new LogDirFixture(Files.createDirectory(root.resolve("other")));
    Files.move(other.tier("pmem"), tier("pmem"));
    run(refused("HP0104").remedy(), "--accept-loss");
    starts();
  }

  @Test
  @Tag("HP0105")
  void aTierThatIsGivenADirectoryOfItsOwn() throws IOException {
    configure("tiers=pmem,nvme", "tiers=pmem,nvme,third\nheadpond.tier.third.paths=" + tier("3"));
    Files.createDirectories(tier("3").resolve("photos"));
    refused("HP0105");
    Files.createDirectory(tier("4"));
    configure(tier("3").toString(), tier("4").toString());
    starts();
  }

  @Test
  @Tag("HP0106")
  void aTierWhoseOtherEngineIsStopped() throws Exception {
    try (TieredStore other = new TieredStore(StoreConfig.load(file))) {
      other.claim();
      refused("HP0106");
    }
    starts();
  }

  @Test
  @Tag("HP0107")
  void aCopyOfATierThatIsTakenOutOrEmptied() throws IOException {
    String with = "tiers=pmem,nvme,third\nheadpond.tier.third.paths=" + tier("3");
    copy(tier("nvme"), tier("3"));
    configure("tiers=pmem,nvme", with);
    refused("HP0107");
    configure(with, "tiers=pmem,nvme");
    starts();
    configure("tiers=pmem,nvme", with);
    refused("HP0107");
    FolderRemoval.remove(tier("3"), false);
    Files.createDirectories(tier("3"));
    starts();
  }

  @Test
  @Tag("HP0109")
  void aCopyOfALogDirectoryThatIsRemoved() throws IOException {
    Path copy = root.resolve("copy");
    copy(fixture.logDir(), copy);
    configure("log.dirs=", "log.dirs=" + copy + ",");
    refused("HP0109");
    FolderRemoval.remove(copy, true);
    configure(copy + ",", "");
    starts();
  }

  @Test
  @Tag("HP0110")
  void aCopyThatKeptLinks() throws IOException {
    Path copy = fixture.logDir().resolve("orders-2");
    copy(fixture.logDir().resolve("orders-0"), copy);
    refused("HP0110");
    try (Stream<Path> names = Files.list(copy)) {
      for (Path link : names.filter(Files::isSymbolicLink).toList()) {
        Files.delete(link);
      }
    }
    starts();
  }

  @Test
  @Tag("HP0111")
  void aTierThatWasTakenOutBeforeItWasDrained() throws IOException {
    configure("tiers=pmem,nvme", "tiers=nvme");
    configure("headpond.tier.pmem.", "#");
    run(refused("HP0111").remedy());
    starts();
  }

  @Test
  @Tag("HP0111")
  void aLinkThatIsReplacedByACopyOfItsFile() throws IOException {
    Path name = fixture.segment("orders-0", 100);
    Path elsewhere = Files.move(name.toRealPath(), root.resolve("elsewhere"));
    Files.delete(name);
    Files.createSymbolicLink(name, elsewhere);
    refused("HP0111");
    Files.delete(name);
    Files.copy(elsewhere, name);
    starts();
  }

  @Test
  @Tag("HP0111")
  void aPartitionThatIsMovedBackToItsLogDirectory() throws IOException {
    CutFixture other = new CutFixture(Files.createDirectory(root.resolve("other")));
    Path from = other.logDir().resolve("orders-0");
    Path to = Files.move(from, fixture.logDir().resolve("orders-2"));
    refused("HP0111");
    Files.move(to, from);
    starts();
  }

  @Test
  @Tag("HP0112")
  void segmentsThatAreRestored() throws IOException {
    Path there = fixture.segment("orders-0", 100).toRealPath();
    Path away = Files.move(there, root.resolve("away"));
    refused("HP0112");
    Files.move(away, there);
    starts();
  }

  @Test
  @Tag("HP0112")
  void segmentsThatAreLost() throws IOException {
    Files.delete(fixture.segment("orders-0", 100).toRealPath());
    run(refused("HP0112").remedy(), "--accept-loss");
    starts();
  }

  @Test
  @Tag("HP0113")
  void aFormatThatAnotherVersionReads() throws IOException {
    Path identity = fixture.logDir().resolve(".headpond");
    String known = Files.readString(identity);
    Files.writeString(identity, known.replace("format=1", "format=99"));
    refused("HP0113");
    Files.writeString(identity, known); // no version reads the other one
    starts();
  }

  @Test
  @Tag("HP0114")
  void anIdentityThatIsRestored() throws IOException {
    Path identity = tier("pmem").resolve(".headpond");
    byte[] backup = Files.readAllBytes(identity);
    Files.writeString(identity, "format=1\nid=none\n");
    refused("HP0114");
    Files.write(identity, backup);
    starts();
  }

  @Test
  @Tag("HP0115")
  void aReadOnlyTierThatIsMountedWritable() throws Exception {
    assumeTrue(Mount.possible(), "only root can mount a device");
    configure("tiers=pmem,nvme", "tiers=pmem,nvme,third\nheadpond.tier.third.paths=" + tier("3"));
    try (Mount device = Mount.tmpfs(Files.createDirectory(tier("3")), 16)) {
      device.readOnly(true);
      assertThat(refused("HP0115").remedy()).contains("mount -o remount,rw");
      device.readOnly(false);
      starts();
    }
  }

  @Test
  @Tag("HP0116")
  void aHomeThatCantBeWrittenToIsMountedWritable() throws Exception {
    assumeTrue(Mount.possible(), "only root can mount a device");
    try (Mount device = Mount.tmpfs(Files.createDirectory(root.resolve("home")), 16)) {
      configure("log.dirs=" + fixture.logDir(), "log.dirs=" + device.folder());
      device.readOnly(true);
      assertThat(refused("HP0116").remedy()).contains("mount -o remount,rw");
      device.readOnly(false);
      starts();
    }
  }

  @Test
  @Tag("HP0118")
  void aTierThatIsNotDeclaredEphemeral() throws IOException {
    fixture.lose();
    Run run = Run.of("recover", file.toString());
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains("HP0118");
    run(run.err().replaceAll("\\s+", " "), "--accept-loss");
    Files.createDirectory(tier("pmem"));
    starts();
  }

  @Test
  @Tag("HP0119")
  void whatNoOtherBrokerHasIsGivenUp() throws IOException {
    fixture.lose();
    Run run = Run.of("recover", file.toString(), "--tier", "pmem");
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains("HP0119");
    run("'headpond recover " + file + " --tier pmem'", "--accept-loss");
  }
}
