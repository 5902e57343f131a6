// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.demo;

import io.headpond.harness.process.EngineRelease;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** An engine's own part in a {@link JournalDemo}. */
interface JournalEngine<R extends JournalOutcome> {

  /** The engine's terms. */
  JournalWords words();

  /**
   * Prepares a run; nothing is started yet.
   *
   * @param duration of the turns of both sides together
   */
  JournalRun<R> prepare(DemoPlace place, LiveBlock screen, EngineRelease release, Duration duration)
      throws IOException;

  /** The result in one line. */
  String verdict(R result);

  /** Further results, in lines. */
  List<String> more(R result);
}
