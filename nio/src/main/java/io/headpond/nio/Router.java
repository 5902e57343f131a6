// SPDX-License-Identifier: Apache-2.0
package io.headpond.nio;

import io.headpond.observe.Observation;
import io.headpond.store.TieredStore;
import io.headpond.store.config.ConfigException;
import io.headpond.store.config.StoreConfig;
import io.headpond.store.event.RefusedStart;
import io.headpond.store.event.StartCodes;
import io.headpond.store.event.StoreRefusedException;
import io.headpond.store.layout.NameLook;
import io.headpond.store.layout.SegmentName;
import io.headpond.store.segment.FileTimes;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.CopyOption;
import java.nio.file.FileSystem;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.time.Duration;
import java.util.Collection;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Decides which operations go to the store.
 *
 * <p>A JVM becomes the owner of the store when it opens a log directory's {@code .lock}, or a file
 * of a log, for writing; the other log directories it owns by an open of theirs. Until then, and
 * for ever in every other JVM, nothing is diverted: reads follow the links. If the store refuses,
 * the JVM ends; if it leaves one log directory out, every later operation there fails: an engine
 * that went on would take dangling links for empty logs.
 *
 * <p>Design note: the test of a path that isn't diverted is one look at its last characters. The
 * store is made at the first path that may concern it, never while the default file system is being
 * initialised, since its classes bring the engine's logging with them.
 *
 * <p>Paths are the built-in provider's. Any thread.
 */
final class Router {
  private static final String LOCK_FILE = ".lock";

  /** The first file of a log that an engine opens for writing, and that no tool does. */
  private static final String EPOCHS = "leader-epoch-checkpoint";

  /**
   * Kafka renames these over the former ones, once a minute and every 5 s by default, as soon as it
   * has loaded the logs of all log directories, and not before.
   */
  private static final Set<String> CHECKPOINTS =
      Set.of("recovery-point-offset-checkpoint", "replication-offset-checkpoint");

  /** Longest wait at the JVM's end; space not returned by then is an orphan at the next start. */
  private static final Duration SETTLE_LIMIT = Duration.ofSeconds(10);

  /** The kernel follows no more links than these. */
  private static final int LINKS_MAX = 40;

  /** Number of digits before {@code .log} in a segment's name. */
  private static final int DIGITS = 20;

  private final StoreConfig config;
  private final LogDirs logDirs;
  private final char separator;
  private final Consumer<StoreRefusedException> refused;

  /** Below what is no directory. */
  private final Path nowhere;

  /** The log directories whose locks were looked at. */
  private final Set<Path> lookedAt = ConcurrentHashMap.newKeySet();

  /** The store, once this JVM owns it. */
  private volatile TieredStore owned;

  private TieredStore store;
  private Bypass bypass;

  /**
   * Touches nothing.
   *
   * @param refused ends the JVM
   */
  Router(
      final StoreConfig config,
      final FileSystem builtIn,
      final Consumer<StoreRefusedException> refused) {
    this.config = config;
    this.logDirs = new LogDirs(config.logDirs());
    this.separator = builtIn.getSeparator().charAt(0);
    this.nowhere = builtIn.getPath("/dev/null/headpond");
    this.refused = refused;
  }

  /**
   * Reads a configuration file.
   *
   * @param builtIn the built-in file system
   * @return null if no log directory is configured
   * @throws IllegalArgumentException if the configuration is refused; names file, key and reason
   */
  static Router configured(final FileSystem builtIn, final String file) {
    try {
      // Other processes read the path too: 'headpond status --partition' finds the file by it.
      final StoreConfig config = StoreConfig.load(builtIn.getPath(file).toAbsolutePath());
      return config.logDirs().isEmpty() ? null : new Router(config, builtIn, RefusedStart::end);
    } catch (final ConfigException e) {
      throw new IllegalArgumentException(StartCodes.CONFIGURATION.text(e.getMessage()), e);
    }
  }

  /** Keeps an engine away from a log directory that the store has left out. */
  void admit(final Path path) throws IOException {
    final TieredStore now = owned;
    if (now != null && now.leavesOut()) {
      final Path logDir = logDirs.covering(path);
      if (logDir != null) {
        now.admit(logDir);
      }
    }
  }

  /**
   * As {@link #admit}, but for what Kafka does directly in a log directory that is offline already,
   * and without which it ends: it reads {@code meta.properties}, for the directory's identifier,
   * and sees to it that there are checkpoints. It does no harm: an empty checkpoint says no more
   * than none.
   */
  void admitOpen(final Path path, final Set<? extends OpenOption> options) throws IOException {
    final TieredStore now = owned;
    final boolean harmless = !writes(options) || options.contains(StandardOpenOption.CREATE_NEW);
    if (now != null && now.leavesOut() && harmless && isFile(path)) {
      return;
    }
    admit(path);
  }

  /** Is it directly in a log directory, and nothing of a partition? */
  private boolean isFile(final Path path) {
    return logDirs.entry(path) != null && !Files.isDirectory(path);
  }

