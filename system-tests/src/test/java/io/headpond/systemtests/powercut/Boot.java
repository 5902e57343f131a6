// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests.powercut;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

/** One run of a {@link Guest}, from power on to power off or cut. */
final class Boot implements AutoCloseable {
  private static final long LIMIT_MINUTES = 5;
  private static final long POLL_NANOS = 2_000_000;

  /**
   * How much of a console, and of the head of a JVM's fatal error on it, an error message shows.
   */
  private static final int LAST_WORDS = 4_000;

  private static final int FATAL_ERROR_WORDS = 12_000;

  private final Process process;
  private final Path report;
  private final Path console;
  private final long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(LIMIT_MINUTES);
  private final Thread cutAtExit = new Thread(this::kill);

  Boot(List<String> command, Path report, Path console) throws IOException {
    Files.deleteIfExists(report);
    this.report = report;
    this.console = console;
    process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(report.resolveSibling("qemu.log").toFile())
            .start();
    Runtime.getRuntime().addShutdownHook(cutAtExit);
  }

  private void kill() {
    process.destroyForcibly();
  }

  /** The complete lines of the guest's report so far. */
  List<String> lines() throws IOException {
    if (!Files.exists(report)) {
      return List.of();
    }
    String text = new String(Files.readAllBytes(report), StandardCharsets.UTF_8);
    return text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
  }

  /**
   * Waits until that many lines of the report are of a kind.
   *
   * @throws IOException if the guest ends before, or fails, or takes too long; with its last words
   */
  void await(long count, Predicate<String> kind) throws IOException {
    while (true) {
      boolean alive = process.isAlive();
      List<String> lines = lines();
      if (lines.stream().anyMatch(line -> line.startsWith("FAILED"))) {
        throw failed("the guest's program failed");
      }
      if (lines.stream().filter(kind).count() >= count) {
        return;
      }
      if (!alive) {
        throw failed("the guest stopped too early");
      }
      if (System.nanoTime() > deadline) {
        throw failed("the guest took more than " + LIMIT_MINUTES + " minutes");
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
  }

  /** Cuts the power after a moment. */
  void cutAfter(long nanos) throws IOException {
    long until = System.nanoTime() + nanos;
    while (System.nanoTime() < until) {
      LockSupport.parkNanos(until - System.nanoTime());
    }
    if (!process.isAlive()) {
      throw failed("the guest stopped before its power was cut");
    }
    close();
  }

  /** Waits until the guest has powered itself off after its job succeeded. */
  void awaitPowerOff() throws IOException {
    try {
      if (!process.waitFor(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
        throw failed("the guest took more than " + LIMIT_MINUTES + " minutes");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
    if (!consoleText().contains("HEADPOND-EXIT 0")) {
      throw failed("the guest's job failed");
    }
  }

  private IOException failed(String what) throws IOException {
    String qemu = Files.readString(report.resolveSibling("qemu.log"));
    String text = consoleText();
    return new IOException(
        what
            + "; console "
            + console
            + " ends with:\n"
            + text.substring(Math.max(0, text.length() - LAST_WORDS))
            + fatalError(text)
            + qemu
            + lines().stream().filter(line -> line.startsWith("FAILED")).toList());
  }

  /** The thread, the frame and the stack of a JVM's crash stand far above its last words. */
  private static String fatalError(String console) {
    int at = console.indexOf("# A fatal error has been detected");
    return at < 0 ? "" : console.substring(at, Math.min(console.length(), at + FATAL_ERROR_WORDS));
  }

  private String consoleText() throws IOException {
    return Files.exists(console)
        ? new String(Files.readAllBytes(console), StandardCharsets.ISO_8859_1)
        : "";
  }

  /** Cuts the power if it is still on. */
  @Override
  public void close() throws IOException {
    kill();
    process.onExit().join();
    try {
      Runtime.getRuntime().removeShutdownHook(cutAtExit);
    } catch (IllegalStateException shuttingDown) {
      return;
    }
  }
}
