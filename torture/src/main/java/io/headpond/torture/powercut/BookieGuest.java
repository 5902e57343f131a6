// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut;

import io.headpond.harness.bookkeeper.BookieNode;
import io.headpond.harness.bookkeeper.JournalPlugIn;
import io.headpond.harness.bookkeeper.LedgerLoad;
import io.headpond.harness.bookkeeper.LedgerLoadSettings;
import io.headpond.harness.bookkeeper.ZooKeeperNode;
import io.headpond.harness.load.ContentReport;
import io.headpond.harness.process.ChildProcess;
import io.headpond.harness.process.EngineRelease;
import io.headpond.harness.process.FolderRemoval;
import io.headpond.harness.process.JavaHome;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * A guest that runs an unmodified bookie, its journal on the NVDIMM and its ledgers at home, or
 * tiered. ZooKeeper and the client are on the host. Half of the ledgers are never closed.
 */
public final class BookieGuest implements ServedEngine {
  private static final String ROOT = "/ledgers";
  private static final String ID = "guest";
  private static final String HOME_JOURNAL = "/home/journal";
  private static final int ENTRY_BYTES = 1024;
  private static final long POLL_MILLIS = 200;

  /** Of a campaign, or of an instant, as the next one. */
  private static final String ACKNOWLEDGED = "acknowledged";

  private static final String ZOOKEEPER = "zookeeper";

  private final GuestLedgers ledgers;
  private final FastDevice fast;
  private final String fastJournal;
  private final Guest guest;
  private final ZooKeeperNode zooKeeper;
  private final BookieNode node;
  private final LedgerLoadSettings loadSettings;
  private final EngineRelease release;
  private LedgerLoad client;
  private final Path folder;
  private final Path bookKeeper;
  private final Path plugIn;
  private final ClassArchive archive;
  private final Path image;
  private final HostPrograms host;
  private Variant running;
  private long registeredBefore;
  private long deleted;

  /** The folder of what must be there; null: nothing was acknowledged yet. */
  private Path kept;

  /**
   * Starts ZooKeeper.
   *
   * @param ledgers where its entry logs are
   * @param devices below it
   * @param folder for disks, consoles and reports
   * @param seed entries follow from it
   */
  public BookieGuest(
      GuestLedgers ledgers,
      Devices devices,
      Path image,
      Path folder,
      EngineRelease release,
      long seed,
      HostPrograms host)
      throws IOException, InterruptedException {
    this.ledgers = ledgers;
    fast = devices.fast();
    fastJournal = fast.directory("journal");
    this.folder = folder;
    this.release = release;
    archive = new ClassArchive(image, "bookie");
    this.image = image;
    this.host = host;
    bookKeeper = Programs.gather(folder.resolve("bookkeeper"), release.jars());
    plugIn = Programs.gather(folder.resolve("plug-in"), JournalPlugIn.find().jars());
    zooKeeper = new ZooKeeperNode(release, JavaHome.current(), folder.resolve("zookeeper"));
    zooKeeper.start();
    Path unused = folder.resolve("unused");
    node =
        new BookieNode(
            release,
            ID,
            folder.resolve("bookie"),
            zooKeeper,
            ROOT,
            List.of(unused),
            List.of(unused));
    Machine machine = devices.of(Machine.server(node.port()), seed);
    guest = new Guest(image, folder, machine, host);
    loadSettings =
        LedgerLoadSettings.of(zooKeeper.metadataUri(ROOT), seed)
            .entries(ENTRY_BYTES, true, false)
            .entriesPerLedger(ledgers.entriesPerLedger());
  }

  /** It can't start before the cluster has its metadata. */
  private LedgerLoad client() throws IOException {
    if (client == null) {
      client = new LedgerLoad(release, JavaHome.current(), folder.resolve("client"), loadSettings);
    }
    return client;
  }

  /** Small, so that journals roll, are reused and checkpointed within a round. */
  private void configure() {
    node.unset("listeningInterface")
        .set("bookieId", ID)
        .set("metadataServiceUri", zooKeeper.metadataUri(ROOT).replace("127.0.0.1", Machine.HOST))
        .set("zkTimeout", "40000")
        .set("ledgerDirectories", GuestLedgers.HOME)
        .set("flushInterval", "2000")
        .set("journalMaxSizeMB", "2")
        .set("journalPreAllocSizeMB", "1")
        .set("journalMaxBackups", "6")
        .set("numAddWorkerThreads", "1")
        .set("numReadWorkerThreads", "1")
        .set("serverNumIOThreads", "2");
    ledgers.configure(node);
  }