  /**
   * Opens a segment, or a file of the engine's own whose writes wait for room at home.
   *
   * @return null if the path isn't diverted
   * @throws StoreRefusedException if this open would have made the JVM the owner
   */
  FileChannel open(
      final Path path, final Set<? extends OpenOption> options, final FileAttribute<?>... attrs)
      throws IOException {
    admitOpen(path, options);
    final boolean writing = writes(options);
    if (!writing && owned == null) {
      return null;
    }
    final String text = path.toString();
    if (writing && isLockFile(text)) {
      final Path logDir = logDirs.of(path.toAbsolutePath().getParent());
      if (logDir != null) {
        claim(logDir, false);
      }
      return null;
    }
    if (owned == null) {
      begin(path, text);
    }
    final Path name = segment(path, text);
    if (name == null) {
      return writing ? openAtHome(path, text, options, attrs) : null;
    }
    checkArguments(nowhere -> FileChannel.open(nowhere, options, attrs).close());
    if (writing) {
      bypass.opening(name);
    }
    return owned.open(name, options, attrs);
  }

  /**
   * A Kafka that is controller and broker recovers the cluster's metadata log before it asks for
   * the log directory's lock: that log must not be touched if the start is refused.
   */
  private void begin(final Path path, final String text) throws IOException {
    final boolean segment = isSegmentName(text, text.lastIndexOf(separator) + 1);
    if (!segment && !text.endsWith(EPOCHS)) {
      return;
    }
    final Path file = logDirs.fileInPartition(path);
    if (file != null) {
      claim(file.getParent().getParent(), true);
    } else if (segment) {
      store();
      bypass.elsewhere(path); // nobody would miss the fast device who named another file
    }
  }

  private FileChannel openAtHome(
      final Path path,
      final String text,
      final Set<? extends OpenOption> options,
      final FileAttribute<?>... attrs)
      throws IOException {
    final TieredStore now = owned;
    if (now == null) {
      return null;
    }
    final Path snapshot = text.endsWith(Bypass.SNAPSHOT) ? logDirs.fileInPartition(path) : null;
    if (snapshot != null) {
      bypass.rolled(snapshot);
    }
    return now.openAtHome(path, options, attrs);
  }

  /**
   * The segment that a symbolic link elsewhere leads to, followed step by step as the kernel does.
   *
   * @param options of an open or of a question
   * @return the path itself if it is no such link, or isn't to be followed
   */
  Path followed(final Path path, final Collection<?> options) {
    final boolean writing = writes(options);
    if (owned == null && !writing
        || writing && options.contains(StandardOpenOption.CREATE_NEW)
        || options.contains(LinkOption.NOFOLLOW_LINKS)) {
      return path;
    }
    try {
      Path at = path;
      for (int links = 0; at != null && links < LINKS_MAX; links++) {
        if (segment(at, at.toString()) != null) {
          final boolean made = writing && options.contains(StandardOpenOption.CREATE);
          if (links > 0 && options.contains(StandardOpenOption.DELETE_ON_CLOSE)) {
            throw new UnsupportedOperationException(path + " is a link to " + at + ", delete it");
          }
          return links == 0 || NameLook.exists(made ? at.getParent() : at) ? at : path;
        }
        at = NameLook.target(at);
      }
    } catch (final IOException unknown) {
      // The built-in provider will say why.
    }
    return path;
  }

  /** As {@link LogDirs#present}. */
  Path present(final Path directory, final Object fileKey) {
    return owned == null ? directory : logDirs.present(directory, fileKey);
  }

  /** A segment, or a log directory's lock? */
  boolean concerns(final Path path) {
    final String text = path.toString();
    return isLockFile(text) || segment(path, text) != null;
  }

  /** Would {@link #open} for writing do more than pass it through? */
  boolean follows(final Path path) {
    final TieredStore now = owned;
    return concerns(path) || now != null && now.atHome(path);
  }

  /** Does this JVM own the store, and is it a segment's name there? */
  boolean divertsNow(final Path path) {
    return owned != null && segment(path, path.toString()) != null;
  }

  /** A call with arguments to be checked. */
  interface Call {
    void on(Path nowhere) throws IOException;
  }

  /**
   * Has the platform's own provider check a call's arguments, on a name that can't be there: a
   * segment's must be refused before anything is done to it.
   */
  void checkArguments(final Call call) throws IOException {
    try {
      call.on(nowhere);
    } catch (final FileSystemException notThere) {
      return; // as always
    }
  }

  /**
   * Deletes a segment or a partition directory.
   *
   * @return false if the path isn't diverted
   */
  boolean delete(final Path path) throws IOException {
    admit(path);
    final TieredStore now = owned;
    if (now == null) {
      return false;
    }
    final Path name = segmentOrPartition(path);
    if (name != null) {
      now.delete(name);
    }
    return name != null;
  }

