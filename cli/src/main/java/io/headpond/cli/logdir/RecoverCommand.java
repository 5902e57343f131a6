// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import io.headpond.cli.console.CommandFailure;
import io.headpond.cli.console.Json;
import io.headpond.cli.console.JsonOption;
import io.headpond.cli.console.Lines;
import io.headpond.cli.console.StandardCommand;
import io.headpond.store.config.ConfigException;
import io.headpond.store.config.StoreConfig;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code headpond recover}: before a start, go on without what an ephemeral tier has lost. */
@Command(
    name = "recover",
    description = {
      "Before each start of a broker: go on without what its ephemeral tiers have lost.",
      "",
      "A tier with headpond.tier.NAME.ephemeral=true whose device came back empty is forgotten as",
      "by 'forget-tier --keep-prefix --if-in-sync', in all log directories or in none. Nothing is",
      "done if every tier is there. It is refused if the directory isn't the mount point of an",
      "empty file system, and if a partition has no other replica that leads."
    },
    footer = {
      "  headpond recover /etc/kafka/server.properties --bootstrap-server other1:9092,other2:9092"
    })
public final class RecoverCommand extends StandardCommand {
  @Parameters(
      index = "0",
      paramLabel = "FILE",
      description = "The broker's configuration; the broker must not run.")
  private Path configuration;

  @Option(
      names = "--bootstrap-server",
      required = true,
      paramLabel = "HOST:PORT",
      description = "Other brokers; they are asked only if a device came back empty.")
  private String bootstrapServer;

  @Mixin private ReplicaOptions cluster;

  @Mixin private JsonOption json;

  @Override
  public Integer call() throws IOException {
    StoreConfig config;
    try {
      config = StoreConfig.load(configuration.toAbsolutePath());
    } catch (ConfigException e) {
      throw new CommandFailure(e.getMessage(), "docs/configuration.md has all keys", e);
    }
    List<Recovery.Result> done =
        new Recovery(config, EmptyDevice.MOUNTS, new LogDirChanges())
            .run(
                (logDir, partitions) ->
                    OtherReplicas.ask(
                            logDir, bootstrapServer, cluster.commandConfig(), partitions)
                        ::of);
    if (json.given()) {
      Json.print(out(), done);
      return 0;
    }
    PrintWriter out = new Lines(out());
    if (done.isEmpty()) {
      out.println("nothing to do: every tier is there");
    }
    done.forEach(result -> out.println(result.text()));
    out.flush();
    return 0;
  }
}
