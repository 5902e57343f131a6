// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.headpond.harness.process.Ports;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;

/**
 * A real SSH server of a test's own on loopback, with keys of its own, for the user that runs the
 * test. Where it can't be, the test is skipped.
 */
final class Sshd implements AutoCloseable {

  private static final Path PROGRAM = Path.of("/usr/sbin/sshd");

  /** Where it drops its privileges; a package makes it only where it starts the service. */
  private static final Path EMPTY = Path.of("/run/sshd");

  private final Path folder;
  private final int port;
  private final Process process;

  private Sshd(Path folder, int port, Process process) {
    this.folder = folder;
    this.port = port;
    this.process = process;
  }

  /** Starts it; its files are in {@code folder}, which only this user may write. */
  static Sshd start(Path folder) throws Exception {
    assumeTrue(Files.isExecutable(PROGRAM), "there is no sshd; install openssh-server");
    assumeTrue(
        !System.getProperty("user.name").equals("root") || Files.isDirectory(EMPTY),
        "sshd needs " + EMPTY + "; make that folder");
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
    run(folder, "ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", "host_key");
    run(folder, "ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", "user_key");
    Files.copy(folder.resolve("user_key.pub"), folder.resolve("authorized_keys"));
    int port = Ports.free(1)[0];
    Path configuration = folder.resolve("sshd_config");
    Files.write(
        configuration,
        List.of(
            "Port " + port,
            "ListenAddress 127.0.0.1",
            "HostKey " + folder.resolve("host_key"),
            "AuthorizedKeysFile " + folder.resolve("authorized_keys"),
            "PidFile none",
            "StrictModes no",
            "UsePAM no",
            "PasswordAuthentication no",
            "KbdInteractiveAuthentication no"));
    Process process =
        new ProcessBuilder(PROGRAM.toString(), "-D", "-e", "-f", configuration.toString())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("sshd.log").toFile())
            .start();
    Sshd sshd = new Sshd(folder, port, process);
    try {
      sshd.requireLogin();
      return sshd;
    } catch (Exception | Error e) {
      sshd.close();
      throw e;
    }
  }

  private static int run(Path folder, String... command) throws Exception {
    return new ProcessBuilder(command)
        .directory(folder.toFile())
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(folder.resolve("tools.log").toFile()))
        .start()
        .waitFor();
  }

  private void requireLogin() throws Exception {
    Await.until("sshd listens or has ended", () -> listens() || !process.isAlive());
    List<String> words = new ArrayList<>(List.of(ssh().split(" ")));
    words.addAll(List.of("-o", "BatchMode=yes", "127.0.0.1", "true"));
    boolean works = process.isAlive() && run(folder, words.toArray(String[]::new)) == 0;
    assumeTrue(
        works,
        () ->
            "nobody can log in to an sshd on loopback here: "
                + text("sshd.log")
                + text("tools.log"));
  }

  private boolean listens() {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress("127.0.0.1", port), 500);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private String text(String file) {
    try {
      return Files.readString(folder.resolve(file));
    } catch (IOException e) {
      return e.toString();
    }
  }

  /** The command that logs in to it, without a password and without asking for its key. */
  String ssh() {
    return "ssh -p "
        + port
        + " -i "
        + folder.resolve("user_key")
        + " -o IdentitiesOnly=yes -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null";
  }

  @Override
  public void close() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
    process.onExit().join();
  }
}
