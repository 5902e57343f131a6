// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.bookkeeper.rig;

import io.headpond.harness.bookkeeper.BookieNode;
import io.headpond.harness.bookkeeper.ZooKeeperNode;
import io.headpond.harness.process.Engine;
import io.headpond.lab.bookkeeper.variant.JournalVariant;
import io.headpond.lab.bookkeeper.variant.VariantBookie;
import io.headpond.lab.scenario.Rig;
import io.headpond.lab.scenario.RigSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** Bookies of several variants, alike but for their journals, and their ZooKeeper. */
public final class BookieRigs extends JournalRigs {

  private static final int JOURNAL_BACKUPS = 16;

  private final int journals;
  private final Map<String, String> tuned;
  private final boolean countsFailures;
  private final ZooKeeperNode zooKeeper;

  /**
   * Makes its folders; nothing runs yet.
   *
   * @param variants in the order in which they are started
   * @param journals directories of each bookie's journal, all on one device
   * @param tuned settings of the bookie {@link JournalVariant#HEADPOND_TUNED}
   * @param countsFailures adds that fail are counted, also of a bookie that has ended; else both
   *     are errors
   * @param progress told what goes on
   */
  public BookieRigs(
      RigSettings settings,
      List<JournalVariant> variants,
      int journals,
      Map<String, String> tuned,
      boolean countsFailures,
      Consumer<String> progress)
      throws IOException {
    super(Engine.BOOKKEEPER, settings, variants, progress);
    this.journals = journals;
    this.tuned = Map.copyOf(tuned);
    this.countsFailures = countsFailures;
    this.zooKeeper =
        new ZooKeeperNode(settings.release(), settings.java(), home().resolve("zookeeper"));
  }

  @Override
  protected void startShared() throws IOException, InterruptedException {
    zooKeeper.start();
  }

  @Override
  protected void closeShared() {
    zooKeeper.close();
  }

  @Override
  protected Rig rig(JournalVariant variant, Path own) throws IOException {
    String root = "/" + variant.key();
    List<Path> journalDirs =
        IntStream.range(0, journals).mapToObj(number -> journal(variant, number)).toList();
    BookieNode bookie =
        VariantBookie.of(
            variant, settings().release(), settings().java(), zooKeeper, root, own, journalDirs);
    // All journals together keep as many files as one would.
    bookie.set("journalMaxBackups", Integer.toString(Math.max(2, JOURNAL_BACKUPS / journals)));
    if (variant == JournalVariant.HEADPOND_TUNED) {
      for (Map.Entry<String, String> setting : tuned.entrySet()) {
        bookie.set(setting.getKey(), setting.getValue());
      }
    }
    return new BookieRig(
        variant, bookie, settings(), zooKeeper.metadataUri(root), own, countsFailures);
  }
}
