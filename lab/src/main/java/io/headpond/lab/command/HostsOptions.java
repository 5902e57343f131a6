// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import io.headpond.cli.console.ShellWords;
import io.headpond.cli.console.Version;
import io.headpond.lab.hosts.HostsSettings;
import io.headpond.lab.hosts.LoadHosts;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The options for the hosts that make the load of a scenario; used as {@code @Mixin}. */
final class HostsOptions {

  /** Set by the launcher script: the source tree, or the unpacked archive. */
  private static final String INSTALLATION = "headpond.installation";

  private static final List<String> PROGRAMS = List.of("headpond-lab", "bin/headpond-lab");

  @Option(
      names = "--hosts",
      paramLabel = "NAMES",
      description =
          "Hosts that make the load together, reached by SSH without a password, as \"node-1 node-2\";"
              + " kafka only (default: this command makes it).")
  private String hosts;

  @Option(
      names = "--ssh",
      paramLabel = "COMMAND",
      description = "Reaches a host, with options, as \"ssh -p 2222 -i KEY\" (default: ssh).")
  private String ssh;

  @Option(
      names = "--remote-home",
      paramLabel = "DIR",
      description = "Headpond's folder on the hosts (default: the same as here).")
  private Path remoteHome;

  @Option(
      names = "--advertise",
      paramLabel = "HOST",
      description =
          "Name or address of this machine for the hosts (default: its host name)."
              + " The brokers' ports, 12000 to 31999, must be open for them.")
  private String advertise;

  /**
   * The hosts, not yet connected; null if this command makes the load itself.
   *
   * @param engine that is measured
   */
  LoadHosts load(CommandSpec spec, ScenarioEngine engine) {
    if (hosts == null) {
      if (ssh != null || remoteHome != null || advertise != null) {
        throw usage(spec, "--ssh, --remote-home and --advertise are for --hosts");
      }
      return null;
    }
    if (engine != ScenarioEngine.KAFKA) {
      throw usage(spec, "--hosts is for kafka; measure other engines without it");
    }
    try {
      return new LoadHosts(
          new HostsSettings(
              words(hosts.replace(',', ' ')),
              ssh == null ? List.of("ssh") : words(ssh),
              ShellWords.quoted(program(spec).toString()) + " agent",
              advertise == null ? ownName() : advertise,
              Version.number()));
    } catch (IllegalArgumentException e) {
      throw usage(spec, "--hosts: " + e.getMessage());
    }
  }

  /** Producers of all together, if each host has so many; {@code each} without hosts. */
  int producers(int each) {
    return hosts == null ? each : each * Math.max(1, words(hosts.replace(',', ' ')).size());
  }

  private static List<String> words(String text) {
    return Stream.of(text.trim().split("\\s+")).filter(word -> !word.isEmpty()).toList();
  }

  private Path program(CommandSpec spec) {
    String here = System.getProperty(INSTALLATION);
    String relative =
        PROGRAMS.stream()
            .filter(program -> here != null && Files.isRegularFile(Path.of(here, program)))
            .findFirst()
            .orElse(PROGRAMS.get(0));
    if (remoteHome == null && here == null) {
      throw usage(spec, "--remote-home is missing: Headpond's folder on the hosts");
    }
    return (remoteHome == null ? Path.of(here) : remoteHome).resolve(relative);
  }

  /** The name by which other machines usually know this one. */
  private static String ownName() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "127.0.0.1";
    }
  }

  private static ParameterException usage(CommandSpec spec, String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
