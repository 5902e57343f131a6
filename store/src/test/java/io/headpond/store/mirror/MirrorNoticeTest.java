// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.mirror;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.store.layout.MirrorState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a log directory says of its mirrors is never more than is true. */
class MirrorNoticeTest {
  @TempDir private Path logDir;

  @Test
  void theNoticeIsWhatWasSaidLast() throws IOException {
    final MirrorNotice notice = new MirrorNotice(logDir);
    notice.say(new MirrorState(true, true, 1_000));
    assertThat(MirrorState.read(logDir)).contains(new MirrorState(true, true, 1_000));
    notice.say(new MirrorState(true, true, 2_000));
    assertThat(MirrorState.read(logDir)).contains(new MirrorState(true, true, 2_000));
    notice.say(new MirrorState(false, false, 2_000));
    assertThat(MirrorState.read(logDir)).contains(new MirrorState(false, false, 2_000));
  }

  @Test
  void theTimeOfAnIncompleteStateStands() throws IOException {
    final MirrorNotice notice = new MirrorNotice(logDir);
    notice.say(new MirrorState(false, true, 1_000));
    notice.say(new MirrorState(false, true, 2_000));
    assertThat(MirrorState.read(logDir)).contains(new MirrorState(false, true, 1_000));
  }

  @Test
  void aNoticeThatCannotBeWrittenIsForgotten() throws IOException {
    final MirrorNotice notice = new MirrorNotice(logDir);
    Files.createDirectory(logDir.resolve(MirrorState.FILE)); // in whose place no file can be
    notice.say(new MirrorState(false, false, 1_000));
    assertThat(logDir.resolve(MirrorState.FILE)).doesNotExist();
    notice.say(new MirrorState(false, false, 1_000));
    assertThat(MirrorState.read(logDir)).contains(new MirrorState(false, false, 1_000));
  }

  @Test
  void whatAFormerProcessAcknowledgedSaysNothingOfThisOne() throws IOException {
    new MirrorState(true, true, 1_000).write(logDir);
    new MirrorNotice(logDir).begin();
    assertThat(MirrorState.read(logDir)).contains(new MirrorState(true, false, 1_000));
    new MirrorState(false, false, 2_000).write(logDir);
    new MirrorNotice(logDir).begin();
    assertThat(MirrorState.read(logDir)).contains(new MirrorState(false, false, 2_000));
  }
}
