// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut;

import io.headpond.cli.console.CommandFailure;
import io.headpond.cli.console.JsonFile;
import io.headpond.cli.console.Progress;
import io.headpond.cli.console.StandardCommand;
import io.headpond.cli.console.Units;
import io.headpond.harness.process.JavaHome;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code headpond-lab powercut}. */
@Command(
    name = "powercut",
    description = {
      "Cut the power of a guest with an emulated NVDIMM while it writes, and compare what is left.",
      "",
      "The QEMU guest has real FSDAX. It is killed at a random moment and booted again, and what its",
      "disks hold is compared with what it had acknowledged.",
      "",
      "The same cut is made where nothing is forced. That control must lose records, or nothing is",
      "proved and the command fails. Processor and NVDIMM are emulated: nothing here says anything",
      "about speed. A missing write-back of a cache line is seen only with --memory forgets, a missing",
      "flush of a disk only with --disk forgets.",
      "",
      "Needs Debian on x86-64 with qemu-system-x86 and e2fsprogs, and a JDK; no root. The guest is",
      "made of Debian packages, which are downloaded, about 60 MB. A cut takes half a minute; with",
      "--engine kafka, bookie or ledgers some minutes."
    },
    footer = {
      "  headpond-lab powercut --rounds 5 --json powercut.json",
      "  headpond-lab powercut --memory forgets --rounds 3",
      "  headpond-lab powercut --engine bookie --rounds 2 --json bookie.json",
      "  headpond-lab powercut --engine kafka --rounds 2 --keep",
      "  headpond-lab powercut --engine kafka-disk --disk forgets --rounds 5",
      "  headpond-lab powercut --engine kafka-disk --disk forgets --file-system xfs --instants 0"
    })
public final class PowerCutCommand extends StandardCommand {
  private static final int ROUNDS_MAX = 10_000;
  private static final int INSTANTS_MAX = 1_000;

  /** Controls at most: one that loses nothing proves nothing. */
  private static final int CONTROLS_MAX = 3;

  @Option(
      names = "--engine",
      paramLabel = "NAME",
      defaultValue = "channel",
      description =
          "Writer: channel (the store alone), kafka (a real broker), bookie (a real one) or"
              + " ledgers (a bookie with tiered entry logs); the same without the NVDIMM, on a file"
              + " tier or journal on a disk: disk, kafka-disk, bookie-disk, ledgers-disk (default:"
              + " ${DEFAULT-VALUE}).")
  private PowerCutEngine engine;

  @Option(
      names = "--disk",
      paramLabel = "WHAT",
      defaultValue = "keeps",
      description =
          "At a cut each disk keeps what it was sent, or forgets (simulated): of the writes that"
              + " weren't flushed each is kept, lost, or torn between sectors of 512 B, by the seed"
              + " (default: ${DEFAULT-VALUE}).")
  private Disk disk;

  @Option(
      names = "--memory",
      paramLabel = "WHAT",
      defaultValue = "keeps",
      description =
          "At a cut the NVDIMM keeps every store, or forgets (simulated): of the cache lines that weren't"
              + " written back and fenced each is kept, lost, or torn between 8-byte atoms, by the seed;"
              + " needs gcc (default: ${DEFAULT-VALUE}).")
  private Memory memory;

