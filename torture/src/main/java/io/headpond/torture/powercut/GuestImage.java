// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut;

import io.headpond.harness.process.JavaHome;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;

/** Kernel, initial RAM disk and root file system of guests, with some Java run times in it. */
public final class GuestImage {
  private static final List<String> SCRIPTS = List.of("build-guest.sh", "init");

  private GuestImage() {}

  /**
   * The JDKs that a guest can have: one of each feature release that is installed with {@code
   * jlink}.
   *
   * @throws IOException if there is none; the message names a package
   */
  public static List<JavaHome> javas() throws IOException {
    List<JavaHome> able =
        JavaHome.installed().stream()
            .filter(java -> Files.isExecutable(java.path().resolve("bin/jlink")))
            .toList();
    if (able.isEmpty()) {
      throw new IOException(
          "no JDK 17 or newer with jlink was found, which the guest's Java is made by; apt-get"
              + " install openjdk-17-jdk-headless, or name one in "
              + JavaHome.TEST_JAVA_HOMES);
    }
    return able;
  }

  /** The JDK of a feature release, of {@link #javas}. */
  public static JavaHome java(int feature) throws IOException {
    return javas().stream()
        .filter(java -> java.feature() == feature)
        .findFirst()
        .orElseThrow(
            () ->
                new IOException(
                    String.format(
                        "the guest needs a JDK %d with jlink; apt-get install"
                            + " openjdk-%d-jdk-headless, or name one in %s",
                        feature, feature, JavaHome.TEST_JAVA_HOMES)));
  }

  /** The files of one of its Java run times, as the guest has them. */
  static Path jre(Path image, String name) {
    return image.resolve("jres").resolve(name);
  }

  /**
   * Makes what isn't there yet: Debian packages are downloaded, a minute; nothing if it was made by
   * the same scripts, packages and JDKs before.
   *
   * @param image the folder that holds it
   * @throws IOException if a program that is needed isn't installed, naming its package, or if the
   *     image can't be made
   */
  public static void build(Path image, List<JavaHome> javas, HostPrograms host)
      throws IOException, InterruptedException {
    String machine = System.getProperty("os.name") + " on " + System.getProperty("os.arch");
    if (!machine.equals("Linux on amd64")) {
      throw new IOException(
          "the guest is made of this host, which must be Linux on amd64, not " + machine);
    }
    HostPrograms.find("qemu-system-x86_64", "qemu-system-x86");
    HostPrograms.find("mke2fs", "e2fsprogs");
    for (String program : List.of("apt-get", "apt-cache")) {
      HostPrograms.find(program, "apt");
    }
    HostPrograms.find("dpkg-deb", "dpkg");
    Path scripts = Files.createDirectories(image.resolveSibling("guest-scripts"));
    for (String script : SCRIPTS) {
      try (InputStream in = GuestImage.class.getResourceAsStream(script)) {
        Files.copy(in, scripts.resolve(script), StandardCopyOption.REPLACE_EXISTING);
      }
    }
    List<String> command = new ArrayList<>(List.of("sh"));
    command.add(scripts.resolve("build-guest.sh").toString());
    command.add(image.toString());
    for (JavaHome java : javas) {
      command.add(Setup.jre(java.feature()) + "=" + java.path());
    }
    host.run("build-guest", command, scripts);
  }
}
