// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.demo;

/** What a demo found: a record, which {@code --json} writes. */
interface DemoOutcome {

  /** Whether everything that was acknowledged is there, and the demo has shown what it is for. */
  boolean clean();
}
