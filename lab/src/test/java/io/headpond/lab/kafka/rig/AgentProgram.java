// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.kafka.rig;

import java.io.IOException;

/** A {@link LoadAgent} in a JVM of its own. */
final class AgentProgram {

  private AgentProgram() {}

  /**
   * @param arguments the version that it is said to have
   */
  public static void main(String[] arguments) throws IOException {
    LoadAgent.serve(arguments[0]);
  }
}
