// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.bookkeeper.bookie.BookieFileChannel;
import org.apache.bookkeeper.bookie.FileChannelProvider;
import org.apache.bookkeeper.conf.ServerConfiguration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the provider refuses, gives back, and says. */
class PmemJournalChannelProviderTest {
  private static final int GROUP_BYTES = 64 << 10;
  private static final long PATIENCE_NANOS = 20_000_000_000L;

  @TempDir Path folder;

  @TempDir(factory = InMemory.class)
  Path memory;

  private final List<String> ended = new ArrayList<>();
  private BookieDirectories bookie;
  private ServerConfiguration configuration;

  @BeforeEach
  void directories() throws IOException {
    bookie = new BookieDirectories(folder);
    configuration = bookie.configuration(BookieDirectories.OURS);
  }

  @AfterEach
  void mapNothing() {
    InMemory.mapped(false);
  }

  private void inMemory() throws IOException {
    InMemory.mapped(true);
    bookie = new BookieDirectories(memory);
    configuration = bookie.configuration(BookieDirectories.OURS);
  }

  /** As JournalChannel begins a new file. */
  private FileChannel create(FileChannelProvider provider, long id) throws IOException {
    File file = bookie.journalFile(id).toFile();
    BookieFileChannel opened = provider.open(file, configuration);
    assertThat(opened.fileExists(file)).isFalse();
    assertThat(file.createNewFile()).isTrue();
    assertThat(opened.getFD()).isNotNull();
    return opened.getFileChannel();
  }

  /** One whose refusals are noted, and end no process. */
  private FileChannelProvider noting() {
    return new PmemJournalChannelProvider(refusal -> ended.add(refusal.words().code().code()));
  }

  private void refused(String code, String... texts) throws IOException {
    try (FileChannelProvider provider = noting()) {
      Throwable refusal = catchThrowable(() -> create(provider, 0x20));
      assertThat(refusal).isInstanceOf(IOException.class).hasMessageContainingAll(texts);
      assertThat(ended).containsExactly(code);
    }
  }

  @Test
  void anUnknownKeyIsRefused() throws IOException {
    configuration.setProperty("headpond.journal.accept", "true");
    refused("HP0101", "headpond.journal.accept:", "headpond.journal.accept.unsynced", "Correct it");
  }

  @ParameterizedTest
  @ValueSource(strings = {"headpond.jounral.accept", "headpond.http.port", "headpond.tiers"})
  void aKeyOfNoPartOfHeadpondIsRefused(String key) throws IOException {
    configuration.setProperty(key, "1");
    refused("HP0101", key, "no such key", "headpond.journal.", "headpond.ledger.");
  }

  /** BookKeeper's process stays, and serves nothing, if a replay fails. */
  @Test
  void aJournalIsReplayedWhoseSuccessorIsRefused() throws IOException {
    try (FileChannelProvider provider = new PmemJournalChannelProvider();
        FileChannel channel = create(provider, 0x20)) {
      channel.write(ByteBuffer.allocate(GROUP_BYTES));
    }
    configuration.setProperty("headpond.journal.accept", "true");
    try (FileChannelProvider provider = noting();
        FileChannel replayed =
            provider.open(bookie.journalFile(0x20).toFile(), configuration).getFileChannel()) {
      assertThat(replayed.read(ByteBuffer.allocate(GROUP_BYTES))).isPositive();
      assertThatThrownBy(() -> create(provider, 0x21))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("headpond.journal.accept:");
    }
  }

  @Test
  void acknowledgingWhatIsNotDurableIsRefused() throws IOException {
    configuration.setJournalSyncData(false);
    refused("HP0701", "journalSyncData=false", "headpond.journal.accept.unsynced=true");
  }

  @Test
  @Tag("HP0701")
  void acknowledgingWhatIsNotDurableIsAcceptedByName() throws IOException {
    configuration.setJournalSyncData(false);
    configuration.setProperty("headpond.journal.accept.unsynced", "true");
    try (FileChannelProvider provider = new PmemJournalChannelProvider();
        FileChannel channel = create(provider, 0x20)) {
      assertThat(channel.write(ByteBuffer.allocate(GROUP_BYTES))).isEqualTo(GROUP_BYTES);
    }
  }

  /** Unmounted below a bookie, whose open journal is written to all the same. */
  @Test
  void aDirectoryThatWentMissingIsNamedAtTheNextRoll() throws IOException {
    try (FileChannelProvider provider = noting()) {
      create(provider, 0x20).close();
      Files.move(bookie.journals, folder.resolve("unmounted"));
      assertThatThrownBy(() -> create(provider, 0x21))
          .isInstanceOf(IOException.class)
          .hasMessageContainingAll("HP0102", bookie.journals.toString());
      assertThat(ended).as("a bookie that runs is ended by BookKeeper").isEmpty();
    }
  }

