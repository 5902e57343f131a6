// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import static io.headpond.cli.logdir.LogDirFixture.batches;
import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.cli.Run;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StatusTopicsTest {
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

  /** The first words of the lines below the header. */
  private static List<String> names(String out) {
    return out.lines()
        .dropWhile(line -> !line.startsWith("TOPIC"))
        .skip(1)
        .takeWhile(line -> !line.isBlank() && !line.startsWith("and "))
        .map(line -> line.split(" ")[0])
        .toList();
  }

  @Test
  void withoutABrokerItShowsWhatTheLogDirectoriesHold() {
    Run run = Run.of("status", "--topics", logDir);
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out())
        .contains("2 topics\n", "known beside a running one only")
        .containsPattern("TOPIC +APPENDED +READ FAST +READ HOME +SEGMENTS +IN PMEM +IN HOME")
        .containsPattern("orders +- +- +- +2 +\\d.* KiB +0 B +-\n")
        .containsPattern("web.clicks +- +- +- +1 +0 B +\\d.* KiB +-\n");
    assertThat(names(run.out())).as("by bytes").containsExactly("web.clicks", "orders");
  }

  @Test
  void aBrokerThatCountsNothingByTopicIsToldHowTo() throws IOException {
    publish("");
    try (LockHolder owner = fixture.owner()) {
      assertThat(owner.pid()).isPositive();
      Run run = Run.of("status", "--topics", logDir);
      assertThat(run.exitCode()).as(run.err()).isZero();
      assertThat(run.out())
          .contains(
              "set headpond.metrics.topics=50 in /etc/kafka.properties and restart the broker");
      assertThat(names(run.out())).containsExactly("web.clicks", "orders");
    }
  }

  @Test
  void whatTheBrokerCountsIsShown() throws IOException {
    publish(
        "topic.orders=0\ntopic.orders/pmem=3 3000 500 0\ntopic.orders/home=0 0 0 0\n"
            + "topic.web.clicks=7\ntopic.web.clicks/pmem=1 100 0 0\ntopic.web.clicks/home=9 900 0 0\n"
            + "topic.(other)=0\ntopic.(other)/pmem=0 0 0 0\ntopic.(other)/home=0 0 0 0\n");
    try (LockHolder owner = fixture.owner()) {
      assertThat(owner.pid()).isPositive();
      Run run = Run.of("status", "--topics", logDir);
      assertThat(run.exitCode()).as(run.err()).isZero();
      assertThat(run.out())
          .contains("owner: process 4711", "3 topics\n")
          .containsPattern("orders +0 B/s +0 B/s +0 B/s +3 +2.93 KiB +0 B +0\n");
      assertThat(names(run.out())).containsExactly("orders", "web.clicks", "(other)");
    }
  }

  @Test
  void aTableHasThoseThatAreAppendedToMost() {
    List<TopicUse> topics = new ArrayList<>();
    for (long i = 0; i < 25; i++) {
      TopicUse.Place place = new TopicUse.Place("home", 1, 1 << 20, i, 0L);
      topics.add(new TopicUse("\u001b" + i, i, 0L, 0L, 1, 1 << 20, List.of(place)));
    }
    topics.sort(TopicUse.MOST_APPENDED);
    StringWriter out = new StringWriter();
    TopicTable.print(new PrintWriter(out), topics);
    assertThat(names(out.toString()).get(0)).isEqualTo("\\u001b24");
    assertThat(out.toString()).contains("and 5 topics more: --json").doesNotContain("\u001b");
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
}
