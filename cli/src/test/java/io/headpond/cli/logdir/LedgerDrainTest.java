// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import static io.headpond.cli.Run.succeeds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.headpond.cli.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LedgerDrainTest {
  private static final int LOG_BYTES = 300_000;

  @TempDir Path root;
  private Path ledgers;
  private Path logs;
  private Path conf;

  @BeforeEach
  void makeLedgerDirectory() throws IOException {
    BookieFixture bookie = new BookieFixture(root);
    ledgers = bookie.ledgers;
    logs = bookie.fastLogs;
    conf = bookie.conf;
    bookie.homeLog(9, content(9));
    bookie.fastLog(10, content(10));
    bookie.fastLog(11, content(11));
  }

  private static byte[] content(int id) {
    byte[] bytes = new byte[LOG_BYTES + id];
    new Random(id).nextBytes(bytes);
    return bytes;
  }

  private void everyLogIsThere(boolean plain) throws IOException {
    for (int id = 9; id < 12; id++) {
      Path name = ledgers.resolve("current").resolve(Integer.toHexString(id) + ".log");
      assertThat(name).hasBinaryContent(content(id));
      assertThat(!plain || Files.isRegularFile(name, LinkOption.NOFOLLOW_LINKS)).isTrue();
    }
  }

  @Test
  @Tag("HP0807")
  void everyEntryLogComesHomeAndNothingOfHeadpondIsLeft() throws IOException {
    Run run = Run.of("drain", "--bookkeeper", conf.toString());
    assertThat(run.err()).isEmpty();
    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).contains("2 entry logs", "DbLedgerStorage", "headpond.ledger.* keys");
    everyLogIsThere(true);
    assertThat(logs.getParent()).doesNotExist();
    try (Stream<Path> left = Files.list(ledgers)) {
      assertThat(left).containsExactly(ledgers.resolve("current"));
    }
    Run again = Run.of("drain", "--bookkeeper", conf.toString());
    assertThat(again.exitCode()).isZero();
    assertThat(again.out()).contains("nothing to do");
  }

  @Test
  void aRunningBookieIsLeftAlone() throws Exception {
    Path index = Files.createDirectories(ledgers.resolve("current/locations"));
    try (LockHolder bookie = new LockHolder(index.resolve("LOCK"))) {
      Run run = Run.of("drain", "--bookkeeper", conf.toString());
      assertThat(run.exitCode()).isEqualTo(1);
      assertThat(run.err())
          .contains(ledgers.toString(), "in use by process " + bookie.pid(), "nothing was changed");
    }
    everyLogIsThere(false);
    assertThat(logs.resolve("a.log")).exists();
  }

  @Test
  void aLostLogIsNamedAndNothingIsChanged() throws IOException {
    Files.delete(logs.resolve("b.log"));
    Run run = Run.of("drain", "--bookkeeper", conf.toString());
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains("b.log has lost its file", "nothing was changed");
    assertThat(Files.isSymbolicLink(ledgers.resolve("current/a.log"))).isTrue();
  }

  /** The device of one directory fails: the other directory is well. */
  @Test
  void anUnreadableLogKeepsNoOtherDirectoryFromComingHome() throws Exception {
    Path unreadable = LogDirFixture.unreadable();
    BookieFixture second = new BookieFixture(Files.createDirectory(root.resolve("second")));
    second.fastLog(12, content(12));
    Files.writeString(
        conf,
        Files.readString(conf)
            .replace(ledgers + "\n", ledgers + "," + second.ledgers + "\n")
            .replace(root.resolve("fast") + "\n", root.resolve("fast") + "," + second.fast + "\n"));
    String bad = logs.resolve("a.log").toString();
    assumeTrue(succeeds("mount", "--bind", unreadable.toString(), bad), "only root may mount");
    try {
      Run run = Run.of("drain", "--bookkeeper", conf.toString());
      assertThat(run.exitCode()).isEqualTo(1);
      assertThat(run.err())
          .contains(ledgers.resolve("current/a.log") + " can't be read: ")
          .contains("1 entry log can't be read", "the other 2 are there");
      assertThat(ledgers.resolve("current/a.log")).isSymbolicLink();
      assertThat(second.home.resolve("c.log")).hasBinaryContent(content(12));
      assertThat(Files.isSymbolicLink(second.home.resolve("c.log"))).isFalse();
      assertThat(second.ledgers.resolve(".headpond")).doesNotExist();
      assertThat(ledgers.resolve(".headpond")).exists();
    } finally {
      succeeds("umount", bad);
    }
    assertThat(Run.of("drain", "--bookkeeper", conf.toString()).exitCode()).isZero();
    everyLogIsThere(true);
  }
}