  @Override
  public Variant withHeadpond(Random random, int boot) {
    // Stores into persistent memory are durable without it; writes to a disk are not.
    boolean sync = random.nextBoolean() || fast == FastDevice.DISK;
    boolean reuse = random.nextBoolean();
    Map<String, String> settings = new TreeMap<>();
    settings.put("journalDirectories", fastJournal);
    settings.put("journalChannelProvider", JournalPlugIn.PROVIDER);
    settings.put("journalSyncData", Boolean.toString(sync));
    settings.put("journalReuseFiles", Boolean.toString(reuse));
    settings.putAll(ledgers.withHeadpond(random, fast));
    String name = (sync ? "forced" : "journalSyncData=false") + (reuse ? ", reuse" : "");
    return new Variant(name, settings, true);
  }

  @Override
  public Variant vanilla() {
    return vanilla("BookKeeper's own journal", fastJournal, true);
  }

  @Override
  public Variant unforced() {
    return vanilla("BookKeeper's own journal at home, unforced", HOME_JOURNAL, false);
  }

  private static Variant vanilla(String name, String journal, boolean sync) {
    Map<String, String> settings = new TreeMap<>();
    settings.put("journalDirectories", journal);
    settings.put("journalSyncData", Boolean.toString(sync));
    settings.put("journalReuseFiles", "false");
    return new Variant(name, settings, false);
  }

  @Override
  public void makeDisks() throws IOException, InterruptedException {
    node.initNewCluster();
    guest.makeDisks();
  }

  @Override
  public Boot boot(int number, int java, Variant variant) throws IOException, InterruptedException {
    configure();
    node.vanilla();
    variant.settings().forEach(node::set);
    node.writeConfiguration();
    running = variant;
    registeredBefore = node.registered();
    String journal = variant.settings().get("journalDirectories");
    String job =
        ("mkdir -p " + journal + " " + GuestLedgers.HOME + "\n")
            + ledgers.job(fast)
            + (number == 1 ? forceCookies(journal) : "")
            + EngineJvm.command(java)
            + archive.using(java)
            + (" " + String.join(" ", BookieNode.JVM_ARGUMENTS))
            + (" -cp " + classPath(variant))
            + (" " + BookieNode.MAIN_CLASS + " -c /app/" + node.configuration().getFileName())
            + "\n";
    List<Path> files = new ArrayList<>(archive.files(java));
    files.addAll(List.of(bookKeeper, plugIn, node.configuration()));
    files.add(GuestLedgers.logging(folder));
    return guest.boot(number, job, files);
  }

  private String classPath(Variant variant) throws IOException {
    String classes = Programs.classPath(bookKeeper);
    return variant.headpond() ? classes + ":" + Programs.classPath(plugIn) : classes;
  }

  /**
   * A new bookie doesn't force its cookies, and refuses to start where one of them is missing:
   * before anything is written into it, they are.
   */
  private static String forceCookies(String journal) {
    return "(until [ -s "
        + (journal
            + "/current/VERSION -a -s "
            + GuestLedgers.HOME
            + "/current/VERSION ]; do sleep 1; done\n")
        + "sync; echo COOKIES >/dev/report) &\n";
  }

  @Override
  public void awaitReady(Boot boot, boolean first, Runnable progress)
      throws IOException, InterruptedException {
    if (first) {
      boot.await(1, "COOKIES"::equals, n -> progress.run());
    }
    long registration = node.registered();
    while (registration == -1 || registration == registeredBefore) {
      boot.check();
      if (boot.consoleText().contains(BookieNode.REPLAY_FAILED)) {
        throw boot.failed("the bookie can't replay its journal");
      }
      progress.run();
      Thread.sleep(POLL_MILLIS);
      registration = node.registered();
    }
  }

  /** The plug-in's words on the journal; an unmodified bookie says nothing. */
  @Override
  public String describe(Boot boot) throws IOException {
    String logs = ledgers.describe(boot);
    if (!running.headpond()) {
      return "without Headpond" + logs;
    }
    return journal(boot) + logs;
  }

  private String journal(Boot boot) throws IOException {
    // Begins what the plug-in logs of a journal; the line also says how it is written.
    String begin = "journal " + fastJournal + "/current: ";
    return boot.consoleText()
        .lines()
        .filter(line -> line.contains(begin))
        .map(line -> line.substring(line.indexOf(begin)).replaceAll(" \\(.*", ""))
        .findFirst()
        .orElse("no journal was begun");
  }

  @Override
  public void startLoad() throws IOException, InterruptedException {
    if (ledgers.thinned() && running.headpond() && kept != null) {
      deleted += client().thin(kept);
    }
    client().start();
  }

  @Override
  public List<String> awaitMoment(Boot boot, Map<String, Integer> hits, Random random)
      throws IOException, InterruptedException {
    return EngineMoment.await(ledgers.moments(), boot, hits, random);
  }

  @Override
  public void endLoad() throws IOException, InterruptedException {
    client().stop();
    kept = folder.resolve(ACKNOWLEDGED);
    client().save(kept);
  }

