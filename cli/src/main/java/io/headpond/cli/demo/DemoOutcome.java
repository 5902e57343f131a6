// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.demo;

/** The result of a demo: a record, which {@code --json} writes. */
interface DemoOutcome {

  /** True if everything that was acknowledged is there and the demo has served its purpose. */
  boolean clean();
}
