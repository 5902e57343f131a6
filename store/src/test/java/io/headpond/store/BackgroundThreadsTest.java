// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import static io.headpond.store.StoreFixture.CREATE;
import static io.headpond.store.StoreFixture.append;
import static io.headpond.store.StoreFixture.await;
import static io.headpond.store.StoreFixture.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.store.event.Incident;
import io.headpond.store.facts.Count;
import io.headpond.store.facts.StoreFacts;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Memory that is short for a moment ends no thread of the store for good. */
class BackgroundThreadsTest {
  private static final int KIB = 1 << 10;
  private static final long SEED = 1;

  /** What makes a thread, or lets something run on one, by the JDK's own means. */
  private static final Pattern THREADS =
      Pattern.compile(
          "new (?:Thread|Timer|ForkJoinPool|(?:Scheduled)?ThreadPoolExecutor)\\(|extends Thread\\b"
              + "|\\bExecutors\\.|Thread\\.(?:ofVirtual|ofPlatform|startVirtualThread)"
              + "|\\.parallel(?:Stream)?\\(\\)|scheduleAtFixedRate\\(|scheduleWithFixedDelay\\("
              + "|Cleaner\\.create\\(|commonPool\\(\\)|Async\\([^,;]*\\);");

  /** The modules that run inside a broker or a bookie. */
  private static final List<String> MODULES =
      List.of("pmem", "store", "observe", "nio", "bookkeeper");

  private final AtomicInteger errors = new AtomicInteger();

  /** The first calls of a device on threads of that name fail for want of memory. */
  private void shortOfMemory(final ModelRun run, final String thread, final int times) {
    errors.set(times);
    run.disk.listen(
        () -> {
          if (Thread.currentThread().getName().startsWith(thread)
              && errors.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
            throw new OutOfMemoryError("Cannot reserve 1048576 bytes of direct buffer memory");
          }
        });
  }

  /** Sealed segments of 40 KiB. */
  private List<Path> write(final ModelRun run, final int from, final int to) throws IOException {
    final List<Path> written = new ArrayList<>();
    for (int i = from; i < to; i++) {
      final Path name = StoreFixture.segment(run.path("home0/t-0"), i);
      Files.createDirectories(run.real("home0/t-0"));
      try (FileChannel channel = run.store().open(name, CREATE)) {
        append(channel, bytes(40 * KIB, i));
      }
      written.add(name);
    }
    return written;
  }

  private static ModelRun run(final double threshold, final String... tiers) throws IOException {
    final ModelRun run = new ModelRun(ModelRun.Setup.of(false, tiers).threshold(threshold), SEED);
    run.disk.createDirectory(run.real("home0/t-0"));
    return run;
  }

  @Test
  void migrationGoesOnAfterAnError() throws Exception {
    try (ModelRun run = run(0.1, "file")) {
      shortOfMemory(run, "headpond-migrate", 4);
      run.start();
      final TieredStore store = run.store();
      write(run, 0, 6);
      await("segments moved", () -> store.facts().count(Count.DOWN_SEGMENTS) > 0);
      final StoreFacts facts = store.facts();
      assertThat(errors).hasValue(0);
      assertThat(facts.count(Count.MIGRATION_FAILURES) + facts.background().failures())
          .isEqualTo(4);
      assertThat(facts.background().deadThreads()).isZero();
    }
  }

  @Test
  void spaceIsGivenBackAfterAnError() throws Exception {
    try (ModelRun run = run(-1, "file")) {
      shortOfMemory(run, "headpond-reclaim", 2);
      run.start();
      final TieredStore store = run.store();
      final List<Path> written = write(run, 0, 5);
      for (final Path name : written) {
        store.delete(name);
      }
      await("space came back", () -> store.facts().count(Count.RECLAIMED_FILES) > 0);
      assertThat(errors).hasValue(0);
      assertThat(store.facts().background().failures()).isEqualTo(2);
      assertThat(store.facts().incidents()).containsEntry(Incident.BACKGROUND_FAILED, 1L);
    }
  }

  @Test
  void theClockTicksOnAfterAnError() throws Exception {
    try (ModelRun run = run(-1, "file")) {
      shortOfMemory(run, "headpond-files", 1);
      run.start();
      final Path live = run.real("tier00").resolve(LiveCounters.FILE_NAME);
      await("the live counters are written", () -> Files.exists(live));
      assertThat(errors).hasValue(0);
      assertThat(run.store().facts().background().failures()).isEqualTo(1);
    }
  }

  @Test
  void everyThreadIsMadeInOnePlace() throws IOException {
    final List<String> elsewhere = new ArrayList<>();
    final Path modules = Path.of("").toAbsolutePath().getParent();
    for (final String module : MODULES) {
      try (Stream<Path> files = Files.walk(modules.resolve(module).resolve("src/main"))) {
        for (final Path file : files.filter(each -> each.toString().endsWith(".java")).toList()) {
          if (!file.endsWith("io/headpond/pmem/Background.java")) {
            THREADS
                .matcher(Files.readString(file))
                .results()
                .forEach(found -> elsewhere.add(modules.relativize(file) + ": " + found.group()));
          }
        }
      }
    }
    assertThat(elsewhere).as("threads that io.headpond.pmem.Background doesn't make").isEmpty();
  }
}
