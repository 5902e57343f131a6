// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.results;

import static org.assertj.core.api.Assertions.assertThat;

import io.headpond.harness.process.FolderRemoval;
import io.headpond.lab.comparison.Curve;
import io.headpond.lab.comparison.Figure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The report in a real browser. Runs if {@code -Dheadpond.test.chromium=FILE} names a Chromium;
 * leaves pictures of what it saw in {@code target/screenshots}.
 */
class ReportBrowserTest {
  private static final Path PICTURES = Path.of("target", "screenshots");

  @TempDir Path root;

  @BeforeAll
  static void aBrowserIsNamed() throws IOException {
    Assumptions.assumeFalse(
        System.getProperty("headpond.test.chromium", "").isBlank(),
        "no -Dheadpond.test.chromium=FILE: the page isn't looked at");
    Files.createDirectories(PICTURES);
  }

  /** What the browser says on all its outputs. */
  private String browse(Path page, String... options) throws Exception {
    Path profile = Files.createTempDirectory("headpond-chromium");
    Path output = root.resolve("output");
    List<String> command =
        new ArrayList<>(
            List.of(
                System.getProperty("headpond.test.chromium"),
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--user-data-dir=" + profile,
                "--hide-scrollbars",
                "--enable-logging=stderr",
                "--virtual-time-budget=3000"));
    command.addAll(List.of(options));
    command.add(page.toUri().toString());
    Process browser =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertThat(browser.waitFor(1, TimeUnit.MINUTES)).as("ended").isTrue();
      String said = Files.readString(output);
      assertThat(browser.exitValue()).as(said).isZero();
      // Errors of the script, and what the content security policy refused.
      assertThat(said).doesNotContain(":CONSOLE");
      return said.replaceAll("(?s)<script.*?</script>", "");
    } finally {
      browser.destroyForcibly();
      FolderRemoval.remove(profile, true);
    }
  }

  private static double[] noise(Random random, double middle) {
    return random.doubles(8, 0.8 * middle, 1.3 * middle).toArray();
  }

  private static List<Figure> kafka() {
    Random random = new Random(3);
    String[] baselines = {"vanilla-tmpfs", "vanilla-forced", "vanilla-disk"};
    List<Figure> figures = new ArrayList<>();
    for (String variant : List.of("headpond", baselines[0], baselines[1], baselines[2])) {
      String[] others = variant.equals("headpond") ? baselines : new String[0];
      double slow = variant.equals("vanilla-forced") ? 5 : 1;
      figures.add(
          Results.figure("produce_records", true, variant, noise(random, 9e4 / slow), others));
      figures.add(Results.figure("latency_p50", false, variant, noise(random, slow), others));
      figures.add(Results.figure("latency_p99", false, variant, noise(random, 6 * slow), others));
      figures.add(Results.figure("latency_p999", false, variant, noise(random, 30 * slow), others));
    }
    return figures;
  }

  private static Curve fill() {
    List<Double> seconds = IntStream.rangeClosed(0, 600).mapToObj(i -> i / 10.0).toList();
    return new Curve(
        "Fill of the tier",
        "seconds",
        "MiB",
        false,
        List.of(
            Curve.Line.of("headpond", seconds, at -> at, at -> 128 + 64 * Math.sin(at / 5)),
            Curve.Line.of("predicted", List.of(0.0, 30.0, 60.0), at -> at, at -> 100 + at)));
  }

  private Path page() throws IOException {
    double[] zero = {0, 0};
    Map<Path, BenchResult> results = new LinkedHashMap<>();
    results.put(root.resolve("kafka.json"), Results.of("kafka", Map.of(), kafka(), fill()));
    results.put(
        root.resolve("odd.json"),
        Results.of(
            "journal",
            Map.of(),
            List.of(
                Results.figure("throughput", true, "headpond", new double[] {1, 2}, "default"),
                Results.figure("throughput", true, "default", zero))));
    return Files.writeString(root.resolve("report.html"), ReportPage.html(results));
  }

  @Test
  void everyChartIsDrawnAndNothingThatIsNoNumberIsShown() throws Exception {
    String dom = browse(page(), "--dump-dom", "--window-size=1440,1400");
    // A curve, three ratios, one of percentiles, one of rounds; of the odd one, whose baseline is
    // 0,
    // rounds.
    assertThat(dom.split("data-chart=", -1)).hasSize(1 + 7);
    assertThat(dom.split("<canvas", -1)).hasSize(1 + 7);
    assertThat(dom).doesNotContain("undefined", "NaN", "Infinity");
  }

  @Test
  void itCanBeLookedAtOnTelephonesAndScreensByDayAndNightAndOnPaper() throws Exception {
    Path page = page();
    for (String size : List.of("1440,3000", "360,6000")) {
      for (boolean dark : List.of(false, true)) {
        String name = "report-" + size.split(",")[0] + (dark ? "-dark" : "") + ".png";
        Path picture = PICTURES.resolve(name);
        Files.deleteIfExists(picture);
        browse(
            page,
            "--window-size=" + size,
            "--blink-settings=preferredColorScheme=" + (dark ? 0 : 1),
            "--screenshot=" + picture.toAbsolutePath());
        assertThat(Files.size(picture)).isGreaterThan(10_000);
      }
    }
    Path paper = PICTURES.resolve("report.pdf");
    Files.deleteIfExists(paper);
    browse(page, "--print-to-pdf=" + paper.toAbsolutePath());
    assertThat(Files.size(paper)).isGreaterThan(10_000);
  }

  /** A page that is wider than a telephone is scrolled in two directions. */
  @Test
  void nothingButTablesIsWiderThanATelephone() throws Exception {
    page();
    // Chromium's windows are 500 pixels wide at least, so the page is looked at in a frame.
    Path frame = root.resolve("frame.html");
    Files.writeString(
        frame,
        "<iframe src=report.html width=360 height=3000 style='border:0'"
            + " onload=\"document.title='wide '+this.contentDocument.documentElement.scrollWidth\">"
            + "</iframe>");
    String dom = browse(frame, "--dump-dom", "--allow-file-access-from-files");
    assertThat(dom).contains("<title>wide 360</title>");
  }
}
