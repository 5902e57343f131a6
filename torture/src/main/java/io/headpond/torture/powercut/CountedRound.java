// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut;

import io.headpond.harness.kafka.WorkloadSettings;
import io.headpond.harness.process.EngineRelease;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * One life of a guest: a broker gets records, its disks' counters are read before and after, what
 * only the fast disk has comes home, the power is cut. The disks are copied at the load's end while
 * the guest stands still: that is what a cut would have left then.
 *
 * @param image of the guest
 * @param java feature release of its Java
 * @param load of the broker, the same each time
 */
record CountedRound(
    Path image,
    int java,
    EngineRelease release,
    WorkloadSettings load,
    HostPrograms host,
    CutsView view) {
  private static final long POLL_MILLIS = 50;

  /**
   * Runs it.
   *
   * @param folder for disks, consoles and reports; is made
   */
  CountedResult run(CountedWay way, Path folder) throws IOException, InterruptedException {
    Devices devices = way.devices();
    try (GuestOrders orders = new GuestOrders()) {
      Path beside = Files.createDirectories(folder.resolve("orders"));
      Files.writeString(beside.resolve("script"), orders.script("/app/orders"));
      long mebibytes = Machine.SERVER_DISK_MIB;
      Files.writeString(beside.resolve(GuestOrders.BEGIN), way.begin(mebibytes));
      Files.writeString(beside.resolve(GuestOrders.SETTLE), way.settle(mebibytes));
      try (KafkaGuest engine =
          new KafkaGuest(devices, image, folder, release, load, host, beside)) {
        engine.makeDisks();
        progress(way, "making an archive of the engine's classes");
        engine.archiveClasses(java);
        return run(way, engine, orders, folder);
      }
    }
  }

  private CountedResult run(CountedWay way, KafkaGuest engine, GuestOrders orders, Path folder)
      throws IOException, InterruptedException {
    Instants end = new Instants(engine.disks(), folder.resolve("at-the-end"), host);
    BothDisks loaded;
    BothDisks settled;
    try (Boot boot = engine.boot(1, java, way.variant())) {
      engine.awaitReady(boot, true, () -> progress(way, "starting the engine"));
      BothDisks before = orders.give(GuestOrders.BEGIN, boot);
      engine.startLoad();
      for (long now = 0; now < load.recordsMax(); now = engine.acknowledged()) {
        boot.check();
        progress(way, now + " records acknowledged");
        Thread.sleep(POLL_MILLIS);
      }
      loaded = orders.give(GuestOrders.END, boot).since(before);
      progress(way, "copying the disks");
      end.take(boot);
      progress(way, "waiting until all came home");
      settled = orders.give(GuestOrders.SETTLE, boot).since(before);
      boot.cutAfter(0);
    }
    engine.endLoad();
    LostFastDisk lost = new LostFastDisk(engine, image, java, host);
    long offset = way.devices().cache().homeOffset();
    progress(way, "reading what is left without the fast disk");
    Remains atEnd =
        lost.examine(folder.resolve("at-the-end/home.image"), offset, folder.resolve("lost"));
    Remains later =
        lost.examine(folder.resolve(Guest.DISKS.get(0)), offset, folder.resolve("lost-settled"));
    return new CountedResult(
        way.id(), engine.acknowledged(), engine.acknowledgedBytes(), loaded, settled, atEnd, later);
  }

  private void progress(CountedWay way, String text) {
    view.progress(way.words() + ": " + text);
  }

  /** The kernel's package, which the guest's image was made of. */
  static String kernel(Path image) throws IOException {
    return Files.readString(image.resolve("built")).split(" ", 2)[0];
  }
}