  /**
   * Renames a segment or a partition directory.
   *
   * @return false if neither path is diverted
   */
  boolean move(final Path source, final Path target, final CopyOption... options)
      throws IOException {
    admit(source);
    admit(target);
    final TieredStore now = owned;
    if (now == null) {
      return false;
    }
    final Path from = segmentOrPartition(source);
    final Path to = segmentOrPartition(target);
    if (from == null && to == null) {
      return false;
    }
    checkArguments(nowhere -> Files.move(nowhere, nowhere, options));
    if (from != null) {
      bypass.moving(from);
    }
    now.move(
        from == null ? source.toAbsolutePath() : from,
        to == null ? target.toAbsolutePath() : to,
        options);
    if (to != null && CHECKPOINTS.contains(to.getFileName().toString())) {
      now.loaded(to.getParent());
    }
    return true;
  }

  /** The length of a segment that is grown ahead of what was written; empty: ask the file. */
  OptionalLong logicalSize(final Path path) {
    final TieredStore now = owned;
    final Path name = now == null ? null : segment(path, path.toString());
    return name == null ? OptionalLong.empty() : now.logicalSize(name);
  }

  /** As {@link TieredStore#setTimes}, of any file; null: it is no segment. */
  void setTimes(final Path path, final FileTimes times) throws IOException {
    final TieredStore now = owned;
    final Path name = now == null || path == null ? null : segment(path, path.toString());
    if (name == null) {
      times.set();
    } else {
      now.setTimes(name, times);
    }
  }

  static boolean writes(final Collection<?> options) {
    return options.contains(StandardOpenOption.WRITE)
        || options.contains(StandardOpenOption.APPEND);
  }

  private boolean isLockFile(final String text) {
    return text.endsWith(LOCK_FILE)
        && (text.length() == LOCK_FILE.length()
            || text.charAt(text.length() - LOCK_FILE.length() - 1) == separator);
  }

  private static boolean isSegmentName(final String text, final int start) {
    return text.startsWith(".log", start + DIGITS) && SegmentName.matches(text.substring(start));
  }

  /** The one spelling of a diverted segment's name; null if it is none. */
  private Path segment(final Path path, final String text) {
    final int start = text.lastIndexOf(separator) + 1;
    if (!isSegmentName(text, start)) {
      return null;
    }
    final Path name = logDirs.fileInPartition(path);
    return name != null && store().diverts(name) ? name : null;
  }

  private Path segmentOrPartition(final Path path) {
    final String text = path.toString();
    final int start = text.lastIndexOf(separator) + 1;
    if (isSegmentName(text, start)) {
      return segment(path, text);
    }
    // Only a partition directory's name holds a dash; the many index files need no further look.
    return text.indexOf('-', start) < 0 ? null : logDirs.entry(path);
  }

  synchronized TieredStore store() {
    if (store == null) {
      store = new TieredStore(config, KafkaTimeIndex::newestMs);
      bypass = new Bypass(store, config);
    }
    return store;
  }

  /**
   * The engine's own hooks run at the same time, and until they end what lies below them must work:
   * nothing is closed here.
   */
  private static void settleAtExit(final TieredStore store) {
    try {
      Runtime.getRuntime()
          .addShutdownHook(
              store.background().once("headpond-settle", () -> store.settle(SETTLE_LIMIT)));
    } catch (final IllegalStateException e) {
      // The JVM ends already; what is dropped now is an orphan at the next start.
    }
  }

  /**
   * Makes this JVM the owner of a log directory, as configured, and of the tiers.
   *
   * @param needed as {@link TieredStore#claim(Path, boolean)} has it
   * @throws IOException if it is left out, while others are owned
   */
  private void claim(final Path logDir, final boolean needed) throws IOException {
    final TieredStore claimed = store();
    try {
      refuseHeld(logDir, logDir.resolve(LOCK_FILE));
      claimed.loads(logDir);
      claimed.claim(logDir, needed);
      logDirs.owned(logDir);
    } catch (final StoreRefusedException e) {
      refused.accept(e);
      throw e;
    } finally {
      if (claimed.owner()) {
        own(claimed);
      }
    }
  }

  /**
   * Refuses a log directory of another process before anything there is touched: its engine may run
   * without Headpond and hold no tier's lock. Looked at once: as soon as this JVM's engine has the
   * lock, the close of another descriptor would give it up.
   */
  private void refuseHeld(final Path logDir, final Path lock) throws IOException {
    if (!lookedAt.add(logDir)) {
      return;
    }
    try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.WRITE)) {
      if (channel.tryLock() == null) {
        throw StartCodes.HOME_IN_USE.refusal(logDir, lock);
      }
    } catch (final NoSuchFileException | OverlappingFileLockException free) {
      return;
    }
  }

  private synchronized void own(final TieredStore claimed) {
    if (owned == null) {
      bypass.claimed();
      owned = claimed;
      settleAtExit(claimed);
      Observation.start(claimed);
    }
  }
}
