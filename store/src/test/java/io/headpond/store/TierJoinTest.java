// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import static io.headpond.store.StoreFixture.CREATE;
import static io.headpond.store.StoreFixture.append;
import static io.headpond.store.StoreFixture.await;
import static io.headpond.store.StoreFixture.bytes;
import static io.headpond.store.StoreFixture.segment;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headpond.store.claim.TierLocks;
import io.headpond.store.event.StoreRefusedException;
import io.headpond.store.facts.StoreFacts;
import io.headpond.store.facts.TimeSource;
import io.headpond.store.layout.HomeIdentity;
import io.headpond.store.layout.TierAnswer;
import io.headpond.store.layout.TierAnswer.State;
import io.headpond.store.layout.TierIdentity;
import io.headpond.store.layout.TierRequest;
import io.headpond.store.layout.TierRequest.Action;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A tier that a store didn't start with joins it, by the configuration file as it is by then. */
final class TierJoinTest {
  private static final int KIB = 1 << 10;

  private StoreFixture fixture;

  /** What the operator has in the file. */
  private Properties file;

  private Path slow;

  @BeforeEach
  void makeDirectories() throws Exception {
    fixture = new StoreFixture();
    file = fixture.properties;
    slow = Files.createDirectory(fixture.root.resolve("slow"));
  }

  @AfterEach
  void removeDirectories() throws Exception {
    fixture.close();
  }

  /** The store starts without a tier; afterwards the file has it. */
  private void startWithout() throws IOException {
    final Properties whole = (Properties) file.clone();
    file.stringPropertyNames().stream()
        .filter(key -> key.equals("headpond.tiers") || key.startsWith("headpond.tier."))
        .forEach(file::remove);
    fixture.store();
    file.putAll(whole);
    fixture.write(file);
  }

  /** The store starts; afterwards the file has a tier more. */
  private void startAndName(final String tiers, final String name, final Path path)
      throws IOException {
    fixture.store();
    name(tiers, name, path);
  }

  private void name(final String tiers, final String name, final Path path) throws IOException {
    fixture
        .with("headpond.tiers", tiers)
        .with("headpond.tier." + name + ".type", "file")
        .with("headpond.tier." + name + ".capacity", "64MiB")
        .with("headpond.tier." + name + ".migrate.threshold", "-1")
        .with("headpond.tier." + name + ".paths", path.toString());
    fixture.write(file);
  }

  private TierAnswer ask(final Action action, final String tier) throws Exception {
    final TierRequest request = TierRequest.of(action, tier);
    final TierChanges changes = fixture.store().changes();
    final TierAnswer first = changes.begin(request);
    if (first.state().last()) {
      return first;
    }
    await(action + " of " + tier, () -> changes.answer(request).state().last());
    return changes.answer(request);
  }

  private TierAnswer done(final Action action, final String tier) throws Exception {
    final TierAnswer answer = ask(action, tier);
    assertThat(answer.state()).as(answer.text()).isEqualTo(State.DONE);
    return answer;
  }

  private void assertNot(final State state, final String tier, final String why) throws Exception {
    final List<String> before =
        fixture.store().facts().tiers().stream().map(t -> t.name()).toList();
    final TierAnswer answer = ask(Action.ADD, tier);
    assertThat(answer.text()).contains(why);
    assertThat(answer.state()).isEqualTo(state);
    assertThat(fixture.store().facts().tiers().stream().map(t -> t.name()).toList())
        .isEqualTo(before);
  }

  private Path write(final String partition, final int number) throws IOException {
    final Path name = segment(fixture.partition(partition), number);
    try (FileChannel channel = fixture.store().open(name, CREATE)) {
      append(channel, bytes(10 * KIB, number));
    }
    return name;
  }

  private static void assertIn(final Path tier, final Path name) throws IOException {
    assertThat(Files.readSymbolicLink(name)).startsWith(tier);
  }

  private static boolean isHome(final Path name) {
    return !Files.isSymbolicLink(name);
  }

  @Test
  void aStoreWithoutTiersGetsItsFirstOne() throws Exception {
    startWithout();
    final Path before = write("t-0", 0);
    assertThat(isHome(before)).isTrue();
    final TierAnswer answer = done(Action.ADD, "pmem");
    assertThat(answer.text()).contains(fixture.tier.toString(), fixture.file().toString());
    final Path after = write("t-0", 1);
    assertIn(fixture.tier, after);
    assertThat(isHome(before)).isTrue();
    assertThat(fixture.store().facts().tiers())
        .singleElement()
        .extracting("name")
        .isEqualTo("pmem");
    assertThat(HomeIdentity.read(fixture.home).orElseThrow().tiers())
        .singleElement()
        .extracting(HomeIdentity.TierRef::path)
        .isEqualTo(fixture.tier);
    fixture.restart();
    assertThat(Files.readAllBytes(after)).isEqualTo(bytes(10 * KIB, 1));
    assertIn(fixture.tier, write("t-0", 2));
    assertThat(fixture.store().counters().quarantinedFiles).hasValue(0);
  }

