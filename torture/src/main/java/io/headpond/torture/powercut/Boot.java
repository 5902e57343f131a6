// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut;

import io.headpond.harness.process.ChildProcess;
import io.headpond.harness.process.Patience;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** One run of a {@link Guest}, from power on to power off or cut. One thread. */
public final class Boot implements AutoCloseable {
  private static final Duration LIMIT = Patience.ofSeconds(15 * 60);
  private static final int POLL_MILLIS = 2;
  private static final Pattern UNMOUNTABLE = Pattern.compile("HEADPOND-EXIT 9[567]\\b");

  /**
   * The characters of a console, and of the head of a JVM's fatal error on it, in an error message.
   */
  private static final int LAST_WORDS = 4_000;

  private static final int FATAL_ERROR_WORDS = 12_000;

  private final ChildProcess process;
  private final GrowingLines report;
  private final Path console;
  private final GrowingLines consoleLines;
  private final Disks disks;
  private final Nvdimm nvdimm;
  private final long startNanos = System.nanoTime();

  /** Lines of the report that say of no failure. */
  private int seen;

  Boot(ChildProcess process, Path report, Path console, Disks disks, Nvdimm nvdimm) {
    this.process = process;
    this.report = new GrowingLines(report, StandardCharsets.UTF_8);
    this.console = console;
    consoleLines = new GrowingLines(console, StandardCharsets.ISO_8859_1);
    this.disks = disks;
    this.nvdimm = nvdimm;
  }

  /** The complete lines of the guest's report so far. */
  public List<String> lines() throws IOException {
    return report.now();
  }

  /** The complete lines of a report. */
  static List<String> lines(Path report) throws IOException {
    if (!Files.exists(report)) {
      return List.of();
    }
    String text = new String(Files.readAllBytes(report), StandardCharsets.UTF_8);
    return text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
  }

  /**
   * Waits until that many lines of the report are of a kind.
   *
   * @param progress is told now and then how many there are
   * @throws IOException if the guest ends before, or fails, or takes too long; with its last words
   */
  void await(long count, Predicate<String> kind, LongConsumer progress)
      throws IOException, InterruptedException {
    await(
        lines -> {
          long now = lines.stream().filter(kind).count();
          progress.accept(now);
          return now >= count;
        });
  }

  /**
   * Waits until what the report says from now on has what is wanted.
   *
   * @throws IOException if the guest ends before, or fails, or takes too long; with its last words
   */
  void awaitFromNow(Predicate<List<String>> enough) throws IOException, InterruptedException {
    int before = lines().size();
    await(lines -> enough.test(lines.subList(before, lines.size())));
  }

  /**
   * Waits until the report has what is wanted.
   *
   * @throws IOException if the guest ends before, or fails, or takes too long; with its last words
   */
  void await(Predicate<List<String>> enough) throws IOException, InterruptedException {
    check();
    while (!enough.test(lines())) {
      process.endsWithin(POLL_MILLIS);
      check();
    }
  }

  /**
   * Sees that the guest is on and well.
   *
   * @throws IOException if it has ended, has failed, or takes too long; with its last words
   */
  void check() throws IOException {
    List<String> lines = lines();
    List<String> unseen = lines.subList(seen, lines.size());
    if (unseen.stream().anyMatch(line -> line.startsWith("FAILED"))) {
      throw failed("the guest's program failed");
    }
    seen = lines.size();
    if (!process.alive()) {
      throw failed("the guest stopped too early");
    }
    if (nanos() > LIMIT.toNanos()) {
      throw failed("the guest took more than " + LIMIT.toMinutes() + " minutes");
    }
  }

  /**
   * The report of the guest's job on its start, in a line that begins with a word.
   *
   * @param count of values behind the word; each is a question mark if the power went before
   */
  List<String> reported(String word, int count) throws IOException {
    return lines().stream()
        .filter(line -> line.startsWith(word + " "))
        .findFirst()
        .map(line -> List.of(line.substring(word.length() + 1).split(" ")))
        .orElse(Collections.nCopies(count, "?"));
  }

  /** Of the guest, on the host. */
  long pid() {
    return process.pid();
  }

