// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class UnitsTest {

  @ParameterizedTest
  @CsvSource({
    "0B, 0",
    "512B, 512",
    "64KiB, 65536",
    "64MiB, 67108864",
    "1.5GiB, 1610612736",
    "600GiB, 644245094400",
    "2 TiB, 2199023255552",
    "8388607TiB, 9223370937343148032"
  })
  void aSizeIsReadWithItsUnit(String text, long bytes) {
    assertThat(SizeConverter.parse(text)).isEqualTo(bytes);
  }

  @ParameterizedTest
  @ValueSource(strings = {"64", "64MB", "64mib", "-1MiB", "", "MiB", "8388608TiB", "0.3B", "1e3B"})
  void aSizeWithoutAKnownUnitIsRefusedWithAnExample(String text) {
    assertThatThrownBy(() -> SizeConverter.parse(text))
        .isInstanceOf(TypeConversionException.class)
        .hasMessageContaining("'" + text + "'")
        .hasMessageContaining("64MiB");
  }

  @ParameterizedTest
  @CsvSource({
    "500ms, 500",
    "20s, 20000",
    "1.5s, 1500",
    "2m, 120000",
    "1h, 3600000",
    "7d, 604800000",
    "0s, 0"
  })
  void aDurationIsReadWithItsUnit(String text, long ms) {
    assertThat(DurationConverter.parse(text)).isEqualTo(Duration.ofMillis(ms));
  }

  @ParameterizedTest
  @ValueSource(strings = {"20", "20sec", "-1s", "", "s", "0.1ms", "1w"})
  void aDurationWithoutAKnownUnitIsRefusedWithAnExample(String text) {
    assertThatThrownBy(() -> DurationConverter.parse(text))
        .isInstanceOf(TypeConversionException.class)
        .hasMessageContaining("'" + text + "'")
        .hasMessageContaining("20s");
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0 B",
    "1023, 1023 B",
    "1024, 1.00 KiB",
    "67108864, 64.0 MiB",
    "1610612736, 1.50 GiB",
    "1073741823, 1.00 GiB",
    "9223372036854775807, 8.00 EiB"
  })
  void aSizeIsShownWithItsUnit(long bytes, String text) {
    assertThat(Units.bytes(bytes)).isEqualTo(text);
  }

  @Test
  void aDurationIsShownWithItsUnit() {
    assertThat(Units.duration(Duration.ofNanos(850_900))).isEqualTo("850 µs");
    assertThat(Units.duration(Duration.ofMillis(12))).isEqualTo("12.0 ms");
    assertThat(Units.duration(Duration.ofNanos(999_960_000))).isEqualTo("1.0 s");
    assertThat(Units.duration(Duration.ofMillis(3_240))).isEqualTo("3.2 s");
    assertThat(Units.duration(Duration.ofMillis(59_990))).isEqualTo("1 m 00 s");
    assertThat(Units.duration(Duration.ofSeconds(125))).isEqualTo("2 m 05 s");
    assertThat(Units.duration(Duration.ofMinutes(61))).isEqualTo("1 h 01 m");
    assertThat(Units.duration(Duration.ofDays(999_999_999))).isEqualTo("23999999976 h 00 m");
    assertThat(Units.duration(Duration.ofMillis(-3_240))).isEqualTo("-3.2 s");
    assertThat(Units.duration(Duration.ofDays(-999_999_999))).isEqualTo("-23999999976 h 00 m");
  }

  @Test
  void aMeasuredValueKeepsItsDigits() {
    assertThat(Units.number(1234567.8)).isEqualTo("1,234,568");
    assertThat(Units.number(123.45)).isEqualTo("123");
    assertThat(Units.number(12.345)).isEqualTo("12.3");
    assertThat(Units.number(0.1234)).isEqualTo("0.12");
    assertThat(Units.number(0.01234)).isEqualTo("0.012");
    assertThat(Units.number(0)).isEqualTo("0.00");
  }

  @Test
  void aRateNeedsTime() {
    assertThat(Units.bytesPerSecond(1 << 20, Duration.ofMillis(500))).isEqualTo("2.00 MiB/s");
    assertThat(Units.bytesPerSecond(1 << 20, Duration.ZERO)).isEqualTo("-");
    assertThat(Units.rate(Double.NaN)).isEqualTo("-");
  }

  @Test
  void aLongLatencyIsShownInSeconds() {
    assertThat(Units.milliseconds(13_195)).isEqualTo("13.2 s");
    assertThat(Units.milliseconds(57.11)).isEqualTo("57.1 ms");
    assertThat(Units.milliseconds(0.4)).isEqualTo("400 µs");
    assertThat(Units.milliseconds(Double.NaN)).isEqualTo("-");
  }

  @Test
  void aCountAgreesWithItsNoun() {
    assertThat(Units.count(1, "segment")).isEqualTo("1 segment");
    assertThat(Units.count(12_345, "segment")).isEqualTo("12,345 segments");
  }
}
