// SPDX-License-Identifier: Apache-2.0
package io.headpond.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.pmem.Durability;
import io.headpond.store.facts.StoreFacts;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.time.Duration;
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
  void aFailedTierSaysWhatBecomesOfItsSegments() throws Exception {
    try (ObservedStore observed = new ObservedStore();
        FileChannel segment = observed.append("orders-0", 0, ObservedStore.MIB)) {
      assertThat(segment.isOpen()).isTrue();
      assertThat(ofFailedTier(observed, "").remedy())
          .startsWith("What can be read of its segments is on its way out. ");
      assertThat(ofFailedTier(observed, "orders-0/0.log: its file is not there").remedy())
          .startsWith("Not all of its segments leave it: orders-0/0.log: its file is not there. ");
    }
    try (ObservedStore empty = new ObservedStore()) {
      assertThat(ofFailedTier(empty, "").remedy())
          .startsWith("No segment is left there that could leave it. ");
    }
  }

  /** The one alert there is: what has failed is neither volatile nor soon full. */
  private static Alert ofFailedTier(final ObservedStore observed, final String waits)
      throws IOException {
    final StoreFacts facts = LivePageTest.failed(observed.store().facts(), waits);
    final Forecast forecast = Forecast.of(1, 2, -1, 1, Duration.ofSeconds(1));
    assertThat(forecast.kind()).isEqualTo(Forecast.Kind.FULL);
    final List<Alert> alerts =
        Alert.of(facts, List.of(forecast), observed.store().config()).stream()
            .filter(alert -> alert.text().startsWith("Tier "))
            .toList();
    assertThat(alerts).hasSize(1);
    return alerts.get(0);
  }

  @Test
  void aFailedDeviceIsNamedByItsDirectoryWhereItIsKnown() {
    final List<Path> two = List.of(Path.of("/mnt/a"), Path.of("/mnt/b"));
    assertThat(Alert.failed(1, two.subList(0, 1))).isEqualTo("/mnt/a");
    assertThat(Alert.failed(1, two)).isEqualTo("1 of its 2 directories");
    assertThat(Alert.failed(2, two)).isEqualTo("/mnt/a, /mnt/b");
  }
}
