// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.channel;

import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.headpond.cli.measure.Spread;
import io.headpond.lab.comparison.Figure;
import io.headpond.lab.comparison.Report;
import io.headpond.lab.comparison.TextTable;
import io.headpond.pmem.Device;
import io.headpond.pmem.Durability;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The result of a {@link ChannelBench}.
 *
 * @param device what it was measured on
 * @param skipped what could not be measured, and why
 * @param rows in the order measured
 */
public record ChannelReport(Device device, Map<String, String> skipped, List<Row> rows)
    implements Report {

  /** The places of the appended bytes. */
  public enum Growth {
    /** Appends into blocks that are there, mapped and faulted in where that applies. */
    PREGROWN,
    /** Appends into an empty file as fast as the writer can: growth by the run-ahead included. */
    GROWING,
    /** Appends into a prepared file of zeros: mapping and faulting included. */
    PREPARED;

    /** The key in tables and JSON. */
    public String key() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * One measurement.
   *
   * @param subject what was appended to
   * @param appendBytes size of an append, bytes
   * @param growth where the bytes went
   * @param nanos per append, of the iterations
   * @param allocatedBytes heap bytes per append; NaN where not measured
   */
  public record Row(
      String subject, int appendBytes, Growth growth, Spread nanos, double allocatedBytes) {

    /** Bytes appended per second in GB (10^9), from the median. */
    public double gigabytesPerSecond() {
      return appendBytes / nanos.median();
    }
  }

  /** Time relative to a bare libpmem copy of the same bytes into a pre-grown file. */
  public Optional<Spread> toBareLibpmem(Row row) {
    return find(Subject.BARE_LIBPMEM, row.appendBytes, Growth.PREGROWN)
        .flatMap(baseline -> ratio(row, baseline));
  }

  /** Time relative to {@code FileChannel.write} of the same bytes; growing where the row grows. */
  public Optional<Spread> toFileChannel(Row row) {
    Growth growth = row.growth == Growth.PREGROWN ? Growth.PREGROWN : Growth.GROWING;
    return find(Subject.FILE_CHANNEL, row.appendBytes, growth)
        .flatMap(baseline -> ratio(row, baseline));
  }

  private static Optional<Spread> ratio(Row row, Row baseline) {
    return Spread.ofRatios(row.nanos.values(), baseline.nanos.values());
  }

  private Optional<Row> find(Subject subject, int appendBytes, Growth growth) {
    return rows.stream()
        .filter(
            row ->
                row.subject.equals(subject.key())
                    && row.appendBytes == appendBytes
                    && row.growth == growth)
        .findFirst();
  }

  private static final Figure.Kind TIME =
      new Figure.Kind("append_time", "time of an append", "ns", false);

  /** Headpond's files compared with the bare copy and with plain writes. */
  @Override
  public List<Figure> figures() {
    List<Figure> figures = new ArrayList<>();
    for (Row row : rows) {
      boolean grown = row.growth == Growth.PREGROWN;
      figures.add(
          TIME.of(
              row.appendBytes + " B to " + (grown ? "a grown file" : "a growing file"),
              row.subject + (row.growth == Growth.PREPARED ? ", prepared" : ""),
              row.nanos,
              Subject.of(row.subject).mapped()
                  ? new String[] {Subject.BARE_LIBPMEM.key(), Subject.FILE_CHANNEL.key()}
                  : new String[0]));
    }
    return figures;
  }

  /**
   * The table for people: units in the heading, the spread in brackets, volatile called volatile.
   */
  @Override
  public String table() {
    TextTable table =
        new TextTable()
            .left("appended to")
            .right("append B")
            .left("file")
            .right("median ns")
            .right("min-max ns")
            .right("GB/s")
            .right("alloc B/op")
            .left("time / bare libpmem")
            .left("time / FileChannel");
    for (Row row : rows) {
      table.row(
          row.subject,
          row.appendBytes,
          row.growth.key(),
          number(row.nanos.median()),
          number(row.nanos.min()) + "-" + number(row.nanos.max()),
          String.format(Locale.ROOT, "%.2f", row.gigabytesPerSecond()),
          Double.isNaN(row.allocatedBytes)
              ? "-"
              : String.format(Locale.ROOT, "%.1f", row.allocatedBytes),
          toBareLibpmem(row).map(ratio -> ratio.text(2)).orElse("-"),
          toFileChannel(row).map(ratio -> ratio.text(2)).orElse("-"));
    }
    StringBuilder out = new StringBuilder("Device: " + device + "\n");
    out.append("Java " + Runtime.version() + ", " + System.getProperty("java.vm.name") + "\n\n");
    out.append(table);
    skipped.forEach((subject, why) -> out.append("Not measured: " + subject + ": " + why + "\n"));
    if (device.durability() != Durability.DURABLE) {
      out.append("This device is " + device.durability());
      out.append(": these are not figures of durable appends.\n");
    }
    return out.toString();
  }

  private static String number(double nanos) {
    return String.format(Locale.ROOT, "%.0f", nanos);
  }

  /** The document for programs: the units stand last in the names. */
  @JsonValue
  public ObjectNode json() {
    ObjectNode root = new ObjectMapper().createObjectNode();
    root.put("directory", device.directory().toString())
        .put("file_system", device.fileSystemType())
        .put("dax", device.dax())
        .put("durability", device.durability().name().toLowerCase(Locale.ROOT))
        .put("explanation", device.explanation())
        .put("java", Runtime.version().toString());
    ArrayNode results = root.putArray("results");
    for (Row row : rows) {
      ObjectNode node =
          results
              .addObject()
              .put("subject", row.subject)
              .put("append_bytes", row.appendBytes)
              .put("file", row.growth.key())
              .put("median_ns", row.nanos.median())
              .put("min_ns", row.nanos.min())
              .put("max_ns", row.nanos.max())
              .put("gb_per_s", row.gigabytesPerSecond());
      if (!Double.isNaN(row.allocatedBytes)) {
        node.put("allocated_bytes_per_append", row.allocatedBytes);
      }
      toBareLibpmem(row).ifPresent(ratio -> put(node.putObject("time_to_bare_libpmem"), ratio));
      toFileChannel(row).ifPresent(ratio -> put(node.putObject("time_to_file_channel"), ratio));
    }
    ObjectNode missing = root.putObject("not_measured");
    skipped.forEach(missing::put);
    return root;
  }

  private static void put(ObjectNode node, Spread ratio) {
    node.put("median", ratio.median()).put("min", ratio.min()).put("max", ratio.max());
  }
}
