// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.demo;

import io.headpond.harness.process.Engine;
import io.headpond.harness.process.EngineRelease;
import java.io.IOException;

/**
 * The parts of the demo that differ from engine to engine.
 *
 * @param release that runs
 * @param killed the process that is killed
 * @param one a record, as the engine calls it
 * @param many several of them
 * @param forced the condition of an acknowledgement, on both sides
 * @param fastBytes that must be free on the fast device
 * @param homeBytes that must be free at home
 */
record DemoEngine(
    Engine engine,
    EngineRelease release,
    String killed,
    String one,
    String many,
    String forced,
    long fastBytes,
    long homeBytes) {

  static DemoEngine of(Engine engine, EngineRelease release) {
    return switch (engine) {
      case KAFKA ->
          new DemoEngine(
              engine,
              release,
              "broker",
              "record",
              "records",
              "each append is forced before it is acknowledged (without Headpond: flush.messages=1)",
              320L << 20,
              2L << 30);
      case BOOKKEEPER ->
          new DemoEngine(
              engine,
              release,
              "bookie",
              "entry",
              "entries",
              "each entry is in the forced journal before it is acknowledged",
              768L << 20,
              3L << 30);
      case PULSAR ->
          new DemoEngine(
              engine,
              release,
              "bookie",
              "message",
              "messages",
              "each message is in the bookie's forced journal before it is acknowledged",
              512L << 20,
              2L << 30);
    };
  }

  /** Prepares one side; nothing is started yet. */
  DemoSide side(DemoPlace place, boolean headpond) throws IOException {
    return switch (engine) {
      case KAFKA -> new KafkaSide(release, place, headpond);
      case BOOKKEEPER -> new BookKeeperSide(release, place, headpond);
      case PULSAR -> new PulsarSide(release, place, headpond);
    };
  }
}
