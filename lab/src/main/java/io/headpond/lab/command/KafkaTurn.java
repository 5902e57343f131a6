// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.command;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.headpond.lab.comparison.Metric;
import io.headpond.lab.comparison.RoundFigures;
import io.headpond.lab.kafka.load.Producers;
import io.headpond.lab.kafka.variant.Variant;
import io.headpond.lab.scenario.PointFigures;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.HdrHistogram.Histogram;

/**
 * The figures of one variant in one round; a phase that wasn't wanted is null.
 *
 * @param round from 1 on, over all starts
 * @param overflowSegments segments of the measured topics that weren't in the fast tier; variants
 *     without Headpond have none
 * @param otherCpuShare largest share of the machine's processors, 0 to 1, that something else used
 *     in one of its phases
 * @param bareForceUs what a bare force on the fast device took in this round, microseconds; null:
 *     it wasn't measured
 */
record KafkaTurn(
    Load load,
    int round,
    Variant variant,
    Paced latency,
    Paced roll,
    FullSpeed produce,
    FullSpeed consume,
    int overflowSegments,
    double otherCpuShare,
    @JsonInclude(JsonInclude.Include.NON_NULL) Double bareForceUs)
    implements RoundFigures<KafkaTurn.Load, Variant> {

  /**
   * The figures by which variants are compared, in the order of a table: at full speed; at a fixed
   * rate, where all variants do the same work, from when a record was due; the same with small
   * segments; reading from the page cache.
   */
  static final List<Metric<KafkaTurn>> METRICS =
      List.of(
          more(
              "produce_records",
              "produce",
              "records/s",
              KafkaTurn::produce,
              FullSpeed::recordsPerSecond),
          more("produce_bytes", "produce", "MB/s", KafkaTurn::produce, FullSpeed::mbPerSecond),
          less(
              "produce_cpu",
              "produce, broker CPU",
              "µs/record",
              KafkaTurn::produce,
              FullSpeed::brokerCpuUsPerRecord),
          less("produce_p50", "produce, P50", "ms", KafkaTurn::produce, f -> millis(f.p50Us())),
          less("produce_p99", "produce, P99", "ms", KafkaTurn::produce, f -> millis(f.p99Us())),
          less(
              "produce_client_cpu",
              "produce, load generator CPU",
              "µs/record",
              KafkaTurn::produce,
              FullSpeed::loadGeneratorCpuUsPerRecord),
          less("latency_p50", "latency P50", "ms", KafkaTurn::latency, f -> f.p50Us() / 1e3),
          less("latency_p99", "latency P99", "ms", KafkaTurn::latency, f -> f.p99Us() / 1e3),
          less("latency_p999", "latency P99.9", "ms", KafkaTurn::latency, f -> f.p999Us() / 1e3),
          less(
              "latency_cpu",
              "at that rate, broker CPU",
              "µs/record",
              KafkaTurn::latency,
              Paced::brokerCpuUsPerRecord),
          less(
              "latency_written",
              "at that rate, broker's writes to disks",
              "B/B",
              KafkaTurn::latency,
              Paced::diskBytesPerByte),
          less("roll_p50", "rolling, latency P50", "ms", KafkaTurn::roll, f -> f.p50Us() / 1e3),
          less("roll_p99", "rolling, latency P99", "ms", KafkaTurn::roll, f -> f.p99Us() / 1e3),
          less("roll_p999", "rolling, latency P99.9", "ms", KafkaTurn::roll, f -> f.p999Us() / 1e3),
          less("roll_max", "rolling, latency max", "ms", KafkaTurn::roll, f -> f.maxUs() / 1e3),
          less(
              "roll_written",
              "rolling, broker's writes to disks",
              "B/B",
              KafkaTurn::roll,
              Paced::diskBytesPerByte),
          more("consume_bytes", "consume", "MB/s", KafkaTurn::consume, FullSpeed::mbPerSecond),
          less(
              "consume_cpu",
              "consume, broker CPU",
              "µs/MiB",
              KafkaTurn::consume,
              FullSpeed::brokerCpuUsPerMib));

  private static <P> Metric<KafkaTurn> more(
      String key,
      String title,
      String unit,
      Function<KafkaTurn, P> phase,
      ToDoubleFunction<P> value) {
    return new Metric<>(key, title, unit, true, of(phase, value));
  }

  private static <P> Metric<KafkaTurn> less(
      String key,
      String title,
      String unit,
      Function<KafkaTurn, P> phase,
      ToDoubleFunction<P> value) {
    return new Metric<>(key, title, unit, false, of(phase, value));
  }

  private static double millis(Double micros) {
    return micros == null ? Double.NaN : micros / 1e3;
  }

  private static <P> ToDoubleFunction<KafkaTurn> of(
      Function<KafkaTurn, P> phase, ToDoubleFunction<P> value) {
    return turn -> {
      P figures = phase.apply(turn);
      return figures == null ? Double.NaN : value.applyAsDouble(figures);
    };
  }

  /**
   * The load of one broker.
   *
   * @param recordBytes size of a record's value, bytes
   * @param acks {@code 1} or {@code all}
   * @param compression {@code none}, {@code lz4} or another of Kafka's
   */
  record Load(int recordBytes, String acks, String compression) {

    private static final double RATE_MAX = 5_000;
    private static final double RATE_BYTES = 16 << 20;

    /** The rate of the measures of latency unless one is given: 16 MiB/s, at most 5,000/s. */
    double defaultRate() {
      return Math.min(RATE_MAX, RATE_BYTES / recordBytes);
    }

    Producers producers() {
      return new Producers(acks, compression);
    }
  }

  /**
   * A phase at a fixed rate. Latencies go from the moment a record was due to its acknowledgement,
   * in microseconds, so a record that had to wait behind a slow one counts with its wait.
   *
   * @param ratePerSecond records due per second
   * @param records measured
   * @param sendLagP99Us how late the load generator itself was, which is part of the latencies
   * @param diskBytesPerByte bytes that the broker wrote to files on block devices during the whole
   *     phase, for each byte of the logs
   * @param segments rolled during the whole phase; 0 where they are large
   * @param histogram of the latencies in nanoseconds, with the times of its beginning and end; too
   *     long for the JSON
   */
  record Paced(
      double ratePerSecond,
      long records,
      double p50Us,
      double p99Us,
      double p999Us,
      double maxUs,
      double sendLagP99Us,
      double brokerCpuUsPerRecord,
      double loadGeneratorCpuUsPerRecord,
      double diskBytesPerByte,
      int segments,
      @JsonIgnore Histogram histogram) {

    static Paced of(double ratePerSecond, PointFigures f, double diskBytesPerByte, int segments) {
      return new Paced(
          ratePerSecond,
          f.publish().getTotalCount(),
          f.publishUs(50),
          f.publishUs(99),
          f.publishUs(99.9),
          f.publishUs(100),
          f.sendLag().getValueAtPercentile(99) / 1e3,
          f.cpu().engineMicrosPer(f.messages()),
          f.cpu().loadGeneratorMicrosPer(f.messages()),
          diskBytesPerByte,
          segments,
          f.publish());
    }
  }

  /**
   * A phase at full speed, of producing or consuming.
   *
   * @param seconds measured, without the ramp before
   * @param bytesPerSecond of keys and values, uncompressed
   * @param brokerCpuUsPerRecord processor time of the broker, microseconds
   * @param loadGeneratorCpuUsPerRecord processor time of the client, which shares the processors
   * @param brokerCpuUsPerMib the broker's per MiB of keys and values
   * @param p50Us latency in microseconds where few records may wait for their answer; null: the
   *     queue in the producers decides it
   */
  record FullSpeed(
      double seconds,
      long records,
      double recordsPerSecond,
      double bytesPerSecond,
      double brokerCpuUsPerRecord,
      double loadGeneratorCpuUsPerRecord,
      double brokerCpuUsPerMib,
      @JsonInclude(JsonInclude.Include.NON_NULL) Double p50Us,
      @JsonInclude(JsonInclude.Include.NON_NULL) Double p99Us) {

    static FullSpeed of(PointFigures f, boolean windowed) {
      return new FullSpeed(
          f.seconds(),
          f.messages(),
          f.perSecond(),
          f.bytesPerSecond(),
          f.cpu().engineMicrosPer(f.messages()),
          f.cpu().loadGeneratorMicrosPer(f.messages()),
          f.cpu().engineMicrosPer(f.bytesPerSecond() * f.seconds() / (1 << 20)),
          windowed ? f.publishUs(50) : null,
          windowed ? f.publishUs(99) : null);
    }

    double mbPerSecond() {
      return bytesPerSecond / 1e6;
    }
  }
}
