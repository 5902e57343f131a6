// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import static io.headpond.cli.logdir.LogDirFixture.batches;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.headpond.cli.Run;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TopCommandTest {
  private static final String OWNER =
      "pid=4711\nstarted.ms=1\nconfiguration=/etc/kafka.properties\n";

  @TempDir Path root;
  private LogDirFixture fixture;
  private String logDir;

  @BeforeEach
  void makeLogDir() throws IOException {
    fixture = new LogDirFixture(root);
    logDir = fixture.logDir.toString();
    fixture.tier("pmem");
    fixture.tierSegment("pmem", "orders-0", 0, batches(0, 5));
    fixture.tierSegment("pmem", "orders-1", 0, batches(0, 5));
    fixture.homeSegment("web.clicks-0", 0, batches(0, 50));
  }

  private void publish(String lines) throws IOException {
    Files.writeString(
        fixture.tierPath("pmem").resolve(".headpond.live"),
        OWNER + "updated.ms=" + System.currentTimeMillis() + "\n" + lines);
  }

  private LockHolder owner() throws IOException {
    return new LockHolder(
        Files.writeString(fixture.tierPath("pmem").resolve(".headpond.lock"), ""));
  }

  /** The first words of the lines below the header. */
  private static List<String> names(Run run) {
    return run.out()
        .lines()
        .dropWhile(line -> !line.startsWith("TOPIC"))
        .skip(1)
        .filter(line -> !line.isBlank())
        .map(line -> line.split(" ")[0])
        .toList();
  }

  @Test
  void withoutABrokerItShowsWhatTheLogDirectoriesHold() {
    Run run = Run.of("top", "--once", logDir);
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out())
        .contains("no owner runs; 2 topics, by appended", "known beside a running one only")
        .containsPattern("TOPIC +APPENDED +READ FAST +READ HOME +SEGMENTS +IN PMEM +IN HOME")
        .containsPattern("orders +- +- +- +2 +\\d.* KiB +0 B +-\n")
        .containsPattern("web.clicks +- +- +- +1 +0 B +\\d.* KiB +-\n");
    assertThat(names(run)).as("by bytes").containsExactly("web.clicks", "orders");
  }

  @Test
  void aBrokerThatCountsNothingByTopicIsToldHowTo() throws IOException {
    publish("");
    try (LockHolder owner = owner()) {
      assertThat(owner.pid()).isPositive();
      Run run = Run.of("top", "--once", logDir);
      assertThat(run.exitCode()).as(run.err()).isZero();
      assertThat(run.out())
          .contains(
              "set headpond.metrics.topics=50 in /etc/kafka.properties and restart the broker");
      assertThat(names(run)).containsExactly("web.clicks", "orders");
    }
  }

  @Test
  void whatTheBrokerCountsIsSortedAsAskedFor() throws IOException {
    publish(
        "topic.orders=0\ntopic.orders/pmem=3 3000 500 0\ntopic.orders/home=0 0 0 0\n"
            + "topic.web.clicks=7\ntopic.web.clicks/pmem=1 100 0 0\ntopic.web.clicks/home=9 900 0 0\n"
            + "topic.(other)=0\ntopic.(other)/pmem=0 0 0 0\ntopic.(other)/home=0 0 0 0\n");
    try (LockHolder owner = owner()) {
      assertThat(owner.pid()).isPositive();
      Run run = Run.of("top", "--once", "--interval", "100ms", "--sort", "overflow", logDir);
      assertThat(run.exitCode()).as(run.err()).isZero();
      assertThat(run.out())
          .contains("owner: process 4711; rates over the last ", "3 topics, by overflow")
          .containsPattern("orders +0 B/s +0 B/s +0 B/s +3 +2.93 KiB +0 B +0\n");
      assertThat(names(run)).containsExactly("web.clicks", "orders", "(other)");
      assertThat(names(Run.of("top", "--count", "1", "--sort", "bytes", logDir)))
          .containsExactly("orders", "web.clicks", "(other)");
      assertThat(names(Run.of("top", "--count", "1", "--sort", "name", logDir)))
          .containsExactly("(other)", "orders", "web.clicks");
      assertThat(Run.of("top", "--count", "1", "--limit", "1", logDir).out())
          .contains("and 2 topics more: --limit");
    }
  }

  @Test
  void aNarrowTerminalDropsColumnsButNotTheOneItSortsBy() {
    StringWriter out = new StringWriter();
    TopicUse topic =
        new TopicUse(
            "__tran\u001b",
            200L << 20,
            200L << 20,
            7L,
            7,
            200 << 20,
            List.of(
                new TopicUse.Place("fast", 3, 100 << 20, 100L << 20, 100L << 20),
                new TopicUse.Place("home", 4, 100 << 20, 100L << 20, 100L << 20)));
    TopTable.Column overflow = TopTable.Column.OVERFLOW;
    new TopTable(new PrintWriter(out), overflow, 20, false, 80)
        .print(new TopWatch.LookJson(0, true, 1L, 1_000, true, null, List.of(topic)));
    assertThat(out.toString().lines()).allMatch(line -> line.length() <= 80);
    assertThat(out.toString())
        .contains("OVERFLOWED\n", "left out for want of width: SEGMENTS, READ FAST;")
        .doesNotContain("\u001b");
  }

  @Test
  void ratesAreOfWhatIsBetweenTwoPublications() throws IOException {
    LiveRates rates = new LiveRates();
    rates.add(10_000, counters(10_000, "topic.a=0\ntopic.a/pmem=1 9 1000 0\n"));
    OwnerCounters last =
        counters(12_000, "topic.a=2\ntopic.a/pmem=1 9 5000 600\ntopic.a/home=4 8 1000 40\n");
    rates.add(12_000, last);
    TopicUse topic = TopicUse.published(last, rates, List.of("pmem", "home")).get(0);
    assertThat(topic.name()).isEqualTo("a");
    assertThat(topic.appendedBytesPerSecond()).isEqualTo(2_500);
    assertThat(topic.fastReadBytesPerSecond()).isEqualTo(300);
    assertThat(topic.homeReadBytesPerSecond()).isEqualTo(20);
    assertThat(topic.overflowSegments()).isEqualTo(2);
    assertThat(topic.segments()).isEqualTo(5);
    assertThat(topic.bytes()).isEqualTo(17);
  }

  private static OwnerCounters counters(long updatedMs, String lines) throws IOException {
    Properties properties = new Properties();
    properties.load(new StringReader("pid=1\nupdated.ms=" + updatedMs + "\n" + lines));
    return new OwnerCounters(properties);
  }

  @Test
  void aLookIsOneLineOfJsonWithAllTopics() throws IOException {
    Run run = Run.of("top", "--once", "--json", "--limit", "1", logDir);
    JsonNode look = new ObjectMapper().readTree(run.out());
    assertThat(run.out().lines()).hasSize(1);
    assertThat(look.get("counted").asBoolean()).isFalse();
    assertThat(look.get("topics")).hasSize(2);
    assertThat(look.at("/topics/1/name").asText()).isEqualTo("orders");
    assertThat(look.at("/topics/1/places/0/segments").asLong()).isEqualTo(2);
    assertThat(look.at("/topics/1/appended_bytes_per_second").isNull()).isTrue();
  }

  @Test
  void whatMakesNoSenseIsWrongUsage() {
    assertThat(Run.of("top").exitCode()).isEqualTo(2);
    assertThat(Run.of("top", "--sort", "colour", logDir).exitCode()).isEqualTo(2);
    assertThat(Run.of("top", "--interval", "1ms", logDir).exitCode()).isEqualTo(2);
    assertThat(Run.of("top", "--limit", "0", logDir).exitCode()).isEqualTo(2);
    assertThat(Run.of("top", "--once", "--count", "2", logDir).exitCode()).isEqualTo(2);
    assertThat(Run.of("top", "/nowhere").exitCode()).isEqualTo(1);
  }
}
