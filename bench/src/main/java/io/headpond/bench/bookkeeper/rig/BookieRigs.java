// SPDX-License-Identifier: Apache-2.0
package io.headpond.bench.bookkeeper.rig;

import io.headpond.bench.bookkeeper.BookieNode;
import io.headpond.bench.bookkeeper.ZooKeeperNode;
import io.headpond.bench.bookkeeper.speed.JournalVariant;
import io.headpond.bench.bookkeeper.speed.VariantBookie;
import io.headpond.bench.process.Engine;
import io.headpond.bench.process.FolderRemoval;
import io.headpond.bench.scenario.Rig;
import io.headpond.bench.scenario.RigSettings;
import io.headpond.bench.scenario.Rigs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** Bookies of several variants, alike but for their journals, and their ZooKeeper. */
public final class BookieRigs implements Rigs {

  private static final String PREFIX = "headpond-bench-";
  private static final int JOURNAL_BACKUPS = 16;

  private final RigSettings settings;
  private final List<JournalVariant> variants;
  private final int journals;
  private final Consumer<String> progress;
  private final Path fast;
  private final Path home;
  private final ZooKeeperNode zooKeeper;
  private final List<BookieRig> rigs = new CopyOnWriteArrayList<>();
  private volatile boolean closed;

  /**
   * Makes its folders; nothing runs yet.
   *
   * @param variants Headpond's, then its rivals
   * @param journals directories of each bookie's journal, all on one device
   * @param progress told what goes on
   */
  public BookieRigs(
      RigSettings settings, List<JournalVariant> variants, int journals, Consumer<String> progress)
      throws IOException {
    this.settings = settings;
    this.variants = List.copyOf(variants);
    this.journals = journals;
    this.progress = progress;
    this.fast = Files.createTempDirectory(settings.fast(), PREFIX);
    this.home = Files.createTempDirectory(settings.home(), PREFIX);
    this.zooKeeper =
        new ZooKeeperNode(settings.release(), settings.java(), home.resolve("zookeeper"));
  }

  @Override
  public List<Rig> start() throws IOException, InterruptedException {
    progress.accept("starting");
    zooKeeper.start();
    for (JournalVariant variant : variants) {
      progress.accept(variant + ": starting");
      String root = "/" + variant.key();
      Path own = Files.createDirectories(home.resolve(variant.key()));
      BookieNode bookie =
          VariantBookie.of(
              variant,
              settings.release(),
              settings.java(),
              zooKeeper,
              root,
              own,
              journals(variant));
      // All journals together keep as many files as one would.
      bookie.set("journalMaxBackups", Integer.toString(Math.max(2, JOURNAL_BACKUPS / journals)));
      BookieRig rig =
          new BookieRig(
              variant,
              bookie,
              settings.release(),
              settings.java(),
              zooKeeper,
              root,
              own,
              settings.pointBytesMax());
      rigs.add(rig);
      if (closed) {
        throw new InterruptedException("the benchmark was closed");
      }
      rig.start();
    }
    return List.copyOf(rigs);
  }

  private List<Path> journals(JournalVariant variant) {
    Path folder = variant.fast() ? fast : home;
    return IntStream.range(0, journals)
        .mapToObj(i -> folder.resolve("journal-" + variant.key() + "-" + i))
        .toList();
  }

  @Override
  public String engine() {
    return Engine.BOOKKEEPER.title();
  }

  @Override
  public String version() {
    return settings.release().version();
  }

  @Override
  public Map<String, String> places() throws IOException {
    Map<String, String> all = new LinkedHashMap<>();
    for (JournalVariant variant : variants) {
      all.put(variant.key(), variant.describe(settings.fast(), settings.home()));
    }
    return all;
  }

  @Override
  public void close() throws IOException {
    closed = true;
    rigs.forEach(BookieRig::close);
    zooKeeper.close();
    FolderRemoval.remove(fast, true);
    FolderRemoval.remove(home, true);
  }
}
