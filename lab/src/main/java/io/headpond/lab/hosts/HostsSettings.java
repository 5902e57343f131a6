// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.hosts;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/**
 * The hosts that make a load, and the way to reach them.
 *
 * @param names of the hosts, as SSH takes them, each once
 * @param ssh the command that reaches one, with its options
 * @param program what is run there, for a shell: it answers what {@link LoadHosts} asks
 * @param advertised how the hosts reach this machine
 * @param version of Headpond, which the hosts must have too
 */
public record HostsSettings(
    List<String> names, List<String> ssh, String program, String advertised, String version) {

  private static final int NAMES_MAX = 64;
  private static final String NAME = "[A-Za-z0-9_.@:%\\[\\]-]+";
  private static final String ADVERTISED = "[A-Za-z0-9_.-]+";

  /** Default options, behind those that were given: SSH takes the first value of each. */
  private static final List<String> OPTIONS =
      List.of(
          "-o",
          "BatchMode=yes",
          "-o",
          "LogLevel=ERROR",
          "-o",
          "ConnectTimeout=10",
          "-o",
          "ServerAliveInterval=5",
          "-o",
          "ServerAliveCountMax=3");

  /** Refuses what can't be a host. */
  public HostsSettings {
    names = List.copyOf(names);
    ssh = List.copyOf(ssh);
    if (names.isEmpty() || names.size() > NAMES_MAX) {
      throw new IllegalArgumentException(
          "there are 1 to " + NAMES_MAX + " hosts, not " + names.size());
    }
    for (String name : names) {
      if (name.startsWith("-") || !name.matches(NAME)) {
        throw new IllegalArgumentException("'" + name + "' is no host's name");
      }
    }
    if (new HashSet<>(names).size() < names.size()) {
      throw new IllegalArgumentException("a host is named twice in " + String.join(" ", names));
    }
    if (ssh.isEmpty()) {
      throw new IllegalArgumentException("no command to reach the hosts");
    }
    if (!advertised.matches(ADVERTISED)) {
      throw new IllegalArgumentException("'" + advertised + "' is no name or address (IPv4)");
    }
  }

  /** The command that runs {@code there}, for a shell, on a host. */
  List<String> command(String host, String there) {
    List<String> command = new ArrayList<>(ssh);
    command.addAll(OPTIONS);
    command.add(host);
    command.add(there);
    return command;
  }

  /** A command that the operator can try. */
  String trial(String host) {
    return String.join(" ", ssh) + " " + host + " true";
  }
}
