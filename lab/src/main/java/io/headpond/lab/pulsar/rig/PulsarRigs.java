// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.pulsar.rig;

import io.headpond.harness.process.Engine;
import io.headpond.lab.bookkeeper.rig.JournalRigs;
import io.headpond.lab.bookkeeper.variant.JournalVariant;
import io.headpond.lab.scenario.Rig;
import io.headpond.lab.scenario.RigSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/** Pulsars of several variants, alike but for their bookies' journals. */
public final class PulsarRigs extends JournalRigs {

  /**
   * Makes its folders; nothing runs yet.
   *
   * @param variants Headpond's, then its baselines
   * @param progress told what goes on
   */
  public PulsarRigs(RigSettings settings, List<JournalVariant> variants, Consumer<String> progress)
      throws IOException {
    super(Engine.PULSAR, settings, variants, progress);
  }

  @Override
  protected Rig rig(JournalVariant variant, Path own) throws IOException {
    return new PulsarRig(variant, settings(), own, journal(variant, 0));
  }
}
