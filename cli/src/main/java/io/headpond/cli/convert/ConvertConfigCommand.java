// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.convert;

import io.headpond.cli.console.CommandFailure;
import io.headpond.cli.console.Json;
import io.headpond.cli.console.JsonOption;
import io.headpond.cli.console.StandardCommand;
import io.headpond.store.config.ConfigException;
import io.headpond.store.config.StoreConfig;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringReader;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code headpond convert-config}: a broker's configuration, from Pafka's keys to ours. */
@Command(
    name = "convert-config",
    description = {
      "Turn the server.properties of Pafka (a fork of Kafka with tiered storage) into one for "
          + "Kafka with Headpond.",
      "",
      "Understood: log.channel.type, storage.pmem.*, storage.hdd.path, storage.tiers.*, "
          + "storage.migrate.*, log.pmem.pool.ratio, log.preallocate. Each is explained where it stood; "
          + "all other lines stay as they are. The data isn't converted: only Pafka reads its format."
    },
    footer = {
      "  headpond convert-config pafka.properties -o server.properties",
      "  headpond convert-config pafka.properties --log-dirs /data1/kafka-logs"
    })
public final class ConvertConfigCommand extends StandardCommand {
  @Parameters(paramLabel = "FILE", description = "Pafka's server.properties; only read.")
  private Path file;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description = "Write the result there, a new file. Default: print it.")
  private Path output;

  @Option(
      names = "--log-dirs",
      split = ",",
      paramLabel = "DIR",
      description =
          "The new log.dirs: empty directories on the big disks. Default: kafka-logs below each "
              + "directory of Pafka's second layer.")
  private List<Path> logDirs = new ArrayList<>();

  @Mixin private JsonOption json;

  record FateJson(String key, String value, String fate) {}

  record SettingJson(String key, String value, String reason) {}

  record ResultJson(
      boolean ok,
      String output,
      List<FateJson> found,
      List<SettingJson> settings,
      List<String> notes,
      String configuration) {}

  @Override
  public Integer call() throws IOException {
    PropertiesText pafka = PropertiesText.read(file);
    PafkaConversion conversion =
        PafkaConversion.of(
            pafka, logDirs.stream().map(dir -> dir.toAbsolutePath().toString()).toList());
    String text = text(pafka, conversion);
    check(text);
    if (output != null) {
      write(text, pafka);
    }
    PrintWriter out = out();
    if (json.given()) {
      Json.print(out, result(pafka, conversion, text));
      return 0;
    }
    if (output == null) {
      out.print(text);
      out.flush();
    } else {
      out.println(
          output
              + ": written; check it before the first start: headpond doctor --config "
              + output);
    }
    PrintWriter err = err();
    conversion.notes().forEach(note -> err.println("note: " + note));
    err.flush();
    return 0;
  }

  /** The same lines; each of Pafka's is a comment that says what became of it. */
  private static String text(PropertiesText pafka, PafkaConversion conversion) {
    StringBuilder text = new StringBuilder();
    for (PropertiesText.Line line : pafka.lines()) {
      String fate = line.key() == null ? null : conversion.fates().get(line.key());
      if (fate == null) {
        text.append(line.text()).append('\n');
      } else {
        line.text().lines().forEach(each -> text.append("# Pafka: ").append(each).append('\n'));
        text.append("#   -> ").append(fate).append('\n');
      }
    }
    if (!conversion.settings().isEmpty()) {
      text.append("\n# ---- Headpond; converted from Pafka's keys, all are explained in")
          .append(" docs/configuration.md ----\n");
    }
    for (PafkaConversion.Setting setting : conversion.settings()) {
      text.append("\n# ").append(setting.reason()).append('\n');
      text.append(setting.key()).append('=');
      text.append(setting.value().replace("\\", "\\\\")).append('\n');
    }
    return text.toString();
  }

  /** Checks that the plug-in reads the configuration as it was written. */
  private static void check(String text) throws IOException {
    Properties properties = new Properties();
    properties.load(new StringReader(text));
    try {
      StoreConfig.parse(properties, "the converted configuration", FileSystems.getDefault());
    } catch (ConfigException e) {
      throw new CommandFailure(e.getMessage(), "correct Pafka's file, or give other --log-dirs", e);
    }
  }

  private void write(String text, PropertiesText pafka) throws IOException {
    try {
      Files.write(output, text.getBytes(pafka.charset()), StandardOpenOption.CREATE_NEW);
    } catch (FileAlreadyExistsException e) {
      throw new CommandFailure(output + " is there already", "give the name of a new file", e);
    }
  }

  private ResultJson result(PropertiesText pafka, PafkaConversion conversion, String text) {
    List<FateJson> found = new ArrayList<>();
    for (Map.Entry<String, String> fate : conversion.fates().entrySet()) {
      String value = pafka.value(fate.getKey()).orElseThrow();
      found.add(new FateJson(fate.getKey(), value, fate.getValue()));
    }
    return new ResultJson(
        true,
        output == null ? null : output.toString(),
        found,
        conversion.settings().stream()
            .map(setting -> new SettingJson(setting.key(), setting.value(), setting.reason()))
            .toList(),
        conversion.notes(),
        text);
  }
}
