// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import io.headpond.harness.process.EngineRelease;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The option for the release of an engine; used as {@code @Mixin}. */
final class EngineHome {

  @Option(
      names = "--engine-home",
      paramLabel = "DIR",
      description = "An unpacked release of the engine, instead of the one that Headpond finds.")
  private Path folder;

  /** The release that is measured, fetched if that is how it comes. */
  EngineRelease release(ScenarioEngine engine, PrintWriter out)
      throws IOException, InterruptedException {
    return engine.release(folder, out);
  }
}
