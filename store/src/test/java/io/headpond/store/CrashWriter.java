// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import io.headpond.store.config.StoreConfig;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The child process of {@link StoreCrashTest}: an engine with a thread for each log, until it is
 * killed, or its standard input ends.
 */
final class CrashWriter {
  private final FileOutputStream out = new FileOutputStream(FileDescriptor.out);

  private CrashWriter() {}

  /** Arguments: configuration file, number of logs, bytes of a segment, round, seed. */
  public static void main(final String[] arguments) throws Exception {
    new CrashWriter()
        .run(
            StoreConfig.load(Path.of(arguments[0])),
            Integer.parseInt(arguments[1]),
            Integer.parseInt(arguments[2]),
            Integer.parseInt(arguments[3]),
            Long.parseLong(arguments[4]));
  }

  private synchronized void say(final String line) {
    try {
      out.write((line + "\n").getBytes(StandardCharsets.US_ASCII));
    } catch (final IOException e) {
      Runtime.getRuntime().halt(3);
    }
  }

  private void run(
      final StoreConfig config,
      final int logs,
      final int segmentBytes,
      final int round,
      final long seed)
      throws Exception {
    final AtomicBoolean stopped = new AtomicBoolean();
    final List<Thread> threads = new ArrayList<>();
    try (TieredStore store = new TieredStore(config)) {
      store.claim();
      for (int id = 0; id < logs; id++) {
        final Path home = config.logDirs().get(id % config.logDirs().size());
        final CrashLog log =
            new CrashLog(
                store,
                home.resolve("log-" + id),
                id,
                segmentBytes,
                round,
                new Random(seed + id),
                this::say);
        final Thread thread =
            new Thread(
                () -> {
                  try {
                    log.run(stopped::get);
                  } catch (final Throwable e) {
                    e.printStackTrace();
                    say("FAILED " + e);
                    Runtime.getRuntime().halt(2);
                  }
                });
        threads.add(thread);
        thread.start();
      }
      while (System.in.read() >= 0) {}
      stopped.set(true);
      for (final Thread thread : threads) {
        thread.join();
      }
    }
    say("BYE");
  }
}
