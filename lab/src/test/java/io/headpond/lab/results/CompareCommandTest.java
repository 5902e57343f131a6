// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.results;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.lab.Run;
import io.headpond.lab.comparison.Figure;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CompareCommandTest {
  private static final double[] EVEN = {100, 101, 102, 103, 104, 105, 106, 107};
  private static final double[] HALF = {50, 51, 52, 53, 54, 55, 56, 57};

  @TempDir Path root;

  private Path file(String name, BenchResult result) throws IOException {
    return Results.write(root.resolve(name), result);
  }

  private static Run compare(Path a, Path b, String... more) {
    String[] all = new String[3 + more.length];
    all[0] = "compare";
    all[1] = a.toString();
    all[2] = b.toString();
    System.arraycopy(more, 0, all, 3, more.length);
    return Run.of(all);
  }

  @Test
  void whatGotWorseIsNamedWithItsUnitsAndFailsIfAsked() throws IOException {
    Path a = file("a.json", Results.kafka(Results.produce(EVEN, EVEN)));
    Path b = file("b.json", Results.kafka(Results.produce(HALF, EVEN)));
    Run run = compare(a, b);
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out())
        .contains("VOLATILE: /dev/shm", "records/s", "1 KiB records")
        .containsPattern(
            "\\+ produce records, records/s, headpond / vanilla-tmpfs .*0\\.52 .* worse")
        .contains("1 worse, 0 better of 1 figure.");
    assertThat(compare(a, b, "--fail-on-worse").exitCode()).isEqualTo(1);
    assertThat(compare(b, a, "--fail-on-worse").exitCode()).as("it got better").isZero();
    assertThat(compare(a, a, "--fail-on-worse").out()).contains("not distinguishable");
  }

  @Test
  void aMachineThatWasSlowerThatDayIsNoFailure() throws IOException {
    Path a = file("a.json", Results.kafka(Results.produce(EVEN, EVEN)));
    Path b = file("b.json", Results.kafka(Results.produce(HALF, HALF)));
    Run run = compare(a, b, "--fail-on-worse");
    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).contains("0 worse").contains("worse").contains("not distinguishable");
  }

  @Test
  void aFigureWithoutRivalDecidesByItsValue() throws IOException {
    List<Figure> slow = List.of(Results.figure("switch_stall", false, "headpond", EVEN));
    List<Figure> fast = List.of(Results.figure("switch_stall", false, "headpond", HALF));
    Path a = file("a.json", Results.of("migration", Map.of(), fast));
    Path b = file("b.json", Results.of("migration", Map.of(), slow));
    assertThat(compare(a, b, "--fail-on-worse").exitCode()).isEqualTo(1);
  }

  @Test
  void differentBenchmarksAreRefused() throws IOException {
    Path a = file("a.json", Results.kafka(Results.produce(EVEN, EVEN)));
    Path b = file("b.json", Results.of("journal", Map.of(), Results.produce(EVEN, EVEN)));
    Run run = compare(a, b, "--anyway");
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains("'kafka'", "'journal'").doesNotContain("\tat ");
  }

  @Test
  void differentSettingsAreRefusedUnlessOneSaysSo() throws IOException {
    Path a = file("a.json", Results.kafka(Results.produce(EVEN, EVEN)));
    Map<String, String> settings = Map.of("seconds", "4", "rounds", "8");
    Path b = file("b.json", Results.of("kafka", settings, Results.produce(EVEN, EVEN)));
    Run refused = compare(a, b);
    assertThat(refused.exitCode()).isEqualTo(1);
    assertThat(refused.out()).isEmpty();
    assertThat(refused.err()).contains("--seconds: 2 in A, 4 in B", "--anyway");
    assertThat(refused.err()).as("more rounds are no other question").doesNotContain("rounds");
    Run allowed = compare(a, b, "--anyway");
    assertThat(allowed.exitCode()).isZero();
    assertThat(allowed.out()).contains("DIFFERENT: --seconds: 2 in A, 4 in B");
  }

  @Test
  void aFileThatIsNoResultIsNamedWithARemedy() throws IOException {
    Path good = file("good.json", Results.kafka(Results.produce(EVEN, EVEN)));
    for (String text :
        List.of(
            "",
            "{",
            "[]",
            "{}",
            "no JSON",
            "{\"schema\": 7}",
            "{\"schema\": \"headpond-bench-kafka/1\"}",
            "{\"schema\": \"headpond-bench-kafka/1\", \"figures\": 3}",
            Files.readString(good).replace("\"values\" : [ 100.0", "\"values\" : [ \"x\""))) {
      Path bad = Files.writeString(root.resolve("bad.json"), text);
      Run run = compare(good, bad);
      assertThat(run.exitCode()).as(text).isEqualTo(1);
      assertThat(run.err()).as(text).contains("bad.json", "--json").hasLineCount(1);
    }
    Path none = root.resolve("none.json");
    assertThat(compare(good, none).err()).contains("none.json", "no such file");
  }

  @Test
  void aLaterSchemaIsRefused() throws IOException {
    Path good = file("good.json", Results.kafka(Results.produce(EVEN, EVEN)));
    Path later = root.resolve("later.json");
    Files.writeString(later, Files.readString(good).replace("kafka/1", "kafka/2"));
    assertThat(compare(good, later).err()).contains("later.json", "headpond-bench-kafka/2");
  }

  @Test
  void aFileThatIsTooLargeIsNotRead() throws IOException {
    Path good = file("good.json", Results.kafka(Results.produce(EVEN, EVEN)));
    Path large = root.resolve("large.json");
    try (RandomAccessFile sparse = new RandomAccessFile(large.toFile(), "rw")) {
      sparse.setLength(BenchResult.FILE_BYTES_MAX + 1);
    }
    assertThat(compare(good, large).err()).contains("large.json", "at most 67108864");
  }

  @Test
  void realResultsAreCompared() throws IOException {
    String[] channel = {
      "channel",
      root.toString(),
      "--append=4KiB",
      "--no-growth",
      "--forks=0",
      "--iterations=4",
      "--iteration=10ms",
      "--json"
    };
    Path a = Files.writeString(root.resolve("a.json"), Run.of(channel).out());
    Path b = Files.writeString(root.resolve("b.json"), Run.of(channel).out());
    Run run = compare(a, b);
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out()).contains("4096 B to a grown file", "file-channel", "ns");
    BenchResult result = BenchResult.read(a);
    assertThat(result.bench()).isEqualTo("channel");
    assertThat(result.command()).startsWith("headpond-lab channel ").contains("--append=4KiB");
    assertThat(result.settings()).containsEntry("iterations", "4").doesNotContainKey("json");
    assertThat(result.devices()).containsKey("dir");
    assertThat(result.machine().processors()).isPositive();
  }
}
