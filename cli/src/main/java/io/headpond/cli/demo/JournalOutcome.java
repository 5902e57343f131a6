// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.demo;

import com.fasterxml.jackson.annotation.JsonIgnore;

/** The result of a {@link JournalDemo}, whatever the engine. */
interface JournalOutcome extends DemoOutcome {

  /** By the bookies. */
  long recordsAcknowledged();

  /** Of these, read back with every byte as sent. */
  long recordsVerified();

  /** Of these, not there. */
  long recordsLost();

  /** Read with other content. */
  long recordsCorrupt();

  /** Size of the journal's files on the fast device at the end, bytes. */
  long journalBytes();

  /** True if a power cut would have taken the journal. */
  boolean fastTierVolatile();

  /** From the kill to the first acknowledgement after it, milliseconds. */
  long restartMs();

  /** The times and rates of both journals. */
  JournalFigures figures();

  @Override
  @JsonIgnore
  default boolean clean() {
    return recordsAcknowledged() > 0
        && recordsVerified() == recordsAcknowledged()
        && recordsLost() == 0
        && recordsCorrupt() == 0
        && restartMs() > 0
        && journalBytes() > 0;
  }
}
