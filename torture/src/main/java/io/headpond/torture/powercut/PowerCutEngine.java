// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut;

import io.headpond.cli.demo.EngineJars;
import io.headpond.harness.process.Engine;
import io.headpond.harness.process.EngineRelease;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** The engines that write in the guest. */
enum PowerCutEngine {
  /** The store alone. */
  CHANNEL(new OfTheStore(false)),

  /** The store alone, on a file tier on a disk. */
  DISK(new OfTheStore(true)),

  /** An unmodified Kafka broker. */
  KAFKA(new OfAnEngine(PowerCutEngine::kafka)),

  /** An unmodified bookie, its journal on the NVDIMM. */
  BOOKIE(new OfAnEngine(place -> bookie(GuestLedgers.AT_HOME, place))),

  /** The same with tiered entry logs, new ones on the NVDIMM. */
  LEDGERS(new OfAnEngine(place -> bookie(GuestLedgers.TIERED, place)));

  private final Campaigns campaigns;

  PowerCutEngine(Campaigns campaigns) {
    this.campaigns = campaigns;
  }

  /**
   * The place where it runs.
   *
   * @param image of the guest
   * @param instants per round, of the store alone
   * @param out where it is said that an engine is fetched
   */
  record Place(Path image, HostPrograms host, CutsView view, int instants, PrintWriter out) {}

  /** As {@code --engine} and folders name it. */
  String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** A campaign on new disks in {@code folder}; with {@code control} nothing is forced. */
  Campaign begin(Place place, Path folder, boolean control, long seed)
      throws IOException, InterruptedException {
    return campaigns.begin(place, folder, control, seed);
  }

  /** Takes up the campaign whose disks lie in {@code folder}. */
  Campaign resume(Place place, Path folder) throws IOException, InterruptedException {
    return campaigns.resume(place, folder);
  }

  private static ServedEngine.Maker kafka(Place place) throws IOException {
    EngineRelease release = Engine.KAFKA.current();
    return (folder, seed) -> new KafkaGuest(place.image(), folder, release, seed, place.host());
  }

  private static ServedEngine.Maker bookie(GuestLedgers ledgers, Place place)
      throws IOException, InterruptedException {
    EngineRelease release =
        EngineJars.of(Engine.BOOKKEEPER, null, EngineJars.BOOKKEEPER_MEGABYTES, place.out());
    return (folder, seed) ->
        new BookieGuest(ledgers, place.image(), folder, release, seed, place.host());
  }

  /** The way to begin a campaign. */
  private interface Campaigns {
    Campaign begin(Place place, Path folder, boolean control, long seed)
        throws IOException, InterruptedException;

    Campaign resume(Place place, Path folder) throws IOException, InterruptedException;
  }

  /**
   * The store alone.
   *
   * @param disk is its tier on home's disk, and not on the NVDIMM?
   */
  private record OfTheStore(boolean disk) implements Campaigns {
    @Override
    public Campaign begin(Place place, Path folder, boolean control, long seed)
        throws IOException, InterruptedException {
      ChannelCuts cuts =
          ChannelCuts.begin(
              place.image(), folder, "ext4", control, seed, place.host(), place.view());
      return control ? cuts : complete(cuts, place);
    }

    @Override
    public Campaign resume(Place place, Path folder) throws IOException, InterruptedException {
      return complete(ChannelCuts.resume(place.image(), folder, place.host(), place.view()), place);
    }

    private ChannelCuts complete(ChannelCuts cuts, Place place) throws IOException {
      cuts.withDrains(command()).withInstants(place.instants());
      return disk ? cuts.onDisk() : cuts;
    }

    /** The jars of this command, which also runs in the guest. */
    private static List<Path> command() {
      return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
          .filter(entry -> entry.endsWith(".jar"))
          .map(Path::of)
          .toList();
    }
  }

  /** A real engine, which is found or fetched. */
  private interface Guests {
    ServedEngine.Maker at(Place place) throws IOException, InterruptedException;
  }

  private record OfAnEngine(Guests guests) implements Campaigns {
    @Override
    public Campaign begin(Place place, Path folder, boolean control, long seed)
        throws IOException, InterruptedException {
      return EngineCuts.begin(guests.at(place), folder, control, seed, place.view());
    }

    @Override
    public Campaign resume(Place place, Path folder) throws IOException, InterruptedException {
      return EngineCuts.resume(guests.at(place), folder, place.view());
    }
  }
}