  @Override
  public long acknowledged() throws IOException, InterruptedException {
    return client().figures().acknowledged();
  }

  @Override
  public long deleted() {
    return deleted;
  }

  @Override
  public ContentReport verify() throws IOException, InterruptedException {
    return client().verify();
  }

  @Override
  public Path disks() {
    return folder;
  }

  @Override
  public void saveAtInstant(Path instant) throws IOException, InterruptedException {
    client().save(instant.resolve(ACKNOWLEDGED));
    zooKeeper.copyTo(instant.resolve(ZOOKEEPER));
  }

  @Override
  public void archiveClasses(int java) throws IOException, InterruptedException {
    if (archive.exists(java)) {
      return;
    }
    GuestLedgers.logging(folder);
    Path disks = folder.resolve("archive");
    FolderRemoval.remove(disks, true);
    try (CopiedDisks empty = CopiedDisks.empty(disks, folder, image, java, host)) {
      zooKeeper.copyTo(disks.resolve(ZOOKEEPER));
      try (ZooKeeperNode then = zooKeeperOf(empty)) {
        then.delete(ROOT + "/cookies/" + ID); // a bookie that has one refuses empty disks
        archiveClasses(empty, then, java);
      }
      archive.made(java);
    }
  }

  private void archiveClasses(CopiedDisks empty, ZooKeeperNode then, int java)
      throws IOException, InterruptedException {
    try (ChildProcess bookie = start(empty, then, vanilla(), List.of(archive.making(java)))) {
      awaitRegistered(bookie, empty, then);
      bookie.terminate(CopiedDisks.STOP_LIMIT);
    }
  }

  @Override
  public ContentReport verify(CopiedDisks copies) throws IOException, InterruptedException {
    Path instant = copies.folder();
    try (ZooKeeperNode then = zooKeeperOf(copies)) {
      if (fast == FastDevice.DISK) {
        replay(copies, then);
      }
      try (ChildProcess bookie = start(copies, then, vanilla(), List.of());
          LedgerLoad reader =
              new LedgerLoad(
                  release,
                  JavaHome.current(),
                  instant.resolve("client"),
                  loadSettings.in(then.metadataUri(ROOT)))) {
        awaitRegistered(bookie, copies, then);
        reader.load(instant.resolve(ACKNOWLEDGED));
        return reader.verify();
      }
    }
  }

  /**
   * The first start after a cut is one with Headpond, which is stopped in good order: only it knows
   * a group of which a disk kept a part.
   */
  private void replay(CopiedDisks copies, ZooKeeperNode then)
      throws IOException, InterruptedException {
    try (ChildProcess bookie = start(copies, then, running, List.of())) {
      awaitRegistered(bookie, copies, then);
      bookie.terminate(CopiedDisks.STOP_LIMIT);
    }
    then.delete(ROOT + "/available/" + ID);
  }

  private ZooKeeperNode zooKeeperOf(CopiedDisks copies) throws IOException, InterruptedException {
    ZooKeeperNode then =
        new ZooKeeperNode(release, JavaHome.current(), copies.folder().resolve(ZOOKEEPER));
    try {
      then.start();
      // The session of the bookie's life in the guest would last too long.
      then.delete(ROOT + "/available/" + ID);
      return then;
    } catch (IOException | InterruptedException e) {
      then.close();
      throw e;
    }
  }

  private ChildProcess start(
      CopiedDisks copies, ZooKeeperNode then, Variant variant, List<String> options)
      throws IOException {
    configure();
    node.vanilla();
    variant.settings().forEach(node::set);
    node.set("metadataServiceUri", then.metadataUri(ROOT));
    node.writeConfiguration();
    Path configuration = copies.folder().resolve("bk_server.conf");
    Files.copy(node.configuration(), configuration, StandardCopyOption.REPLACE_EXISTING);
    List<String> arguments = new ArrayList<>(options);
    arguments.addAll(BookieNode.JVM_ARGUMENTS);
    arguments.addAll(List.of("-cp", classPath(variant), BookieNode.MAIN_CLASS));
    arguments.addAll(List.of("-c", configuration.toString()));
    return copies.start("the bookie on copies", arguments);
  }

  private static void awaitRegistered(ChildProcess bookie, CopiedDisks copies, ZooKeeperNode then)
      throws IOException, InterruptedException {
    while (then.created(ROOT + "/available/" + ID) == -1) {
      if (!bookie.alive()
          || Files.readString(copies.output(), StandardCharsets.ISO_8859_1)
              .contains(BookieNode.REPLAY_FAILED)) {
        throw new IOException("the bookie on copies doesn't start: " + copies.output());
      }
      Thread.sleep(POLL_MILLIS);
    }
  }

  @Override
  public void close() {
    if (client != null) {
      client.close();
    }
    zooKeeper.close();
  }
}
