// SPDX-License-Identifier: Apache-2.0
package io.headpond.harness.pulsar;

import io.headpond.harness.process.Dialogue;
import io.headpond.harness.process.EngineRelease;
import io.headpond.harness.process.JavaHome;
import io.headpond.harness.process.JavaServer;
import io.headpond.harness.process.OwnJar;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A process with Pulsar's own client, which has the class path of its release. */
final class PulsarClientJvm {

  private static final String PACKAGE = "io.headpond.lab.pulsar.client.";

  private PulsarClientJvm() {}

  /**
   * Starts a main class of the module lab-pulsar.
   *
   * @param mainClass its simple name
   * @param folder holds its settings and its output
   */
  static Dialogue start(
      EngineRelease release,
      JavaHome java,
      Path folder,
      String mainClass,
      Map<String, String> settings)
      throws IOException {
    JavaServer process =
        new JavaServer("Pulsar client", folder)
            .java(java)
            .classPath(OwnJar.classPath("lab-pulsar", release, List.of()))
            .jvmArguments(
                "-Xms128m",
                "-Xmx384m",
                "-XX:MaxDirectMemorySize=256m",
                "-Dio.netty.leakDetectionLevel=disabled",
                "-Dio.netty.tryReflectionSetAccessible=true",
                "--add-opens=java.base/java.nio=ALL-UNNAMED",
                "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED",
                "--add-opens=java.base/sun.net=ALL-UNNAMED");
    return Dialogue.start("the Pulsar client", process, PACKAGE + mainClass, settings);
  }
}
