// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.cli.measure.Spread;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class DurableResultTest {

  private static String printed(DurableResult result) {
    StringWriter text = new StringWriter();
    DurableComparison.print(new PrintWriter(text), result, Path.of("/var/tmp"));
    return text.toString();
  }

  @Test
  void ratiosAreTakenTurnByTurn() {
    List<Double> ratios =
        DurableResult.ratios(
            List.of(4_000.0, 3_000.0, 5_000.0), List.of(2_000.0, 3_000.0, 4_000.0));
    assertThat(ratios).containsExactly(2.0, 1.0, 1.25);
    assertThat(
            new DurableResult("ext4", 1024, null, null, 4_000, 0.4, 3_000, 0.9, ratios)
                .ratio()
                .median())
        .isEqualTo(1.25);
    assertThat(Spread.of(List.of(1.0, 4.0, 2.0, 3.0)).median()).isEqualTo(2.5);
  }

  @Test
  void thePictureHasBothSidesAndTheSpread() {
    assertThat(
            printed(
                new DurableResult(
                    "ext4", 1024, null, null, 4_573, 0.4, 2_519, 0.97, List.of(1.77, 1.82, 1.86))))
        .contains(
            "1.00 KiB, one at a time;\nlog directories and tier on the disk below /var/tmp (ext4)")
        .contains("with Headpond [##############################]   4,573 records/s, P99 400 µs")
        .contains("without       [#################-------------]   2,519 records/s, P99 970 µs")
        .contains("1.82 times the records a second (1.77 - 1.86)")
        .doesNotContain("NOISY");
  }

  @Test
  void turnsThatDifferTooMuchAreCalledNoisy() {
    assertThat(
            printed(
                new DurableResult(
                    "ext4", 1024, null, null, 456, 13, 167, 21, List.of(1.15, 2.6, 5.95))))
        .contains("NOISY: the turns' ratios differ by more than twice");
  }

  @Test
  void aSideThatIsSlowerIsShownAsSlower() {
    assertThat(printed(new DurableResult("nfs", 1024, null, null, 500, 9, 1_000, 5, List.of(0.5))))
        .contains("with Headpond [###############---------------]     500 records/s")
        .contains("without       [##############################]   1,000 records/s")
        .contains("0.50 times the records a second");
  }

  @Test
  void aLimitedHomeIsCalledSoWithWhatWasMeasured() {
    assertThat(
            printed(
                new DurableResult(
                    "ext4",
                    1024,
                    "home is limited to 50 MB/s; measured before: writes 52.8 MB/s",
                    "it took 90 MB/s",
                    4_573,
                    0.4,
                    419,
                    2.97,
                    List.of(10.9))))
        .contains("log directories on a slow disk, the tier on the disk below /var/tmp (ext4)")
        .contains("LIMITED: home is limited to 50 MB/s;\n  measured before: writes 52.8 MB/s")
        .contains("Not judged: it took 90 MB/s");
  }
}
