// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut;

import io.headpond.cli.console.CommandFailure;
import io.headpond.cli.console.JsonFile;
import io.headpond.cli.console.Progress;
import io.headpond.cli.console.StandardCommand;
import io.headpond.cli.console.Units;
import io.headpond.harness.process.JavaHome;
import io.headpond.harness.process.Mount;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
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
      "  headpond-lab powercut --memory cxl --rounds 3",
      "  headpond-lab powercut --engine bookie --rounds 2 --json bookie.json",
      "  headpond-lab powercut --engine kafka --rounds 2 --keep",
      "  headpond-lab powercut --engine kafka-disk --disk forgets --rounds 5",
      "  headpond-lab powercut --engine kafka-disk --disk forgets --file-system xfs",
      "  headpond-lab powercut --engine kafka --rounds 10 --resume /var/tmp/headpond-powercut-123"
    })
public final class PowerCutCommand extends StandardCommand {
  private static final int ROUNDS_MAX = 10_000;
  private static final int INSTANTS_MAX = 1_000;
  private static final int MINUTES_MAX = 100_000;
  private static final int UNFINISHED = 3;

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
              + " needs gcc. With cxl a device behind CXL is in its place, which keeps every store"
              + " (default: ${DEFAULT-VALUE}).")
  private Memory memory;

  @Option(
      names = "--file-system",
      paramLabel = "TYPE",
      defaultValue = "ext4",
      description =
          "Of home's disk, the fast one and the NVDIMM: ext4 or xfs, whose instants need root, because"
              + " their copies are mounted (default: ${DEFAULT-VALUE}).")
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
      names = "--minutes",
      paramLabel = "N",
      defaultValue = "0",
      description =
          "Begin no round, check or control after N minutes; what is left is for --resume, and the exit code"
              + " is 3. 0: no limit (default: ${DEFAULT-VALUE}).")
  private int minutes;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description =
          "Records, settings and moments follow from it; the machine's own timing doesn't (default:"
              + " a new one, which is printed).")
  private Long seed;

  @Option(
      names = "--resume",
      paramLabel = "DIR",
      description = "Go on with the disks that an earlier run kept there, and keep them.")
  private Path resume;

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
    try (PowerCutPlace place = PowerCutPlace.create(resume, keep);
        Progress progress = new Progress(err())) {
      String begins = resume == null ? "seed " + seed : "resumed";
      out.printf("powercut of %s, %s, files in %s%n", engine.id(), begins, place.root());
      PowerCutResult result = run(place, CutsView.of(out, progress));
      summarise(out, place, result);
      json.write(result);
      if (!result.finished() && result.nothingLost()) {
        return UNFINISHED;
      }
      return result.clean() && result.proves() ? 0 : 1;
    }
  }

  private void check() throws IOException, InterruptedException {
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
    if (minutes < 0 || minutes > MINUTES_MAX) {
      throw wrongUsage("--minutes goes from 0 to " + MINUTES_MAX);
    }
    if (memory != Memory.KEEPS && engine.fast() != FastDevice.NVDIMM) {
      throw wrongUsage(
          "--memory "
              + memory
              + " goes with an engine on the NVDIMM, which --engine "
              + engine
              + " isn't");
    }
    if (resume != null && seed != null) {
      throw wrongUsage("--seed doesn't go with --resume: a campaign keeps its seed");
    }
    if (resume != null && !Files.isDirectory(resume.resolve(engine.id()))) {
      throw new CommandFailure(
          resume + " has no disks of --engine " + engine.id(),
          "name the folder that an earlier run with --keep has printed");
    }
    if (fileSystem == GuestFileSystem.XFS && instants > 0 && !Mount.possible()) {
      throw new CommandFailure(
          "instants of xfs need root, who alone may mount their copies",
          "run it as root, or with --instants 0");
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
        throw interrupted(place, e);
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
        throw interrupted(place, e);
      }
      throw place.failure(e, view);
    }
  }

  private static CommandFailure interrupted(PowerCutPlace place, IOException e) {
    String left = place.kept() ? "go on with --resume " + place.root() : "nothing of it is left";
    return new CommandFailure("interrupted", left, e);
  }

  private PowerCutResult cut(
      PowerCutEngine.Place place, Path root, List<JavaHome> javas, long start)
      throws IOException, InterruptedException {
    Path folder = root.resolve(engine.id());
    int newest = javas.get(javas.size() - 1).feature();
    CutsReport found;
    boolean finished;
    try (Campaign campaign =
        resume == null ? engine.begin(place, folder, false, seed) : engine.resume(place, folder)) {
      for (int i = 0; i < rounds && timeLeft(start); i++) {
        campaign.round(javas.get(javas.size() - 1 - i % javas.size()).feature());
      }
      finished = timeLeft(start);
      if (finished) {
        campaign.check(newest);
      }
      found = campaign.report();
    }
    Path kept = root.resolve(engine.id() + "-control.properties");
    Optional<ControlFinding> control = ControlFinding.load(kept);
    if (control.isEmpty() && timeLeft(start)) {
      control = Optional.of(control(place, root, newest, found.seed(), start));
      control.get().save(kept);
    }
    return PowerCutResult.of(
        engine,
        disk,
        memory,
        fileSystem,
        found,
        control.orElse(ControlFinding.NONE),
        finished && control.isPresent(),
        Duration.ofNanos(System.nanoTime() - start).toSeconds());
  }

  private boolean timeLeft(long start) {
    return minutes == 0 || System.nanoTime() - start < TimeUnit.MINUTES.toNanos(minutes);
  }

  /** A cut may come when the disks have just written all by themselves: then there is another. */
  private ControlFinding control(
      PowerCutEngine.Place place, Path root, int java, long campaignSeed, long start)
      throws IOException, InterruptedException {
    place.view().line("the control, of which nothing is forced, or no flush reaches the disk:");
    ControlFinding found = ControlFinding.NONE;
    for (int i = 0; i < CONTROLS_MAX && found.lost() == 0 && (i == 0 || timeLeft(start)); i++) {
      if (i > 0) {
        place.view().line("it lost nothing, so another one:");
      }
      Path controls = root.resolve(engine.id() + "-control" + (i == 0 ? "" : "-" + i));
      try (Campaign control = engine.begin(place, controls, true, campaignSeed + i)) {
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
        r.proves() ? "" : r.finished() ? ": THIS PROVES NOTHING" : ": it is still to come");
    out.printf(
        "seed %d, %s; NVDIMM and processor were emulated: docs/power-cut.md says what that shows%n",
        r.seed(), Units.duration(Duration.ofSeconds(r.seconds())));
    if (place.kept()) {
      out.printf(
          "Kept: %s; go on with: headpond-lab powercut --engine %s --disk %s --memory %s --file-system %s --resume %s%n",
          place.root(),
          engine.id(),
          disk.id(),
          memory.id(),
          fileSystem.id(),
          place.root());
    }
    out.flush();
  }

  /** Prints the result of the cuts; keeps disks whose campaign failed or isn't finished. */
  private static void summariseCuts(PrintWriter out, PowerCutPlace place, PowerCutResult r) {
    String acknowledged = Units.count(r.recordsAcknowledged(), "acknowledged record");
    if (!r.finished() && r.nothingLost()) {
      out.printf(
          "Its time is over, and it isn't finished: %s and %s so far, nothing found missing.%n",
          Units.count(r.rounds(), "power cut"), Units.count(r.instants(), "instant"));
      place.keep();
    } else if (r.clean()) {
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