  @Test
  void aFasterTierComesBeforeTheOthers() throws Exception {
    startAndName("nvme,pmem", "nvme", slow);
    assertIn(fixture.tier, write("t-0", 0));
    assertThat(done(Action.ADD, "nvme").text()).contains("before all other places");
    assertIn(slow, write("t-0", 1));
    assertThat(fixture.store().facts().tiers().stream().map(t -> t.name()))
        .containsExactly("nvme", "pmem");
    await("the live counters lie there", () -> Files.exists(slow.resolve(LiveCounters.FILE_NAME)));
    await("and nowhere else", () -> !Files.exists(fixture.tier.resolve(LiveCounters.FILE_NAME)));
  }

  @Test
  void aSlowerTierTakesWhatTheFasterOneHasNoRoomFor() throws Exception {
    startAndName("pmem,nvme", "nvme", slow);
    assertThat(done(Action.ADD, "nvme").text()).contains("after pmem");
    final Path name = write("t-0", 0);
    assertIn(fixture.tier, name);
    done(Action.REMOVE, "pmem");
    assertIn(slow, name);
    assertThat(Files.readAllBytes(name)).isEqualTo(bytes(10 * KIB, 0));
  }

  @Test
  void itIsRemovedAgainAndTheStartWithoutItIsFine() throws Exception {
    startWithout();
    done(Action.ADD, "pmem");
    final Path name = write("t-0", 0);
    assertIn(fixture.tier, name);
    done(Action.REMOVE, "pmem");
    assertThat(isHome(name)).isTrue();
    assertThat(fixture.tierFiles()).isEmpty();
    fixture.stop();
    file.remove("headpond.tiers");
    file.stringPropertyNames().stream()
        .filter(key -> key.startsWith("headpond.tier."))
        .forEach(file::remove);
    fixture.store();
    assertThat(Files.readAllBytes(name)).isEqualTo(bytes(10 * KIB, 0));
    assertThat(HomeIdentity.read(fixture.home).orElseThrow().tiers()).isEmpty();
  }

  @Test
  void aStartWithoutItNamesFileAndLinksWhileSegmentsAreThere() throws Exception {
    startAndName("pmem,nvme", "nvme", slow);
    done(Action.ADD, "nvme");
    done(Action.REMOVE, "pmem");
    assertIn(slow, write("t-0", 0));
    fixture.stop();
    file.setProperty("headpond.tiers", "pmem");
    file.stringPropertyNames().stream()
        .filter(key -> key.startsWith("headpond.tier.nvme."))
        .forEach(file::remove);
    assertThatThrownBy(fixture::store)
        .isInstanceOf(StoreRefusedException.class)
        .hasMessageContaining("HP0111")
        .hasMessageContaining(fixture.file().toString())
        .hasMessageContaining(slow.toString());
  }

  @Test
  void whatTheFileDoesNotNameIsRefused() throws Exception {
    fixture.store();
    assertNot(State.REFUSED, "nvme", "there is no such configuration file");
    fixture.write(file);
    assertNot(State.REFUSED, "nvme", "the file names none");
    assertNot(State.REFUSED, "pmen", "did you mean pmem?");
    name("pmem,nvme", "nvme", slow);
    file.setProperty("headpond.tier.nvme.ephemerl", "true");
    fixture.write(file);
    assertNot(State.REFUSED, "nvme", "headpond.tier.nvme.ephemeral");
  }

  @Test
  void aFileThatIsNotThisStoresAnyMoreIsRefused() throws Exception {
    startAndName("nvme", "nvme", slow);
    final Properties rest = (Properties) file.clone();
    file.stringPropertyNames().stream()
        .filter(key -> key.startsWith("headpond.tier.pmem."))
        .forEach(file::remove);
    fixture.write(file);
    assertNot(State.REFUSED, "nvme", "keep them all");
    file.putAll(rest);
    name("pmem,nvme", "nvme", slow);
    file.setProperty("headpond.tier.pmem.paths", fixture.root.resolve("other").toString());
    fixture.write(file);
    assertNot(State.REFUSED, "nvme", "other directories");
    file.putAll(rest);
    name("pmem,nvme", "nvme", slow);
    file.setProperty("headpond.log.dirs", fixture.root.resolve("logs").toString());
    fixture.write(file);
    assertNot(State.REFUSED, "nvme", "other log directories");
  }

  @Test
  void theDirectoryOfARemovedTierIsNotAnothersUntilTheRestart() throws Exception {
    fixture.store();
    done(Action.REMOVE, "pmem");
    name("nvme", "nvme", fixture.tier);
    file.stringPropertyNames().stream()
        .filter(key -> key.startsWith("headpond.tier.pmem."))
        .forEach(file::remove);
    fixture.write(file);
    assertNot(State.REFUSED, "nvme", "was that of tier pmem");
  }

