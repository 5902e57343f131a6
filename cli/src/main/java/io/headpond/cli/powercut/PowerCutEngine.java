// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.powercut;

import io.headpond.bench.powercut.Campaign;
import io.headpond.bench.powercut.ChannelCuts;
import io.headpond.bench.powercut.CutsView;
import io.headpond.bench.powercut.HostPrograms;
import io.headpond.bench.powercut.KafkaCuts;
import io.headpond.bench.process.Engine;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;

/** What writes in the guest. */
enum PowerCutEngine {
  /** The store alone. */
  CHANNEL {
    @Override
    Campaign begin(Place place, Path folder, boolean control, long seed)
        throws IOException, InterruptedException {
      return ChannelCuts.begin(
          place.image(), folder, "ext4", control, seed, place.host(), place.view());
    }

    @Override
    Campaign resume(Place place, Path folder) throws IOException, InterruptedException {
      return ChannelCuts.resume(place.image(), folder, place.host(), place.view());
    }
  },

  /** An unmodified Kafka broker. */
  KAFKA {
    @Override
    Campaign begin(Place place, Path folder, boolean control, long seed)
        throws IOException, InterruptedException {
      return KafkaCuts.begin(
          place.image(), folder, Engine.KAFKA.current(), control, seed, place.host(), place.view());
    }

    @Override
    Campaign resume(Place place, Path folder) throws IOException, InterruptedException {
      return KafkaCuts.resume(
          place.image(), folder, Engine.KAFKA.current(), place.host(), place.view());
    }
  };

  /**
   * Where it runs.
   *
   * @param image of the guest
   */
  record Place(Path image, HostPrograms host, CutsView view) {}

  /** As {@code --engine} and folders name it. */
  String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** A campaign on new disks in {@code folder}; with {@code control} nothing is forced. */
  abstract Campaign begin(Place place, Path folder, boolean control, long seed)
      throws IOException, InterruptedException;

  /** Takes up the campaign whose disks lie in {@code folder}. */
  abstract Campaign resume(Place place, Path folder) throws IOException, InterruptedException;
}
