// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.failure;

import io.headpond.harness.process.Engine;
import io.headpond.harness.process.EngineRelease;
import java.io.IOException;

/** An engine of which one of three nodes dies, with what an acknowledgement of it promises. */
public interface FailureEngine {

  /** The engine. */
  Engine engine();

  /** The word for one of its nodes: {@code broker}. */
  String node();

  /** The condition of an acknowledgement, as short as a setting. */
  String acknowledged();

  /**
   * The clusters of all variants. Their folders are made; nothing runs yet.
   *
   * @throws IOException if a device hasn't room for them
   */
  FailureClusters clusters(FailureSettings settings, EngineRelease release) throws IOException;
}
