// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut;

import io.headpond.harness.load.ContentReport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * An engine in a guest whose clients are on the host, so that an acknowledgement counts when it has
 * arrived outside of the guest. One thread.
 */
public interface ServedEngine extends AutoCloseable {

  /** Makes one whose files lie in a folder, and whose records follow from a seed. */
  interface Maker {
    ServedEngine make(Path folder, long seed) throws IOException, InterruptedException;
  }

  /**
   * The engine's set-up from a start to the next cut.
   *
   * @param name as the report calls it
   * @param settings of its configuration, on top of what always holds
   * @param headpond whether the plug-in is in it
   */
  record Variant(String name, Map<String, String> settings, boolean headpond) {}

  /** One with Headpond, left to chance. */
  Variant withHeadpond(Random random, int boot);

  /** The unmodified engine, on the disks that one with Headpond has written. */
  Variant vanilla();

  /** The unmodified engine, where nothing is forced. */
  Variant unforced();

  /** Empty disks, nothing of Headpond on them. */
  void makeDisks() throws IOException, InterruptedException;

  /**
   * Starts it.
   *
   * @param java feature release
   */
  Boot boot(int number, int java, Variant variant) throws IOException, InterruptedException;

  /**
   * Waits until it serves clients, and for the first time also until they can begin.
   *
   * @param progress is run now and then
   */
  void awaitReady(Boot boot, boolean first, Runnable progress)
      throws IOException, InterruptedException;

  /** The devices below it and the places of its files at this start, in words. */
  String describe(Boot boot) throws IOException;

  /** Lets the clients write. */
  void startLoad() throws IOException, InterruptedException;

  /**
   * While the clients write, waits for something that a cut should come into the middle of.
   *
   * @param hits cuts and instants of the campaign so far, by what they came into the middle of
   * @return what has begun, as the report calls it; nothing if the cut comes by chance
   */
  List<String> awaitMoment(Boot boot, Map<String, Integer> hits, Random random)
      throws IOException, InterruptedException;

  /** After the power was cut: nothing is written any more, and every answer is known. */
  void endLoad() throws IOException, InterruptedException;

  /** Records acknowledged since the campaign began. */
  long acknowledged() throws IOException, InterruptedException;

  /** The number of them that the load itself has deleted since. */
  default long deleted() {
    return 0;
  }

  /** Reads everything and compares it with what was acknowledged. */
  ContentReport verify() throws IOException, InterruptedException;

  /** The folder of its disks. */
  Path disks();

  /**
   * Keeps what was acknowledged so far, and must stay, in a folder, while the clients write and the
   * guest stands still.
   */
  void saveAtInstant(Path folder) throws IOException, InterruptedException;

  /**
   * Runs the unmodified engine on the host, on empty disks, until it serves, for an archive of its
   * classes, with which it starts sooner in the guest. Nothing if there is one.
   *
   * @param java feature release of the guest's Java
   */
  void archiveClasses(int java) throws IOException, InterruptedException;

  /**
   * Runs the unmodified engine on the host, on the copies of the guest's disks, reads everything
   * and compares it with what {@link #saveAtInstant} kept. The guest is off.
   *
   * @param copies in whose folder that was kept
   */
  ContentReport verify(CopiedDisks copies) throws IOException, InterruptedException;

  /** Ends what runs on the host. */
  @Override
  void close();
}
