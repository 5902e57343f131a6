// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests.powercut;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.torture.powercut.Campaign;
import io.headpond.torture.powercut.ChannelCuts;
import io.headpond.torture.powercut.CutsReport;
import io.headpond.torture.powercut.HostPrograms;
import io.headpond.torture.powercut.Machine;
import java.io.IOException;
import java.nio.file.Path;

/**
 * What the tests of one class with a guest share: its image, the programs that run it, and the
 * power cuts' seed. For a field with {@link org.junit.jupiter.api.AutoClose}.
 */
final class Campaigns implements AutoCloseable {
  static final long SEED = Long.getLong("headpond.powercut.seed", System.nanoTime() & 0xffff_ffffL);

  /** Cuts per main back end. */
  static final int ROUNDS = Integer.getInteger("headpond.powercut.rounds", 5);

  /** Instants of each round whose disks are compared without a reboot. */
  static final int INSTANTS = 5;

  private final HostPrograms host = new HostPrograms();
  private Path image;

  /** Built at the first use; kept for other classes. */
  synchronized Path image() throws IOException, InterruptedException {
    if (image == null) {
      image = Guests.image(host);
    }
    return image;
  }

  HostPrograms host() {
    return host;
  }

  ChannelCuts onNewDisks(String name, Machine machine, boolean control) throws Exception {
    Path folder = Guests.FOLDER.resolve(name);
    Guests.VIEW.line("seed " + SEED + ", " + machine + ", disks and consoles in " + folder);
    return ChannelCuts.begin(image(), folder, machine, control, SEED, host, Guests.VIEW);
  }

  static void assertNothingLost(Campaign cuts) throws Exception {
    CutsReport report = cuts.report();
    Guests.VIEW.line(report + ", seed " + SEED);
    assertThat(report.clean()).as(report.toString()).isTrue();
  }

  @Override
  public void close() {
    host.close();
  }
}
