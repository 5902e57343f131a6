// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** What an engine does at its start with the segments that it finds, as Kafka does. */
final class EngineStart {
  private final ModelRun run;
  private final ModelScript script;
  private final List<EngineLog> logs;
  private final List<EngineSegment> swaps = new ArrayList<>();

  EngineStart(final ModelRun run, final ModelScript script, final List<EngineLog> logs) {
    this.run = run;
    this.script = script;
    this.logs = logs;
  }

  void load(final List<ModelLogs.Found> found) throws IOException {
    for (final ModelLogs.Found each : script.shuffled(found)) {
      load(each);
    }
    finishSwaps();
    for (final EngineLog log : logs) {
      log.recover();
    }
  }

  void load(final ModelLogs.Found found) throws IOException {
    final String name = found.name();
    final EngineSegment open = EngineSegment.reopened(run, script, found.segment(), name);
    final EngineLog log = log(name);
    if (log == null || name.endsWith(".cleaned")) {
      open.delete();
    } else if (name.endsWith(".deleted")) {
      log.deleted.add(open);
    } else if (name.endsWith(".swap")) {
      swaps.add(open);
    } else {
      log.found(open, found.whole());
    }
  }

  void finishSwaps() throws IOException {
    try {
      for (final EngineSegment swap : swaps) {
        log(swap.name).finishSwap(swap);
      }
    } catch (final IOException | RuntimeException | Error e) {
      for (final EngineSegment swap : swaps) {
        swap.channel.close();
      }
      throw e;
    }
  }

  /** Null if the segment is in no log's directory. */
  EngineLog log(final String name) {
    final String directory = name.substring(0, name.lastIndexOf('/'));
    return logs.stream().filter(log -> log.directory.equals(directory)).findFirst().orElse(null);
  }
}
