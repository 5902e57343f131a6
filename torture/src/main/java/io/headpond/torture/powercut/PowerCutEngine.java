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
  CHANNEL(new OfTheStore(FastDevice.NVDIMM)),

  /** The store alone, with its tier on a disk. */
  DISK(new OfTheStore(FastDevice.DISK)),

  /** An unmodified Kafka broker. */
  KAFKA(new OfAnEngine(place -> kafka(FastDevice.NVDIMM, place))),

  /** The same with its tier on a disk. */
  KAFKA_DISK(new OfAnEngine(place -> kafka(FastDevice.DISK, place))),

  /** An unmodified bookie, its journal on the NVDIMM. */
  BOOKIE(new OfAnEngine(place -> bookie(GuestLedgers.AT_HOME, FastDevice.NVDIMM, place))),

  /** The same with its journal on a disk. */
  BOOKIE_DISK(new OfAnEngine(place -> bookie(GuestLedgers.AT_HOME, FastDevice.DISK, place))),

  /** An unmodified bookie with tiered entry logs, its journal and new ones on the NVDIMM. */
  LEDGERS(new OfAnEngine(place -> bookie(GuestLedgers.TIERED, FastDevice.NVDIMM, place))),

  /** The same on a disk. */
  LEDGERS_DISK(new OfAnEngine(place -> bookie(GuestLedgers.TIERED, FastDevice.DISK, place)));

  private final Campaigns campaigns;

  PowerCutEngine(Campaigns campaigns) {
    this.campaigns = campaigns;
  }

  /**
   * The place where it runs.
   *
   * @param image of the guest
   * @param disk whether its disks forget
   * @param memory whether its NVDIMM does
   * @param fileSystem of all devices
   * @param instants per round
   * @param out where it is said that an engine is fetched
   */
  record Place(
      Path image,
      Disk disk,
      Memory memory,
      GuestFileSystem fileSystem,
      HostPrograms host,
      CutsView view,
      int instants,
      PrintWriter out) {

    /** The devices below an engine that writes to one of them first. */
    Devices devices(FastDevice fast) {
      return new Devices(fast, disk, memory, fileSystem);
    }

    /** A machine for the store alone, whose programs leave something out. */
    Machine small(Omission omitted, long seed) {
      return Machine.small(fileSystem).with(disk, seed).with(memory, omitted);
    }
  }

  /** As {@code --engine} and folders name it. */
  String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The device of what is written first. */
  FastDevice fast() {
    return switch (this) {
      case CHANNEL, KAFKA, BOOKIE, LEDGERS -> FastDevice.NVDIMM;
      case DISK, KAFKA_DISK, BOOKIE_DISK, LEDGERS_DISK -> FastDevice.DISK;
    };
  }

  /** As {@code --engine} takes it. */
  @Override
  public String toString() {
    return id();
  }

  /** A campaign on new disks in {@code folder}; with {@code control} nothing is forced. */
  Campaign begin(Place place, Path folder, boolean control, long seed)
      throws IOException, InterruptedException {
    return campaigns.begin(place, folder, control, seed);
  }

  private static ServedEngine.Maker kafka(FastDevice fast, Place place) throws IOException {
    EngineRelease release = Engine.KAFKA.current();
    Devices devices = place.devices(fast);
    return (folder, seed) ->
        new KafkaGuest(devices, place.image(), folder, release, seed, place.host());
  }

  private static ServedEngine.Maker bookie(GuestLedgers ledgers, FastDevice fast, Place place)
      throws IOException, InterruptedException {
    EngineRelease release = EngineJars.of(Engine.BOOKKEEPER, null, place.out());
    Devices devices = place.devices(fast);
    return (folder, seed) ->
        new BookieGuest(ledgers, devices, place.image(), folder, release, seed, place.host());
  }

  /** The way to begin a campaign. */
  private interface Campaigns {
    Campaign begin(Place place, Path folder, boolean control, long seed)
        throws IOException, InterruptedException;
  }

  /**
   * The store alone.
   *
   * @param fast of its tier
   */
  private record OfTheStore(FastDevice fast) implements Campaigns {
    @Override
    public Campaign begin(Place place, Path folder, boolean control, long seed)
        throws IOException, InterruptedException {
      Omission omitted = control ? Omission.FLUSH : Omission.NONE;
      Machine machine = place.small(omitted, seed);
      ChannelCuts cuts =
          onItsDevice(
              ChannelCuts.begin(
                  place.image(), folder, machine, control, seed, place.host(), place.view()));
      return control ? cuts : cuts.withDrains(command()).withInstants(place.instants());
    }

    private ChannelCuts onItsDevice(ChannelCuts cuts) {
      return fast == FastDevice.DISK ? cuts.onDisk() : cuts;
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
      EngineCuts cuts = EngineCuts.begin(guests.at(place), folder, control, seed, place.view());
      return control ? cuts : cuts.withInstants(place.instants(), place.image(), place.host());
    }
  }
}
