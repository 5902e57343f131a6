// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import io.headpond.lab.bookkeeper.variant.JournalVariant;
import io.headpond.lab.comparison.Metric;
import io.headpond.lab.comparison.RoundFigures;
import io.headpond.lab.scenario.PointFigures;
import io.headpond.lab.scenario.PointTurn;
import java.util.List;

/**
 * One turn under the names that {@code headpond-lab run bookkeeper --json} has.
 *
 * @param round counts on from start to start
 * @param seconds measured, without the ramp before
 * @param adds acknowledged in them
 * @param p50Us from sending to acknowledgement, microseconds
 * @param bookieCpuUsPerAdd processor time of the bookie, user and system
 * @param clientCpuUsPerAdd of the client, which shares the processors
 * @param failures adds that failed: such a turn means nothing
 * @param otherCpuShare share of all processors, 0 to 1, that neither bookie nor client used
 */
record BookKeeperTurn(
    Load point,
    int round,
    JournalVariant variant,
    double seconds,
    long adds,
    double addsPerSecond,
    double mbPerSecond,
    double p50Us,
    double p99Us,
    double p999Us,
    double maxUs,
    double bookieCpuUsPerAdd,
    double clientCpuUsPerAdd,
    long failures,
    double otherCpuShare)
    implements RoundFigures<BookKeeperTurn.Load, JournalVariant> {

  /** The figures by which variants are compared, in the order of a table. */
  static final List<Metric<BookKeeperTurn>> METRICS =
      List.of(
          new Metric<>("adds", "throughput", "adds/s", true, BookKeeperTurn::addsPerSecond),
          new Metric<>("latency_p50", "latency P50", "µs", false, BookKeeperTurn::p50Us),
          new Metric<>("latency_p99", "latency P99", "µs", false, BookKeeperTurn::p99Us),
          new Metric<>("latency_p999", "latency P99.9", "µs", false, BookKeeperTurn::p999Us),
          new Metric<>(
              "bookie_cpu", "bookie CPU", "µs/add", false, BookKeeperTurn::bookieCpuUsPerAdd),
          // That of the client, which is the same for all.
          new Metric<>(
              "client_cpu", "client CPU", "µs/add", false, BookKeeperTurn::clientCpuUsPerAdd));

  /**
   * One load.
   *
   * @param entryBytes size of every entry
   * @param window adds that may wait for their answer
   */
  record Load(int entryBytes, int window) {}

  /**
   * Of a turn that was measured.
   *
   * @param roundsBefore those of the starts before
   */
  static BookKeeperTurn of(PointTurn turn, int roundsBefore) {
    PointFigures f = turn.figures();
    long adds = Math.max(1, f.messages());
    return new BookKeeperTurn(
        new Load(turn.point().messageBytes(), turn.point().window()),
        roundsBefore + turn.round(),
        (JournalVariant) turn.variant(),
        f.seconds(),
        f.messages(),
        f.perSecond(),
        f.bytesPerSecond() / 1e6,
        micros(f, 50),
        micros(f, 99),
        micros(f, 99.9),
        micros(f, 100),
        f.cpu().engineMicrosPer(adds),
        f.cpu().loadGeneratorMicrosPer(adds),
        f.failures(),
        f.otherCpuShare());
  }

  /** Zero if there was none, as in all such documents. */
  private static double micros(PointFigures figures, double percentile) {
    return figures.publish().getValueAtPercentile(percentile) / 1e3;
  }

  @Override
  public Load load() {
    return point;
  }
}
