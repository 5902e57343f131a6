// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper.ledger;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The calls of a run that leave the ledger side's own code, in their order, and the one of them
 * that fails: those that it makes of files, those that BookKeeper's storage makes, while it
 * flushes, of memory and metrics, and those of the journal. Any thread.
 */
final class LedgerFaults {
  /** How a call fails. */
  enum Kind {
    IO_ERROR,
    NO_MEMORY,
    STACK_OVERFLOW,
    RUNTIME,
    /** The call itself succeeds; the next one of BookKeeper's channels is what fails. */
    INTERRUPT
  }

  /**
   * A call that fails.
   *
   * @param number in the order of a run, from 0 on
   * @param stop does the bookie stop as soon as anything was told?
   */
  record Fault(int number, Kind kind, boolean stop) {}

  /** A call that was made, and whether it may fail with an {@link IOException}. */
  record Call(String what, boolean checked) {}

  private final List<Call> calls = new ArrayList<>();
  private final Fault fault;
  private boolean armed;
  private String struck;

  /** Null: nothing fails. */
  LedgerFaults(final Fault fault) {
    this.fault = fault;
  }

  /** From now on calls are counted. */
  synchronized void arm() {
    armed = true;
  }

  /** From now on they aren't, and nothing fails. */
  synchronized void disarm() {
    armed = false;
  }

  /** What was counted. */
  synchronized List<Call> calls() {
    return List.copyOf(calls);
  }

  /** Which call failed; null: none so far. */
  synchronized String struck() {
    return struck;
  }

  /** Comes before a call that may fail with any exception. */
  void before(final String call, final Path path) throws IOException {
    if (strikes(call + " " + path.getFileName(), true) && fault.kind == Kind.IO_ERROR) {
      throw new FileSystemException(path.toString(), null, "Input/output error");
    }
  }

  /** Comes before a call that can't fail with an {@link IOException}. */
  void beforeUnchecked(final String call) {
    strikes(call, false);
  }

  /** Is it now? What isn't an I/O error is thrown here. */
  private boolean strikes(final String what, final boolean checked) {
    synchronized (this) {
      if (!armed) {
        return false;
      }
      calls.add(new Call(what, checked));
      if (fault == null || calls.size() - 1 != fault.number) {
        return false;
      }
      struck = what;
    }
    switch (fault.kind) {
      case NO_MEMORY -> throw new OutOfMemoryError("planned: Direct buffer memory");
      case STACK_OVERFLOW -> throw new StackOverflowError("planned");
      case RUNTIME -> throw new IllegalStateException("planned");
      case INTERRUPT -> Thread.currentThread().interrupt();
      default -> {}
    }
    return true;
  }
}
