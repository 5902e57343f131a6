// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.mirror;

import io.headpond.store.event.Events;
import io.headpond.store.layout.MirrorState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The file by which a log directory tells whoever finds a tier lost how far its mirrors can be
 * trusted. It is written only when what it says changes, and touched otherwise. By the mirror's
 * thread, but for {@link #begin}.
 */
final class MirrorNotice {
  private final MirrorCopy.Home home;
  private final Path logDir;

  /** Content of the file; null: nothing yet, or unknown. */
  private MirrorState said;

  MirrorNotice(final MirrorCopy.Home home, final Path logDir) {
    this.home = home;
    this.logDir = logDir;
  }

  /**
   * The appends of this process are in no mirror until its first round: what a former one said of
   * its own isn't said of them. Before there are any.
   */
  void begin() {
    try {
      final Optional<MirrorState> former = MirrorState.read(logDir);
      if (former.isPresent() && former.get().acknowledged()) {
        new MirrorState(former.get().complete(), false, former.get().untilMs()).write(logDir);
      }
    } catch (final IOException e) {
      Events.LOG.debug("{}: {}", logDir, e.toString());
      forget();
    }
  }

  /** Writes it down. */
  void say(final MirrorState now) {
    try {
      if (said == null
          || said.complete() != now.complete()
          || said.acknowledged() != now.acknowledged()) {
        said = null;
        now.write(logDir);
        said = now;
      } else if (now.complete()) {
        MirrorState.touch(logDir, now.untilMs());
      }
    } catch (final IOException e) {
      Events.LOG.debug("{}: {}", logDir, e.toString()); // tried again by the next round
      if (said == null && !(now.complete() && now.acknowledged())) {
        forget();
      }
    }
  }

  /** Without the file nobody trusts the mirrors unasked; a power cut must not bring it back. */
  private void forget() {
    try {
      Files.deleteIfExists(logDir.resolve(MirrorState.FILE));
      home.forceNames();
    } catch (final IOException e) {
      Events.LOG.debug("{}: {}", logDir, e.toString()); // nothing works there any more
    }
  }
}
