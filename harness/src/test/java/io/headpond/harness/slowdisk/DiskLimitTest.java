// SPDX-License-Identifier: Apache-2.0
package io.headpond.harness.slowdisk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DiskLimitTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "gp3 | 125000000 | 3000 | 125 MB/s, 3,000 IOPS",
        "hdd | 150000000 | 120 | 150 MB/s, 120 IOPS",
        "50MB/s,3000iops | 50000000 | 3000 | 50 MB/s, 3,000 IOPS",
        "3000iops, 50MiB/s | 52428800 | 3000 | 52.4 MB/s, 3,000 IOPS",
        "1.5GB/s | 1500000000 | 0 | 1,500 MB/s",
        "2GiB/s | 2147483648 | 0 | 2,147.5 MB/s",
        "500iops | 0 | 500 | 500 IOPS",
      })
  void aLimitIsANameOrNumbersWithUnits(String text, long bytes, long operations, String shown) {
    assertThat(DiskLimit.parse(text)).isEqualTo(new DiskLimit(bytes, operations));
    assertThat(DiskLimit.parse(text)).hasToString(shown);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "gp9 | write gp3, hdd, or as in 50MB/s,3000iops",
        "50 | is no limit of a disk",
        "50MB | is no limit of a disk",
        "50mb/s | is no limit of a disk",
        "50MB/s,60MB/s | is no limit of a disk",
        "50MB/s,3,000iops | is no limit of a disk",
        "50MB/s, | is no limit of a disk",
        "0MB/s | MB/s, iops or both",
        "0.5MB/s | from 1MB/s to 10GB/s",
        "11GB/s | from 1MB/s to 10GB/s",
        "50MB/s,19iops | from 20iops to 1000000iops",
        "999999999iops | from 20iops to 1000000iops",
      })
  void anythingElseIsRefusedWithWhatCanBeWritten(String text, String message) {
    assertThatThrownBy(() -> DiskLimit.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  @Test
  void smallOperationsAreLimitedByTheirNumber() {
    DiskLimit limit = DiskLimit.parse("50MB/s,3000iops");
    assertThat(limit.bytesPerSecond(4096)).isEqualTo(3000.0 * 4096);
    assertThat(limit.bytesPerSecond(1 << 20)).isEqualTo(50e6);
  }
}
