// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The options about a broker's replicas; used as {@code @Mixin}. */
final class ReplicaOptions {

  @Option(
      names = "--command-config",
      paramLabel = "FILE",
      description = "Client properties for that (TLS, SASL).")
  private Path commandConfig;

  /** The client's properties for asking other brokers; null: none were given. */
  Path commandConfig() {
    return commandConfig;
  }
}
