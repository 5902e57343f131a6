// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut;

import io.headpond.cli.console.CommandFailure;
import io.headpond.cli.console.JsonFile;
import io.headpond.cli.console.Progress;
import io.headpond.cli.console.StandardCommand;
import io.headpond.cli.console.Units;
import io.headpond.harness.kafka.WorkloadSettings;
import io.headpond.harness.process.Engine;
import io.headpond.harness.process.FolderRemoval;
import io.headpond.harness.process.JavaHome;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code headpond-lab blockcaches}. */
@Command(
    name = "blockcaches",
    description = {
      "Count what the kernel's block caches and Headpond write for the same records of a broker.",
      "",
      "A QEMU guest has a disk for home and a fast one. In turns, each on new disks, Kafka uses home",
      "alone, Headpond's file tier on the fast one, dm-writecache, bcache and dm-cache, which is",
      "lvmcache's. Every record is an append of its own, forced before it is acknowledged. The",
      "disks' counters are read at the load's end, and when everything came home.",
      "",
      "Then power and fast disk are taken away. The copy of home's disk of the load's end, and home's",
      "disk, are checked by e2fsck and read by vanilla Kafka, after headpond forget-tier where Headpond",
      "was. The guest is emulated: it is counted, and not timed.",
      "",
      "Needs what headpond-lab powercut needs, and user name spaces. A way takes some minutes."
    },
    footer = {
      "  headpond-lab blockcaches --records 2000 --json blockcaches.json",
      "  headpond-lab blockcaches --ways home-alone,writecache --keep"
    })
public final class BlockCachesCommand extends StandardCommand {
  private static final int RECORDS_MAX = 50_000;

  @Option(
      names = "--ways",
      split = ",",
      paramLabel = "NAME",
      description =
          "Some of them: home-alone, headpond, headpond-mirror, writecache, writecache-filling (it"
              + " writes back from 1 %% on), bcache, dm-cache (default: all, in this order).")
  private List<CountedWay> ways = List.of(CountedWay.values());

  @Option(
      names = "--records",
      paramLabel = "N",
      defaultValue = "2000",
      description = "Records of about 2 KiB for each; 1 to 50000 (default: ${DEFAULT-VALUE}).")
  private int records;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Records follow from it (default: a new one, which is printed).")
  private Long seed;

  @Mixin private JsonFile json;

  @Option(names = "--keep", description = "Keep disks, consoles and the guest at the end.")
  private boolean keep;

  @Override
  public Integer call() throws IOException, InterruptedException {
    check();
    PrintWriter out = out();
    try (PowerCutPlace place = PowerCutPlace.create(null, keep);
        Progress progress = new Progress(err())) {
      out.printf("seed %d, files in %s%n", seed, place.root());
      BlockCachesResult result = run(place, CutsView.of(out, progress));
      progress.clear();
      out.println();
      out.print(result.text());
      String time = Units.duration(Duration.ofSeconds(result.seconds()));
      out.printf("%s, %s; emulated: counts, not times%n", result.kernel(), time);
      out.flush();
      json.write(result);
      return result.plausible() ? 0 : 1;
    }
  }

  private void check() {
    if (records < 1 || records > RECORDS_MAX) {
      throw wrongUsage("--records goes from 1 to " + RECORDS_MAX);
    }
    json.requireFolder();
    if (seed == null) {
      seed = ThreadLocalRandom.current().nextLong(1L << 32);
    }
  }

  private BlockCachesResult run(PowerCutPlace place, CutsView view)
      throws IOException, InterruptedException {
    try {
      return count(place, view);
    } catch (IOException e) {
      if (place.host().closed()) {
        throw new CommandFailure("interrupted", "nothing of it is left", e);
      }
      throw place.failure(e, view);
    }
  }

  private BlockCachesResult count(PowerCutPlace place, CutsView view)
      throws IOException, InterruptedException {
    long start = System.nanoTime();
    List<JavaHome> javas = GuestImage.javas();
    JavaHome newest = javas.get(javas.size() - 1);
    view.line("making the guest, with " + newest + " ...");
    Path image = place.root().resolve("guest");
    GuestImage.build(image, List.of(newest), place.host());
    CopiedDisks.require(place.root(), place.host());
    WorkloadSettings load = KafkaGuest.records(seed).recordsMax(records).unbatched();
    CountedRound round =
        new CountedRound(image, newest.feature(), Engine.KAFKA.current(), load, place.host(), view);
    List<CountedResult> results = new ArrayList<>();
    for (CountedWay way : ways) {
      Path folder = place.root().resolve(way.id());
      CountedResult result = round.run(way, folder);
      view.line(way.words() + ": " + result);
      results.add(result);
      if (!place.kept()) {
        FolderRemoval.remove(folder, true);
      }
    }
    long seconds = Duration.ofNanos(System.nanoTime() - start).toSeconds();
    return new BlockCachesResult("emulated", CountedRound.kernel(image), seed, results, seconds);
  }
}
