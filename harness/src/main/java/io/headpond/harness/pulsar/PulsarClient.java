// SPDX-License-Identifier: Apache-2.0
package io.headpond.harness.pulsar;

import io.headpond.harness.process.ClientProcess;
import io.headpond.harness.process.Engine;
import io.headpond.harness.process.EngineRelease;
import io.headpond.harness.process.JavaHome;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/** Pulsar's own client in a process of its own. */
abstract class PulsarClient extends ClientProcess {

  PulsarClient(
      EngineRelease release,
      JavaHome java,
      Path folder,
      String mainClass,
      Map<String, String> settings)
      throws IOException {
    super(
        Engine.PULSAR,
        release,
        java,
        folder,
        mainClass,
        settings,
        "-Xmx384m",
        "-XX:MaxDirectMemorySize=256m",
        "--add-opens=java.base/sun.net=ALL-UNNAMED");
  }
}
