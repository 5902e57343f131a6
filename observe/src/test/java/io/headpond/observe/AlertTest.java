// SPDX-License-Identifier: Apache-2.0
package io.headpond.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.pmem.Durability;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Alerts of devices that no test can have at will. */
final class AlertTest {
  @ParameterizedTest
  @EnumSource(Durability.class)
  void eachWordButDurableIsAnAlertWithItsReason(final Durability word) {
    if (word == Durability.DURABLE) {
      assertThat(Alert.notDurable("Tier fast", word, "as it is")).isEmpty();
    } else {
      final Alert alert = Alert.notDurable("Tier fast", word, "as it is").orElseThrow();
      assertThat(alert.level()).isEqualTo(Alert.Level.WARNING);
      assertThat(alert.text()).isEqualTo("Tier fast is " + word + ": as it is");
      assertThat(alert.remedy()).endsWith(".");
    }
  }

  @Test
  void aFailedDeviceIsNamedByItsDirectoryWhereItIsKnown() {
    final List<Path> two = List.of(Path.of("/mnt/a"), Path.of("/mnt/b"));
    assertThat(Alert.failed(1, two.subList(0, 1))).isEqualTo("/mnt/a");
    assertThat(Alert.failed(1, two)).isEqualTo("1 of its 2 directories");
    assertThat(Alert.failed(2, two)).isEqualTo("/mnt/a, /mnt/b");
  }
}
