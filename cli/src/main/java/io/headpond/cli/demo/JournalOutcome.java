// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.demo;

/** The result of a {@link JournalDemo}, whatever the engine. */
interface JournalOutcome extends DemoOutcome {

  /** True if a power cut would have taken the journal. */
  boolean fastTierVolatile();

  /** From the kill to the first acknowledgement after it. */
  long restartMs();

  /** The times and rates of both journals. */
  JournalFigures figures();
}
