// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;

/** The programs in C that a guest needs on the host: plugins of QEMU, as a rule. */
final class Plugin {
  private Plugin() {}

  /** Compiles a plugin of QEMU into a folder. */
  static Path make(String name, Path folder, HostPrograms host)
      throws IOException, InterruptedException {
    Path plugin = folder.resolve(name + ".so");
    copySource("qemu.h", folder);
    compile(name, plugin, host, "-shared", "-fPIC", "-fvisibility=hidden");
    return plugin;
  }

  /** A blink. */
  static void compile(String name, Path target, HostPrograms host, String... options)
      throws IOException, InterruptedException {
    copySource(name + ".c", target.getParent());
    List<String> command = new ArrayList<>();
    command.add(HostPrograms.find("gcc", "gcc").toString());
    command.addAll(List.of("-O2", "-Wall", "-Wextra", "-Werror"));
    command.addAll(List.of(options));
    command.addAll(List.of("-o", target.toString()));
    command.add(target.resolveSibling(name + ".c").toString());
    host.run("gcc", command, target.getParent());
  }

  private static void copySource(String name, Path folder) throws IOException {
    try (InputStream in = Plugin.class.getResourceAsStream(name)) {
      Files.copy(in, folder.resolve(name), StandardCopyOption.REPLACE_EXISTING);
    }
  }
}
