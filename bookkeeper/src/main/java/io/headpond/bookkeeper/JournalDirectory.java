// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper;

import io.headpond.observe.Times;
import io.headpond.pmem.Device;
import io.headpond.pmem.Durability;
import io.headpond.pmem.MappedFile;
import io.headpond.pmem.MappedFileOptions;
import io.headpond.pmem.Persist;
import io.headpond.pmem.PersistBackend;
import io.headpond.pmem.PersistChoice;
import io.headpond.pmem.RunAhead;
import io.headpond.pmem.Shortage;
import io.headpond.pmem.Space;
import io.headpond.store.config.ConfigException;
import io.headpond.store.config.Internals;
import io.headpond.store.event.EventCode;
import io.headpond.store.event.StartCodes;
import io.headpond.store.event.StoreRefusedException;
import io.headpond.store.layout.DirectoryForce;
import java.io.File;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.bookkeeper.conf.ServerConfiguration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A journal directory of a bookie: its device, and how its files are written.
 *
 * <p><b>Threads.</b> {@link #writing} from the journal thread, {@link #close} from any.
 */
final class JournalDirectory implements JournalHost, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(JournalDirectory.class);

  private static final int CACHE_LINE_BYTES = 64;

  /** Writes of a journal before its first entry. */
  private static final int HEADERS = 1;

  /** The file system has the last word: nothing but the journal is kept here. */
  private static final Space AS_THE_DEVICE_HAS =
      new Space() {
        @Override
        public boolean reserve(long bytes) {
          return true;
        }

        @Override
        public void release(long bytes) {}
      };

  private final Path path;
  private final Device device;
  private final PersistChoice choice;
  private final PersistBackend backend;
  private final JournalGrowth growth;
  private final boolean syncData;
  private final JournalSettings settings;
  private final SpareJournal spare;
  private final JournalForces forces;
  private final JournalCounters counters = new JournalCounters();
  private volatile RunAhead runAhead;
  private Path readyFile;
  private long readyBytes;
  private boolean readyZeroed;
  private boolean begun;
  private boolean closed;
  private volatile boolean waited;

  private JournalDirectory(
      Path path,
      Device device,
      PersistChoice choice,
      JournalSettings settings,
      LastMark lastMark,
      JournalGrowth growth,
      ServerConfiguration configuration) {
    this.path = path;
    this.growth = growth;
    this.forces = new JournalForces(path);
    this.device = device;
    this.choice = choice;
    this.settings = settings;
    this.backend = choice.backend();
    this.syncData = configuration.getJournalSyncData();
    this.spare =
        configuration.getJournalReuseFiles()
            ? new SpareJournal(
                BookieBackground.THREADS,
                path,
                lastMark,
                configuration.getMaxBackupJournals(),
                configuration.getMaxJournalSizeMB() << 20,
                !ordered() || !padded(configuration))
            : null;
  }

  /**
   * Looks at the directory and at the configuration.
   *
   * @throws StoreRefusedException naming what is wrong, and what to do
   */
  static JournalDirectory of(File directory, ServerConfiguration configuration) throws IOException {
    LastMark lastMark = LastMark.of(directory, configuration);
    return of(directory.toPath(), lastMark, JournalGrowth.FAST, configuration);
  }

  /** A directory whose marks are known; of any file system. */
  static JournalDirectory of(
      Path path, LastMark lastMark, JournalGrowth growth, ServerConfiguration configuration)
      throws IOException {
    if (!Files.isDirectory(path)) {
      throw missing(path);
    }
    try {
      JournalSettings settings = settings(configuration);
      Device device = Device.detect(path);
      return new JournalDirectory(
          path,
          device,
          Persist.decide(device, Internals.ofSystem().mapsMemory()),
          settings,
          lastMark,
          growth,
          configuration);
    } catch (ConfigException e) {
      throw StartCodes.CONFIGURATION.refusal(e.getMessage(), e);
    }
  }

  private static JournalSettings settings(ServerConfiguration configuration)
      throws ConfigException {
    BookieSettings.refuseUnknown(configuration.getKeys());
    Map<String, String> values = new HashMap<>();
    String prefix = JournalSettings.PREFIX.substring(0, JournalSettings.PREFIX.length() - 1);
    for (Iterator<String> keys = configuration.getKeys(prefix); keys.hasNext(); ) {
      String key = keys.next();
      values.put(key, configuration.getString(key));
    }
    return JournalSettings.parse(values);
  }

  private static StoreRefusedException missing(Path path) {
    return StartCodes.TIER_MISSING.refusal(
        "journal", path, "journalDirectories", "the bookie's configuration");
  }

  /**
   * Can files be made here?
   *
   * @throws StoreRefusedException naming why not, and what to do
   */
  void refuseUnwritable() throws IOException {
    if (Files.notExists(path)) { // unmounted below the bookie
      throw missing(path);
    }
    Optional<StoreRefusedException> refusal = WriteAccess.refusal(path);
    if (refusal.isPresent()) {
      throw refusal.get();
    }
  }

  /** Is what was written durable when {@code write} returns, without a force? */
  boolean durableAtReturn() {
    return Unsynced.durableAtReturn(device, choice);
  }

  /** Is no store found without those before it, whatever ends the process or the power? */
  private boolean ordered() {
    // Memory outlives the process, and nothing of it the power.
    return mapped() || device.durability() == Durability.VOLATILE;
  }

  /** Does no group's head cross a cache line, which could be stored half? */
  private static boolean padded(ServerConfiguration configuration) {
    return configuration.getJournalFormatVersionToWrite() >= GroupChecks.PADDED_FORMAT
        && configuration.getJournalAlignmentSize() % CACHE_LINE_BYTES == 0;
  }

  /** Opens a file that is empty, or that was the spare, to be written from its first byte on. */
  FileChannel writing(Path file, ServerConfiguration configuration) throws IOException {
    try {
      return begin(file, configuration);
    } catch (IOException e) {
      beforeFailing();
      throw e;
    }
  }

  /** True once a journal is written to. */
  synchronized boolean begun() {
    return begun;
  }

  private synchronized FileChannel begin(Path file, ServerConfiguration configuration)
      throws IOException {
    if (!begun) {
      refuseUnsynced();
      report();
      BookieObservation.journal(this, this::facts);
      begun = true;
    }
    long reused = reusedBytes(file);
    boolean zeroBehind = reused == 0 || readyZeroed;
    GroupChecks checks = checks(zeroBehind, configuration);
    JournalFileChannel channel =
        growsAhead()
            ? ahead(file, reused > 0, zeroBehind, checks)
            : plain(file, reused, zeroBehind, checks);
    forces.begun(channel);
    counters.files.increment();
    if (reused > 0) {
      counters.reusedFiles.increment();
    }
    return channel;
  }

  /** Length of the file to reuse, in bytes; a file that wasn't prepared is cut to nothing first. */
  private long reusedBytes(Path file) throws IOException {
    boolean known = file.equals(readyFile) && Files.size(file) == readyBytes;
    readyFile = null;
    if (!known && Files.size(file) > 0) {
      try (FileChannel old = FileChannel.open(file, StandardOpenOption.WRITE)) {
        old.truncate(0);
        old.force(true);
      }
    }
    return known ? readyBytes : 0;
  }

  /** Null where no group can be there in part, or where a start can't see it. */
  private GroupChecks checks(boolean zeroBehind, ServerConfiguration configuration) {
    boolean possible =
        GroupChecks.possible(
            configuration.getJournalFormatVersionToWrite(),
            configuration.getJournalAlignmentSize());
    return syncData && zeroBehind && possible && !ordered() ? new GroupChecks() : null;
  }

  private JournalFileChannel ahead(
      Path file, boolean keepTail, boolean zeroBehind, GroupChecks checks) throws IOException {
    if (runAhead == null) {
      runAhead = new RunAhead(BookieBackground.THREADS, "headpond-journal-run-ahead", 1);
      if (closed) {
        runAhead.close();
      }
    }
    MappedFile opened =
        MappedFile.open(
            file,
            0,
            MappedFileOptions.of(device, backend, AS_THE_DEVICE_HAS, runAhead)
                .firstChunkBytes(growth.chunkBytes(mapped()))
                .maxChunkBytes(growth.chunkBytes(mapped()))
                .keepTail(keepTail));
    try {
      opened.prepare(growth.beginBytes(mapped()));
    } catch (IOException e) {
      opened.close();
      throw failure(file, e);
    }
    return mapped()
        ? new MappedJournalChannel(file, opened, zeroBehind, this)
        : new WrittenJournalChannel(file, opened, zeroBehind, checks, this);
  }

  private JournalFileChannel plain(Path file, long reused, boolean zeroBehind, GroupChecks checks)
      throws IOException {
    FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
    return new PlainJournalChannel(file, channel, reused, zeroBehind, checks, this);
  }

  private void refuseUnsynced() throws IOException {
    if (syncData || durableAtReturn()) {
      if (!syncData) {
        LOG.info("journal {}: journalSyncData=false is safe: a write alone is durable here", path);
      }
      return;
    }
    Optional<EventCode.Words> refusal = Unsynced.refusal(path, device, choice, settings);
    if (refusal.isPresent()) {
      throw refusal.get().refusal();
    }
    BookieCodes.UNSYNCED_ACCEPTED.log(path, device.explanation(), choice.backend().key());
  }

  private void report() throws IOException {
    LostWrites.report(path, device);
    LOG.info(
        "journal {}: {} ({}); {} ({})",
        path,
        way(),
        choice.reason(),
        device.durability().name().toLowerCase(Locale.ROOT),
        device.explanation());
    if (device.durability() != Durability.DURABLE) {
      StartCodes.TIER_NOT_DURABLE.log(
          "journal", path, device.durability(), device.explanation(), path);
    }
  }

  private String way() {
    if (mapped()) {
      return "mapped, back end '" + backend.key() + "'";
    }
    return writesAhead() ? "written and forced, into zeros written ahead" : "written and forced";
  }

  /** True when the file that BookKeeper would reuse is ready for it. */
  boolean spareReady() {
    return spare != null && spare.ready();
  }

  /** BookKeeper has renamed a file for reuse. */
  void spareTaken(Path source, Path target) {
    ready(target, spare == null ? -1 : spare.taken(source), spare != null && spare.zeroesAll());
  }

  /**
   * A file is next.
   *
   * @param bytes its length; negative: it isn't ready
   * @param zeroed is all of it zero, and not only what comes before the first record?
   */
  synchronized void ready(Path file, long bytes, boolean zeroed) {
    readyFile = file;
    readyBytes = bytes;
    readyZeroed = zeroed;
  }

  @Override
  public JournalForces forces() {
    return forces;
  }

  private boolean mapped() {
    return backend.maps();
  }

  /** Are zeros written ahead of a journal that isn't mapped? Memory has nothing to commit. */
  private boolean writesAhead() {
    return !mapped() && device.durability() != Durability.VOLATILE && device.writesInPlace();
  }

  private boolean growsAhead() {
    return mapped() || writesAhead();
  }

  @Override
  public void written(int bytes, long nanos) {
    counters.appended(bytes, nanos);
    if (spare != null) {
      spare.written(bytes);
    }
  }

  @Override
  public void forced(long nanos) {
    counters.forceNanos.record(nanos);
  }

  private BookieFacts.Journal facts() {
    Path name = path.getFileName();
    RunAhead ahead = runAhead;
    long size = -1;
    long free = -1;
    try {
      FileStore store = Files.getFileStore(path);
      size = store.getTotalSpace();
      free = store.getUsableSpace();
    } catch (IOException e) {
      LOG.debug("{}: can't be looked at", path, e); // an append says so itself
    }
    return new BookieFacts.Journal(
        (name != null && name.toString().equals("current") ? path.getParent() : path).toString(),
        device.durability(),
        size,
        free,
        counters.appends.sum(),
        counters.appendedBytes.sum(),
        Times.of(counters.appendNanos),
        Times.of(counters.forceNanos),
        ahead == null ? 0 : ahead.misses(),
        counters.files.sum(),
        counters.reusedFiles.sum(),
        counters.failures.sum());
  }

  @Override
  public void forceNames() throws IOException {
    DirectoryForce.forceNow(path);
  }

  @Override
  public IOException failure(Path file, IOException cause) {
    if (cause instanceof ClosedChannelException) {
      return cause;
    }
    counters.failures.increment();
    beforeFailing();
    String message = String.valueOf(cause.getMessage());
    boolean full = Shortage.ofSpace(cause, path, 0);
    return new IOException(
        full
            ? BookieCodes.JOURNAL_FULL.text(file, message, path)
            : BookieCodes.JOURNAL_FAILED.text(file, message),
        cause);
  }

  /** A bookie whose journal fails before the bookie's start is over isn't ended by BookKeeper. */
  void beforeFailing() {
    if (!waited && counters.appends.sum() <= HEADERS) {
      waited = true; // a start that takes longer isn't waited for once more
      BookieStart.awaitEnd();
    }
  }

  /** Files being written, for tests of what is given back. */
  int openFiles() {
    return forces.open();
  }

  /** Stops what works ahead; the files that are open go on being written to. */
  @Override
  public void close() {
    BookieObservation.remove(this);
    if (spare != null) {
      spare.close();
    }
    synchronized (this) {
      closed = true;
      if (runAhead != null) {
        runAhead.close();
      }
    }
  }
}
