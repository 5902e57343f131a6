// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.upkeep;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class DeviceIoTest {

  private static final String STAT =
      "  10 1 16 5 20 2 64 7 0 9 12 0 0 0 0 %d 3%n".replace("%n", "\n");
  private static final String JOURNAL = "%d transactions (3 requested), each up to 1024 blocks\n";

  @Test
  void theKernelsTextIsCountedInBytes() {
    DeviceIo io = DeviceIo.parse(String.format(STAT, 4), String.format(JOURNAL, 6));

    assertThat(io).isEqualTo(new DeviceIo(10, 16 * 512, 20, 64 * 512, 4, 6));
  }

  @Test
  void countsAreDifferencesFromAMoment() {
    DeviceIo before = DeviceIo.parse(String.format(STAT, 4), String.format(JOURNAL, 6));
    DeviceIo after = DeviceIo.parse(String.format(STAT, 9), String.format(JOURNAL, 8));

    assertThat(after.since(before)).isEqualTo(new DeviceIo(0, 0, 0, 0, 5, 2));
  }

  @Test
  void whatTheKernelDoesNotCountStaysUnknown() {
    DeviceIo old = DeviceIo.parse("10 1 16 5 20 2 64 7 0 9 12", "");

    assertThat(old.flushes()).isEqualTo(-1);
    assertThat(old.commits()).isEqualTo(-1);
    assertThat(old.since(old).flushes()).isEqualTo(-1);
    assertThat(old.since(old).writes()).isZero();
  }

  @Test
  void aDevicesNumberIsReadAsTheKernelMakesIt() {
    long nvme = 0x103_05L; // 259:5 in 16 bits of minor and 12 of major
    assertThat(DeviceIo.major(0x10305L)).isEqualTo(0x103);
    assertThat(DeviceIo.minor(nvme)).isEqualTo(5);
    assertThat(DeviceIo.major(0x700L)).isEqualTo(7);
    assertThat(DeviceIo.minor(0x1000_0001L)).isEqualTo(0x10001);
  }

  @Test
  void aFolderInMemoryHasNoDevice() throws IOException {
    assertThat(DeviceIo.of(Path.of("/proc")).writes()).isEqualTo(-1);
  }
}
