// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import static io.headpond.store.StoreFixture.CREATE;
import static io.headpond.store.StoreFixture.append;
import static io.headpond.store.StoreFixture.bytes;
import static io.headpond.store.StoreFixture.segment;
import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.store.layout.Identity;
import io.headpond.store.partition.UnnamedFiles;
import io.headpond.store.tier.TierDirectory;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which tier files without a name are put into quarantine while the engine runs. */
final class UnnamedFilesTest {
  private static final int BYTES = 5_000;
  private static final int LOOKS = 3;

  private final List<Path> swept = new ArrayList<>();
  private final LaterTime time = new LaterTime();
  private StoreFixture fixture;
  private UnnamedFiles unnamed;
  private TierDirectory tier;
  private Path file;

  @BeforeEach
  void removeALink() throws Exception {
    fixture = new StoreFixture().time(time);
    final Path name = segment(fixture.partition("t-0"), 0);
    try (FileChannel channel = fixture.store().open(name, CREATE)) {
      append(channel, bytes(BYTES, 1));
    }
    file = Files.readSymbolicLink(name);
    Files.delete(name);
    unnamed =
        new UnnamedFiles(
            fixture.store().homes(), (directory, home, orphans) -> swept.addAll(orphans), time);
    tier = fixture.store().tiers().get(0).get(0);
  }

  @AfterEach
  void removeDirectories() throws Exception {
    fixture.close();
  }

  private Set<Path> look() throws IOException {
    time.pass(Duration.ofSeconds(10));
    return unnamed.quarantine(tier, Set.of(file));
  }

  private void assertStays(final String why) throws IOException {
    for (int i = 0; i < 2 * LOOKS; i++) {
      assertThat(look()).as(why).isEmpty();
    }
    assertThat(swept).as(why).isEmpty();
  }

  @Test
  void aFileGoesWhenSeveralLooksHaveFoundNoName() throws Exception {
    for (int i = 1; i < LOOKS; i++) {
      assertThat(look()).isEmpty();
      assertThat(unnamed.quarantine(tier, Set.of(file))).as("too early").isEmpty();
    }
    assertThat(look()).containsExactly(file);
    assertThat(swept).containsExactly(file);
  }

  @Test
  void aLookThatFindsItsNameBeginsAnew() throws Exception {
    final Path name = segment(fixture.partition("t-1"), 0);
    for (int i = 1; i < LOOKS; i++) {
      assertThat(look()).isEmpty();
    }
    Files.createSymbolicLink(name, file);
    assertStays("it has a name");
    Files.delete(name);
    assertThat(look()).isEmpty();
  }

  @Test
  void aFileThatIsStillReadStays() throws Exception {
    try (InputStream in = Files.newInputStream(file)) {
      assertStays("it is read");
      assertThat(in.read()).isNotNegative();
    }
    assertThat(look()).containsExactly(file);
  }

  @Test
  void nothingGoesWhileALogDirectoryIsNotThere() throws Exception {
    final Path identity = fixture.home.resolve(Identity.FILE_NAME);
    final Path elsewhere = fixture.root.resolve("elsewhere");
    Files.move(identity, elsewhere); // as where its disk was unmounted
    assertStays("the log directory isn't there");
    Files.move(elsewhere, identity);
    final Path link = fixture.home.resolve("t-2");
    Files.createSymbolicLink(link, fixture.root.resolve("not mounted"));
    assertStays("a partition directory isn't there");
  }
}
