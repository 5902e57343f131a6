// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut;

import java.io.IOException;

/**
 * A chain of boots and cuts of one machine. It ends at the first finding: its disks are evidence
 * then, and further calls do nothing. One thread.
 */
public interface Campaign extends AutoCloseable {

  /**
   * Boots, checks what the last cut left, goes on writing, and cuts the power at a random moment.
   *
   * @param java feature release that runs in the guest
   */
  void round(int java) throws IOException, InterruptedException;

  /** Boots and checks what the last cut left, without Headpond. */
  void check(int java) throws IOException, InterruptedException;

  /** The findings so far. */
  CutsReport report() throws IOException, InterruptedException;

  /** Ends what it started on the host besides the guest; its disks stay. */
  @Override
  default void close() {}
}