  @Option(
      names = "--file-system",
      paramLabel = "TYPE",
      defaultValue = "ext4",
      description =
          "Of home's disk, the fast one and the NVDIMM: ext4, or xfs, which needs --instants 0 (default:"
              + " ${DEFAULT-VALUE}).")
  private GuestFileSystem fileSystem;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "5",
      description = "Cuts, besides the one of the control; 1 to 10000 (default: ${DEFAULT-VALUE}).")
  private int rounds;

  @Option(
      names = "--instants",
      paramLabel = "N",
      defaultValue = "10",
      description =
          "Also compare what N cuts at earlier instants of each round would have left, without a reboot;"
              + " 0 to 1000. A real engine's copies are read by the unmodified engine on the host, in a name"
              + " space of its own (default: ${DEFAULT-VALUE}).")
  private int instants;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description =
          "Records, settings and moments follow from it; the machine's own timing doesn't (default:"
              + " a new one, which is printed).")
  private Long seed;

  @Mixin private JsonFile json;

  @Option(
      names = "--keep",
      description =
          "Keep disks, consoles and the guest at the end; they are if something is wrong.")
  private boolean keep;

  @Override
  public Integer call() throws IOException, InterruptedException {
    check();
    PrintWriter out = out();
    try (PowerCutPlace place = PowerCutPlace.create(keep);
        Progress progress = new Progress(err())) {
      out.printf("powercut of %s, seed %d, files in %s%n", engine.id(), seed, place.root());
      PowerCutResult result = run(place, CutsView.of(out, progress));
      summarise(out, place, result);
      json.write(result);
      return result.clean() && result.proves() ? 0 : 1;
    }
  }

  private void check() {
    if (rounds < 1 || rounds > ROUNDS_MAX) {
      throw wrongUsage("--rounds goes from 1 to " + ROUNDS_MAX);
    }
    if (fileSystem == GuestFileSystem.XFS && memory == Memory.FORGETS) {
      throw wrongUsage(
          "--memory forgets goes with ext4: xfs trusts in sectors that are never torn, and memory has"
              + " none");
    }
    if (instants < 0 || instants > INSTANTS_MAX) {
      throw wrongUsage("--instants goes from 0 to " + INSTANTS_MAX);
    }
    if (memory != Memory.KEEPS && engine.fast() != FastDevice.NVDIMM) {
      throw wrongUsage(
          "--memory "
              + memory
              + " goes with an engine on the NVDIMM, which --engine "
              + engine
              + " isn't");
    }
    if (fileSystem == GuestFileSystem.XFS && instants > 0) {
      throw wrongUsage("--file-system xfs needs --instants 0: only a kernel replays an xfs log");
    }
    json.requireFolder();
    if (seed == null) {
      seed = ThreadLocalRandom.current().nextLong(1L << 32);
    }
  }

  private PowerCutResult run(PowerCutPlace place, CutsView view)
      throws IOException, InterruptedException {
    long start = System.nanoTime();
    List<JavaHome> javas = oldestAndNewest(GuestImage.javas());
    view.line("making the guest, with " + javas + " ...");
    Path image = place.root().resolve("guest");
    try {
      GuestImage.build(image, javas, place.host());
    } catch (IOException e) {
      if (place.host().closed()) {
        throw interrupted(e);
      }
      throw e;
    }
    try {
      PrintWriter out = out();
      return cut(
          new PowerCutEngine.Place(
              image, disk, memory, fileSystem, place.host(), view, instants, out),
          place.root(),
          javas,
          start);
    } catch (IOException e) {
      if (place.host().closed()) {
        throw interrupted(e);
      }
      throw place.failure(e, view);
    }
  }

  private static CommandFailure interrupted(IOException e) {
    return new CommandFailure("interrupted", "start it again", e);
  }

  private PowerCutResult cut(
      PowerCutEngine.Place place, Path root, List<JavaHome> javas, long start)
      throws IOException, InterruptedException {
    Path folder = root.resolve(engine.id());
    int newest = javas.get(javas.size() - 1).feature();
    CutsReport found;
    try (Campaign campaign = engine.begin(place, folder, false, seed)) {
      for (int i = 0; i < rounds; i++) {
        campaign.round(javas.get(javas.size() - 1 - i % javas.size()).feature());
      }
      campaign.check(newest);
      found = campaign.report();
    }
    ControlFinding control = control(place, root, newest);
    return PowerCutResult.of(
        engine,
        disk,
        memory,
        fileSystem,
        found,
        control,
        Duration.ofNanos(System.nanoTime() - start).toSeconds());
  }

  /** A cut may come when the disks have just written all by themselves: then there is another. */
  private ControlFinding control(PowerCutEngine.Place place, Path root, int java)
      throws IOException, InterruptedException {
    place.view().line("the control, of which nothing is forced, or no flush reaches the disk:");
    ControlFinding found = new ControlFinding(0, 0);
    for (int i = 0; i < CONTROLS_MAX && found.lost() == 0; i++) {
      if (i > 0) {
        place.view().line("it lost nothing, so another one:");
      }
      Path controls = root.resolve(engine.id() + "-control" + (i == 0 ? "" : "-" + i));
      try (Campaign control = engine.begin(place, controls, true, seed + i)) {
        control.round(java);
        control.check(java);
        found = found.and(ControlFinding.of(control.report()));
      }
    }
    return found;
  }

  private static List<JavaHome> oldestAndNewest(List<JavaHome> javas) {
    return javas.size() == 1 ? javas : List.of(javas.get(0), javas.get(javas.size() - 1));
  }

  private void summarise(PrintWriter out, PowerCutPlace place, PowerCutResult r) {
    out.println();
    summariseCuts(out, place, r);
    if (!r.cutsDuring().isEmpty()) {
      out.println("In the middle of: " + counts(r.cutsDuring()));
    }
    summariseDevices(out, r);
    out.printf(
        "The control lost %d of %s%s.%n",
        r.controlRecordsLost(),
        Units.count(r.controlRecordsAcknowledged(), "record"),
        r.proves() ? "" : ": THIS PROVES NOTHING");
    out.printf(
        "seed %d, %s; NVDIMM and processor were emulated: docs/power-cut.md says what that shows%n",
        r.seed(), Units.duration(Duration.ofSeconds(r.seconds())));
    if (place.kept()) {
      out.printf("Kept: %s%n", place.root());
    }
    out.flush();
  }

  /** Prints the result of the cuts; keeps the disks of a campaign that failed. */
  private static void summariseCuts(PrintWriter out, PowerCutPlace place, PowerCutResult r) {
    String acknowledged = Units.count(r.recordsAcknowledged(), "acknowledged record");
    if (r.clean()) {
      out.printf(
          "All %s are there after %s, each compared.%n",
          acknowledged, Units.count(r.rounds(), "power cut"));
      if (r.instants() > 0) {
        out.printf(
            "So it is on copies of the disks, made at %s before and between.%n",
            Units.count(r.instants(), "instant"));
      }
    } else {
      out.printf(
          "SOMETHING IS WRONG: of %s %d verified, %d lost, %d corrupt, after %s.%n",
          acknowledged,
          r.recordsVerified(),
          r.recordsLost(),
          r.recordsCorrupt(),
          Units.count(r.rounds(), "power cut"));
      place.keep();
    }
  }

  private void summariseDevices(PrintWriter out, PowerCutResult r) {
    if (disk == Disk.FORGETS) {
      out.printf(
          "The disks (simulated) lost %d and tore %d of %s that nobody had flushed.%n",
          r.writesLost(), r.writesTorn(), Units.count(r.writesUnflushed(), "write"));
    }
    if (memory == Memory.FORGETS) {
      out.printf(
          "The NVDIMM's caches (simulated) lost %d and tore %d of %s that weren't durable.%n",
          r.linesLost(), r.linesTorn(), Units.count(r.linesUndurable(), "line"));
    }
  }

  private static String counts(Map<String, Integer> moments) {
    return moments.entrySet().stream()
        .map(each -> each.getKey().replace('_', ' ') + " " + each.getValue())
        .collect(Collectors.joining(", "));
  }
}
