// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import static io.headpond.cli.Run.succeeds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.headpond.cli.Run;
import io.headpond.store.layout.HomeIdentity;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A home without a free byte. */
class FullHomeCommandsTest {
  private static final int BALLAST_BYTES = 2 << 20;

  @TempDir Path root;

  @BeforeEach
  void mount() throws Exception {
    String[] command = {"mount", "-t", "tmpfs", "-o", "size=8m", "full", root.toString()};
    assumeTrue(succeeds(command), "only root may mount");
  }

  @AfterEach
  void unmount() throws Exception {
    succeeds("umount", root.toString());
  }

  private void fill() throws IOException {
    byte[] block = new byte[4096];
    try (OutputStream file = Files.newOutputStream(root.resolve("fill"))) {
      while (true) {
        file.write(block);
      }
    } catch (IOException full) {
      assertThat(root.toFile().getUsableSpace()).isZero();
    }
  }

  private static void ballast(Path home) throws IOException {
    Files.write(home.resolve(HomeIdentity.BALLAST), new byte[BALLAST_BYTES]);
  }

  @Test
  void aTierIsGivenUpOnceThereIsRoomForThat() throws Exception {
    CutFixture fixture = new CutFixture(root);
    fixture.lose();
    String file = fixture.configuration(false).toString();
    fill();
    String[] recover = {"recover", file, "--tier", "pmem", "--accept-loss"};
    Map<String, String> before = LogDirFixture.contents(root);
    Run run = Run.of(recover);
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains("has 0 B free", "make room (nothing was changed)");
    assertThat(LogDirFixture.contents(root)).isEqualTo(before);
    Files.delete(root.resolve("fill"));
    assertThat(Run.of(recover).exitCode()).isZero();
  }

  @Test
  void theBallastIsRoomToGiveUpATier() throws Exception {
    CutFixture fixture = new CutFixture(root);
    fixture.lose();
    ballast(fixture.logDir());
    String file = fixture.configuration(false).toString();
    fill();
    Run run = Run.of("recover", file, "--tier", "pmem", "--accept-loss");
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(Run.of("verify", fixture.logDir().toString()).exitCode()).isZero();
  }

  @Test
  void theBallastIsRoomToDrainEntryLogs() throws Exception {
    BookieFixture bookie = new BookieFixture(root);
    byte[] log = BookieFixture.entryLog(300, true);
    Path name = bookie.home.resolve("a.log");
    bookie.fastLog(10, log);
    ballast(bookie.ledgers);
    fill();
    Run run = Run.of("drain", "--bookkeeper", bookie.conf.toString());
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(Files.isSymbolicLink(name)).isFalse();
    assertThat(name).hasBinaryContent(log);
  }

  @Test
  void aFastDirectoryIsGivenUpOnceThereIsRoomForThat() throws Exception {
    BookieFixture bookie = new BookieFixture(root);
    bookie.fastLog(10, BookieFixture.entryLog(3, true));
    Files.move(bookie.fast, root.resolve("lost"));
    fill();
    String[] recover = {"recover", bookie.conf.toString(), "--accept-loss"};
    Map<String, String> before = LogDirFixture.contents(root);
    Run run = Run.of(recover);
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains("make room (nothing was changed)");
    assertThat(LogDirFixture.contents(root)).isEqualTo(before);
    Files.delete(root.resolve("fill"));
    assertThat(Run.of(recover).exitCode()).isZero();
  }
}
