// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests.pulsar;

import io.headpond.harness.process.Engine;
import io.headpond.harness.process.EngineRelease;
import io.headpond.harness.process.JavaHome;
import io.headpond.systemtests.Matrix;
import io.headpond.systemtests.Matrix.Place;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/**
 * What is tested on what, with how many kills: the current release on every Java, 4.0 on one that
 * it supports; those that {@code .ci/matrix} fetched.
 */
final class PulsarReleases {

  /** On the first pair; half of it on the others. */
  private static final int KILLS = Integer.getInteger("headpond.pulsar.kills", 5);

  private PulsarReleases() {}

  static Stream<Arguments> releasesAndJavas() throws IOException {
    if (Matrix.asked()) {
      return Matrix.runs(Engine.PULSAR)
          .map(run -> Arguments.of(run.version(), run.java(), run.release(), fewer(), run.place()));
    }
    List<Arguments> all = new ArrayList<>();
    EngineRelease current = Engine.PULSAR.current();
    List<JavaHome> javas = JavaHome.installed();
    for (JavaHome java : javas) {
      int kills = all.isEmpty() ? KILLS : fewer();
      all.add(Arguments.of(current.version(), java, current, kills, Place.usual()));
    }
    if (javas.get(0).feature() <= Matrix.NEWEST_JAVA_OF_PULSAR_4_0) {
      EngineRelease older = Engine.PULSAR.find("4.0");
      all.add(Arguments.of(older.version(), javas.get(0), older, fewer(), Place.usual()));
    }
    return all.stream();
  }

  private static int fewer() {
    return Math.max(1, KILLS / 2);
  }
}