  /** Since the power was switched on. */
  long nanos() {
    return System.nanoTime() - startNanos;
  }

  /** Lets it run for a moment. */
  void runFor(long nanos) throws InterruptedException {
    long until = System.nanoTime() + nanos;
    for (long left = nanos; left > 0; left = until - System.nanoTime()) {
      Thread.sleep(left / 1_000_000, (int) (left % 1_000_000));
    }
  }

  /** Cuts the power after a moment. */
  void cutAfter(long nanos) throws IOException, InterruptedException {
    runFor(nanos);
    if (!process.alive()) {
      throw failed("the guest stopped before its power was cut");
    }
    stopAmidChanges();
    close();
  }

  /**
   * Lets it run on to a moment between two stores into memory that forgets, or at which disks that
   * forget have writes which aren't flushed; by chance to any moment.
   */
  void stopAmidChanges() throws IOException, InterruptedException {
    if (!disks.stopAmidWrites()) {
      nvdimm.stopAmidStores(this);
    }
  }

  /** True if all threads of its process are stopped: each may be in the middle of a write. */
  boolean standsStill() throws IOException {
    try (Stream<Path> threads = Files.list(Path.of("/proc", Long.toString(pid()), "task"))) {
      for (Path thread : threads.toList()) {
        String stat = Files.readString(thread.resolve("stat"));
        if (stat.charAt(stat.lastIndexOf(')') + 2) != 'T') {
          return false;
        }
      }
    }
    return true;
  }

  /** Its disks. */
  Disks disks() {
    return disks;
  }

  /** Its persistent memory. */
  Nvdimm nvdimm() {
    return nvdimm;
  }

  /** By its caches when the power went; nothing before. */
  Losses losses() {
    return new Losses(disks.forgotten(), nvdimm.forgotten());
  }

  /** The same in words, to be added to what is said of a cut; nothing of what forgets nothing. */
  String describeLosses() {
    List<String> dropped = new ArrayList<>(disks.commitsDropped());
    if (nvdimm.commitDropped()) {
      dropped.add(Guest.NVDIMM);
    }
    String torn =
        dropped.isEmpty() ? "" : ", e2fsck dropped a torn commit of " + String.join(", ", dropped);
    return Losses.describe(losses(), disks.forget(), nvdimm.forgets()) + torn;
  }

  /** Waits until the guest has powered itself off after its job succeeded. */
  public void awaitPowerOff() throws IOException, InterruptedException {
    process.awaitExit(LIMIT.minusNanos(nanos()));
    close();
    if (!consoleText().contains("HEADPOND-EXIT 0")) {
      throw failed("the guest's job failed");
    }
  }

  /**
   * True if a device's file system couldn't be mounted: a cut has taken all of it. The guest says
   * so by the number that it ends with.
   */
  boolean unmountable() throws IOException {
    return UNMOUNTABLE.matcher(consoleText()).find();
  }

  /** An error whose first line names the console's file; the guest's last words follow. */
  IOException failed(String what) throws IOException {
    String text = consoleText();
    return new IOException(
        what
            + ": "
            + console
            + "\n"
            + text.substring(Math.max(0, text.length() - LAST_WORDS))
            + fatalError(text)
            + process.tail(20)
            + lines().stream().filter(line -> line.startsWith("FAILED")).toList());
  }

  /** The thread, the frame and the stack of a JVM's crash stand far above its last words. */
  private static String fatalError(String console) {
    int at = console.indexOf("# A fatal error has been detected");
    return at < 0 ? "" : console.substring(at, Math.min(console.length(), at + FATAL_ERROR_WORDS));
  }

  /** The complete lines of the guest's output so far. */
  List<String> consoleLines() throws IOException {
    return consoleLines.now();
  }

  /** The guest's output so far. */
  String consoleText() throws IOException {
    return Files.exists(console)
        ? new String(Files.readAllBytes(console), StandardCharsets.ISO_8859_1)
        : "";
  }

  /** Cuts the power if it is still on. */
  @Override
  public void close() throws IOException {
    try {
      process.kill();
      disks.close();
      nvdimm.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