  @Test
  void theChecksOfAStartAreMade() throws Exception {
    startAndName("pmem,nvme", "nvme", slow);
    Files.createFile(slow.resolve("photos"));
    assertNot(State.FAILED, "nvme", "photos");
    Files.delete(slow.resolve("photos"));
    try (TierLocks other = new TierLocks(TimeSource.SYSTEM)) {
      other.lock(fixture.config().tiers().get(1), slow);
      assertNot(State.FAILED, "nvme", "HP0106");
    }
    StoreFixture.remove(slow);
    assertNot(State.FAILED, "nvme", "HP0102");
    Files.createDirectory(slow);
    done(Action.ADD, "nvme");
  }

  @Test
  void aDeviceThatTheLogDirectoryKnowsByAnotherIdentityIsRefused() throws Exception {
    startAndName("pmem,nvme", "nvme", slow);
    final HomeIdentity identity = HomeIdentity.read(fixture.home).orElseThrow();
    final List<HomeIdentity.TierRef> known = new ArrayList<>(identity.tiers());
    known.add(made());
    identity.writeTiers(known);
    made();
    assertNot(State.FAILED, "nvme", "HP0104");
  }

  /** A tier directory that some broker has used. */
  private HomeIdentity.TierRef made() throws IOException {
    return new HomeIdentity.TierRef("nvme", TierIdentity.create(slow, "nvme").id(), slow);
  }

  @Test
  void aLogDirectoryThatCannotBeToldLeavesTheOthersAsTheyWere() throws Exception {
    final Path second = Files.createDirectory(fixture.root.resolve("home1"));
    fixture.with("headpond.log.dirs", fixture.home + "," + second);
    startAndName("pmem,nvme", "nvme", slow);
    final Path identity = second.resolve(".headpond");
    final byte[] its = Files.readAllBytes(identity);
    Files.delete(identity);
    assertNot(State.FAILED, "nvme", second.toString());
    assertThat(HomeIdentity.read(fixture.home).orElseThrow().tiers())
        .extracting(HomeIdentity.TierRef::tier)
        .containsExactly("pmem");
    assertThatCode(
            () -> {
              try (TierLocks locks = new TierLocks(TimeSource.SYSTEM)) {
                locks.lock(fixture.config().tiers().get(1), slow);
              }
            })
        .as("its lock is free")
        .doesNotThrowAnyException();
    Files.write(identity, its);
    done(Action.ADD, "nvme");
  }

  @Test
  void aTierThatIsTakenBackIsKnownToTheLogDirectoryAgain() throws Exception {
    startAndName("pmem,nvme", "nvme", slow);
    done(Action.REMOVE, "pmem");
    done(Action.ADD, "nvme");
    done(Action.ADD, "pmem");
    assertIn(fixture.tier, write("t-0", 0));
    assertThat(HomeIdentity.read(fixture.home).orElseThrow().tiers())
        .extracting(HomeIdentity.TierRef::tier)
        .containsExactlyInAnyOrder("pmem", "nvme");
  }

  @Test
  void whatNoLinkNamesThereGoesToQuarantine() throws Exception {
    startAndName("pmem,nvme", "nvme", slow);
    final HomeIdentity identity = HomeIdentity.read(fixture.home).orElseThrow();
    final HomeIdentity.TierRef ref = made();
    final Path orphan =
        Files.createDirectories(ref.segments(identity.id())).resolve("t-0.0.0123456789abcdef");
    Files.write(orphan, bytes(KIB, 1));
    done(Action.ADD, "nvme");
    assertThat(orphan).doesNotExist();
    assertThat(fixture.store().counters().quarantinedFiles).hasValue(1);
    assertThat(ref.quarantine(identity.id())).isNotEmptyDirectory();
  }

  @Test
  void itsTopicsAreCountedByTopic() throws Exception {
    fixture.with("headpond.metrics.topics", "10");
    startAndName("nvme,pmem", "nvme", slow);
    write("t-0", 0);
    done(Action.ADD, "nvme");
    write("t-0", 1);
    final StoreFacts.Topic topic =
        fixture.store().facts().topics().stream()
            .filter(each -> each.name().equals("t"))
            .findFirst()
            .orElseThrow();
    assertThat(topic.places()).extracting("tier").containsExactly("nvme", "pmem", "home");
    assertThat(topic.places()).extracting("appendedBytes").containsExactly(10240L, 10240L, 0L);
  }

  @Test
  void aTopicThatStaysHomeComesHomeFromItToo() throws Exception {
    startAndName("nvme,pmem", "nvme", slow);
    done(Action.ADD, "nvme");
    final Path name = write("t-0", 0);
    assertIn(slow, name);
    fixture.stop();
    assertIn(slow, name);
    file.setProperty("headpond.home.only", "t");
    fixture.store();
    await("it is at home", () -> isHome(name));
  }
}