  @Test
  void aMissingDirectoryIsNamed() throws IOException {
    Files.delete(bookie.journals);
    refused("HP0102", bookie.journals.toString());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void twoHundredRollsLeaveNothingOpenOrMapped(boolean mapped) throws Exception {
    if (mapped) {
      inMemory();
    }
    FileChannelProvider provider = new PmemJournalChannelProvider();
    for (int roll = 0; roll < 200; roll++) {
      try (FileChannel channel = create(provider, 0x100 + roll)) {
        for (int i = 0; i < 4; i++) {
          channel.write(ByteBuffer.allocateDirect(GROUP_BYTES));
        }
        channel.force(false);
      }
      assertThat(openJournals()).isEmpty();
      Files.delete(bookie.journalFile(0x100 + roll));
    }
    // BookKeeper closes no BookieFileChannel, and the provider while its journals still write.
    try (FileChannel channel = create(provider, 0x20)) {
      provider.close();
      channel.write(ByteBuffer.allocateDirect(GROUP_BYTES));
      channel.force(false);
    }
    assertThat(Files.size(bookie.journalFile(0x20))).isEqualTo(GROUP_BYTES);
    assertThat(openJournals()).isEmpty();
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (mappings() > 0 && System.nanoTime() < end) {
      System.gc(); // before Java 22 a mapping ends with its buffer
    }
    assertThat(mappings()).isZero();
  }

  /** Not the directory: the spare's thread lists it now and then. */
  private List<String> openJournals() throws IOException {
    try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
      return descriptors
          .map(PmemJournalChannelProviderTest::target)
          .filter(each -> each.startsWith(bookie.journals.toString()) && each.contains(".txn"))
          .toList();
    }
  }

  private static String target(Path link) {
    try {
      return Files.readSymbolicLink(link).toString();
    } catch (IOException closedMeanwhile) {
      return "";
    }
  }

  private long mappings() throws IOException {
    return Files.readAllLines(Path.of("/proc/self/maps")).stream()
        .filter(line -> line.contains(bookie.journals.toString()))
        .count();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aFullDeviceIsAnErrorThatNamesFileCauseAndRemedy(boolean mapped) throws Exception {
    assumeTrue(command("mount", "-t", "tmpfs", "-o", "size=4m", "hp", bookie.journals.toString()));
    try (FileChannelProvider provider = new PmemJournalChannelProvider()) {
      InMemory.mapped(mapped);
      long written = 0;
      try (FileChannel channel = create(provider, 0x20)) {
        Throwable failure = null;
        while (failure == null) {
          ByteBuffer group = ByteBuffer.allocateDirect(10_000);
          while (group.hasRemaining()) {
            group.put((byte) 1);
          }
          group.putInt(0, 10_000 - 4);
          failure = catchThrowable(() -> channel.write(group.flip()));
          written += failure == null ? 10_000 : 0;
        }
        assertThat(failure)
            .isInstanceOf(IOException.class)
            .hasMessageContainingAll(bookie.journalFile(0x20).toString(), "full", "Make room");
        assertThat(channel.size()).isGreaterThanOrEqualTo(written);
      }
      assertThat(written).isGreaterThan(3 << 20);
      byte[] found = Files.readAllBytes(bookie.journalFile(0x20));
      for (int i = 0; i < found.length; i++) {
        // A record's length is 9,996, and the one that failed is none.
        int expected = i % 10_000 == 2 ? 39 : i % 10_000 == 3 ? 12 : i % 10_000 < 2 ? 0 : 1;
        if (i < written || i % 10_000 < 4) {
          assertThat(found[i]).as("byte %d", i).isEqualTo((byte) (i < written ? expected : 0));
        }
      }
    } finally {
      assertThat(command("umount", "-l", bookie.journals.toString())).isTrue();
    }
  }

  @Test
  void aReadOnlyDirectoryIsRefused() throws Exception {
    assumeTrue(command("mount", "-t", "tmpfs", "-o", "ro", "hp", bookie.journals.toString()));
    try {
      refused("HP0709", bookie.journals.toString());
    } finally {
      assertThat(command("umount", "-l", bookie.journals.toString())).isTrue();
    }
  }

  private static boolean command(String... words) throws IOException, InterruptedException {
    return new ProcessBuilder(words).redirectErrorStream(true).start().waitFor() == 0;
  }
}
