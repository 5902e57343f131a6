// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.mirror;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.store.layout.MirrorState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a log directory says of its mirrors is never more than is true. */
class MirrorNoticeTest {
  @TempDir private Path logDir;

  /** Of each force of the log directory: was there a state? */
  private final List<Boolean> forced = new ArrayList<>();

  private final MirrorCopy.Home home =
      new MirrorCopy.Home() {
        @Override
        public void failed(final Path tierFile, final IOException e) {
          throw new AssertionError(e);
        }

        @Override
        public void copied(final long bytes) {}

        @Override
        public long stepBytes() {
          return 0;
        }

        @Override
        public void forceNames() {
          forced.add(Files.exists(logDir.resolve(MirrorState.FILE)));
        }
      };

  @Test
  void theNoticeIsWhatWasSaidLast() throws IOException {
    final MirrorNotice notice = new MirrorNotice(home, logDir);
    notice.say(new MirrorState(true, true, 1_000));
    assertThat(MirrorState.read(logDir)).contains(new MirrorState(true, true, 1_000));
    notice.say(new MirrorState(true, true, 2_000));
    assertThat(MirrorState.read(logDir)).contains(new MirrorState(true, true, 2_000));
    notice.say(new MirrorState(false, false, 2_000));
    assertThat(MirrorState.read(logDir)).contains(new MirrorState(false, false, 2_000));
  }

  @Test
  void theTimeOfAnIncompleteStateStands() throws IOException {
    final MirrorNotice notice = new MirrorNotice(home, logDir);
    notice.say(new MirrorState(false, true, 1_000));
    notice.say(new MirrorState(false, true, 2_000));
    assertThat(MirrorState.read(logDir)).contains(new MirrorState(false, true, 1_000));
  }

  @Test
  void aNoticeThatCannotBeWrittenIsForgotten() throws IOException {
    final MirrorNotice notice = new MirrorNotice(home, logDir);
    Files.createDirectory(logDir.resolve(MirrorState.FILE)); // in whose place no file can be
    notice.say(new MirrorState(false, false, 1_000));
    assertThat(logDir.resolve(MirrorState.FILE)).doesNotExist();
    assertThat(forced).as("a power cut must not bring it back").containsExactly(false);
    notice.say(new MirrorState(false, false, 1_000));
    assertThat(MirrorState.read(logDir)).contains(new MirrorState(false, false, 1_000));
  }

  @Test
  void whatAFormerProcessAcknowledgedSaysNothingOfThisOne() throws IOException {
    new MirrorState(true, true, 1_000).write(logDir);
    new MirrorNotice(home, logDir).begin();
    assertThat(MirrorState.read(logDir)).contains(new MirrorState(true, false, 1_000));
    new MirrorState(false, false, 2_000).write(logDir);
    new MirrorNotice(home, logDir).begin();
    assertThat(MirrorState.read(logDir)).contains(new MirrorState(false, false, 2_000));
  }
}
