// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.torture.Run;
import io.headpond.torture.powercut.disk.Forgotten;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PowerCutCommandTest {

  @Test
  void aControlThatLosesNothingProvesNothing() {
    PowerCutResult result = result(PowerCutEngine.CHANNEL, found(10, 10, 0), found(5, 5, 0));
    assertThat(result.clean()).isTrue();
    assertThat(result.proves()).isFalse();
  }

  @Test
  void whatIsLostOrWasNotThereToBeComparedIsNotClean() {
    CutsReport control = found(5, 1, 4);
    assertThat(result(PowerCutEngine.KAFKA, found(10, 9, 1), control).clean()).isFalse();
    assertThat(result(PowerCutEngine.KAFKA, found(0, 0, 0), control).clean()).isFalse();
    assertThat(result(PowerCutEngine.KAFKA, found(10, 10, 0), control).proves()).isTrue();
  }

  @Test
  void findingsOfControlsAreAdded() {
    assertThat(new ControlFinding(3, 0).and(new ControlFinding(7, 5)))
        .isEqualTo(new ControlFinding(10, 5));
  }

  @Test
  void anEngineOnADiskHasNoOtherMemory() {
    Run run = Run.of(new PowerCutCommand(), "--memory", "forgets", "--engine", "kafka-disk");
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("--memory forgets goes with an engine on the NVDIMM");
  }

  @Test
  void xfsHasNoMemoryThatForgets() {
    Run memory = Run.of(new PowerCutCommand(), "--file-system", "xfs", "--memory", "forgets");
    assertThat(memory.exitCode()).isEqualTo(2);
    assertThat(memory.err()).contains("--memory forgets goes with ext4");
  }

  @Test
  void xfsHasNoInstants() {
    Run run = Run.of(new PowerCutCommand(), "--file-system", "xfs");
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("--file-system xfs needs --instants 0");
  }

  private static PowerCutResult result(
      PowerCutEngine engine, CutsReport found, CutsReport control) {
    return PowerCutResult.of(
        engine,
        Disk.FORGETS,
        Memory.KEEPS,
        GuestFileSystem.EXT4,
        found,
        ControlFinding.of(control),
        1);
  }

  private static CutsReport found(long acknowledged, long verified, long lost) {
    return new CutsReport(
        1,
        2,
        0,
        new Losses(new Forgotten(3, 2, 1), Forgotten.NOTHING),
        Map.of("roll", 1),
        acknowledged,
        0,
        verified,
        verified,
        lost,
        0);
  }
}
