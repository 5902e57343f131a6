// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper.ledger;

import io.headpond.bookkeeper.LostWrites;
import io.headpond.pmem.Device;
import io.headpond.store.event.BackgroundCodes;
import io.headpond.store.event.StartCodes;
import io.headpond.store.event.StoreRefusedException;
import io.headpond.store.layout.DirectoryForce;
import io.headpond.store.layout.HomeIdentity.TierRef;
import io.headpond.store.layout.LogDirScan;
import io.headpond.store.layout.NameLook;
import io.headpond.store.layout.SegmentMove;
import io.headpond.store.tier.Quarantine;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Places of one ledger directory's entry logs: the ledger directory itself (<i>home</i>), or a
 * directory on the fast device, with an absolute symbolic link at home.
 *
 * <p>What a log's name at home resolves to is the log; a file on the fast device that no name leads
 * to is none. So a bookie without Headpond finds every log at every instant, if only the names are
 * durable before anything that lies in their logs is indexed ({@link #forceNames}), and the files
 * are durably there before their names and go after them, with a force of the home directory
 * between the two.
 *
 * <p>Removals and replacements of one log's name exclude each other; other logs don't wait for
 * them. The object's monitor guards what was linked and isn't forced yet. Any thread.
 */
final class EntryLogPlaces {
  /** BookKeeper's own, below every ledger directory. */
  static final String CURRENT = PlaceCheck.CURRENT;

  private static final Logger LOG = LoggerFactory.getLogger("io.headpond");

  /** Ending of a log that a compaction has only begun; BookKeeper's own. */
  private static final String COMPACTING = ".log.compacting";

  /** Ending of the first name of a log that a transactional compaction has completed. */
  private static final String COMPACTED = ".compacted";

  private final Path ledgerDirectory;
  private final Path home;
  private final TierRef tier;
  private final UUID homeId;
  private final Path fast;
  private final DirectoryForce forces = new DirectoryForce();

  /** Was a name made that isn't durable yet? */
  private boolean unforced;

  /** Logs whose name is being removed or replaced; its own monitor guards it. */
  private final Set<Long> changing = new HashSet<>();

  /**
   * An entry log on the fast device.
   *
   * @param id BookKeeper's identifier of the log
   * @param bytes its length
   */
  record Log(long id, long bytes) {}

  private EntryLogPlaces(final Path ledgerDirectory, final TierRef tier, final UUID homeId) {
    this.ledgerDirectory = ledgerDirectory;
    this.homeId = homeId;
    home = ledgerDirectory.resolve(CURRENT);
    this.tier = tier;
    fast = PlaceCheck.fast(tier.path(), homeId);
  }

  /**
   * Looks at both places; writes only what identifies them, and only if everything is as it must
   * be.
   *
   * @param ledgerDirectory one of the bookie's ledger directories, absolute
   * @param fastDirectory the directory on the fast device, absolute
   * @throws StoreRefusedException if the fast directory is missing or another one, a name at home
   *     leads nowhere, or one of the two can't be written to
   * @throws IOException if a directory can't be read or written
   */
  static EntryLogPlaces open(final Path ledgerDirectory, final Path fastDirectory)
      throws IOException {
    PlaceCheck.refuseUnwritable(ledgerDirectory);
    PlaceCheck.refuseUnwritable(ledgerDirectory.resolve(CURRENT));
    PlaceCheck.refuseUnwritable(fastDirectory);
    final PlaceIdentities identities = PlaceIdentities.check(ledgerDirectory, fastDirectory);
    final TierRef tier = identities.tier();
    final EntryLogPlaces places = new EntryLogPlaces(ledgerDirectory, tier, identities.homeId());
    PlaceCheck.refuseUnwritable(places.fast);
    PlaceCheck.checkNames(ledgerDirectory, tier.path(), identities.homeId());
    LostWrites.report(tier.path(), Device.detect(tier.path()));
    identities.write();
    NameLook.makeDirectories(places.fast);
    // Also where they are there: a bookie that was killed may have made them just before.
    for (Path made = places.fast; !made.equals(fastDirectory); made = made.getParent()) {
      DirectoryForce.forceNow(made.getParent());
    }
    return places;
  }

  /**
   * Clears away what a crash has left: unfinished copies, sources of finished moves, files that no
   * name leads to. For the one bookie that has opened the ledger directory's index.
   *
   * @param nowMs milliseconds since 1970
   * @throws IOException if something can't be moved or deleted
   */
  void recover(final long nowMs) throws IOException {
    for (final Path copy : LogDirScan.unfinishedMoves(ledgerDirectory)) {
      Files.deleteIfExists(copy);
      LOG.info("{}: the rest of an interrupted move was removed", copy);
    }
    for (final Path log : PlaceCheck.named(home, name -> name.endsWith(COMPACTING))) {
      Files.deleteIfExists(log); // never a log; BookKeeper's default compaction leaves it for ever
    }
    DirectoryForce.forceNow(home); // a name that was only just replaced decides what goes now
    for (final Log log : fastLogs()) {
      if (!leadsToFast(log.id())) {
        settle(log);
      }
    }
    Quarantine.purge(
        tier.path(), nowMs, (file, bytes) -> LOG.info("{}: deleted after its grace period", file));
  }

  private void settle(final Log log) throws IOException {
    final Path file = fastFile(log.id());
    if (isPlainAtHome(log.id()) && Files.size(name(log.id())) == log.bytes()) {
      Files.delete(file);
      return; // its move was finished but for this
    }
    final Path quarantine = tier.quarantine(homeId);
    Files.createDirectories(quarantine);
    Files.move(
        file,
        quarantine.resolve(System.currentTimeMillis() + "." + file.getFileName()),
        StandardCopyOption.ATOMIC_MOVE);
    StartCodes.ORPHANS.log(file, 1, log.bytes(), quarantine);
  }

  /** The ledger directory's folder of entry logs. */
  Path home() {
    return home;
  }

  /** The fast directory, as configured. */
  Path fastDirectory() {
    return tier.path();
  }

  /** The fast directory's folder of entry logs. */
  Path fast() {
    return fast;
  }

  /** A log's name at home. */
  Path name(final long id) {
    return home.resolve(fileName(id));
  }

  /** A log's file on the fast device. */
  Path fastFile(final long id) {
    return fast.resolve(fileName(id));
  }

  private static String fileName(final long id) {
    return Long.toHexString(id) + ".log";
  }

  /**
   * Attributes of the file that a name stands for; empty if there is none.
   *
   * @throws IOException if the device can't say: that is neither a yes nor a no
   */
  private static Optional<BasicFileAttributes> look(final Path name) throws IOException {
    try {
      return Optional.of(
          Files.readAttributes(name, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS));
    } catch (final NoSuchFileException absent) {
      return Optional.empty();
    }
  }

  private static boolean isLink(final Path name) throws IOException {
    return look(name).map(BasicFileAttributes::isSymbolicLink).orElse(false);
  }

  /** True if the log is on the fast device. */
  boolean leadsToFast(final long id) throws IOException {
    final Path name = name(id);
    return isLink(name) && Files.readSymbolicLink(name).equals(fastFile(id));
  }

  /** True if the log is a file of the ledger directory. */
  boolean isPlainAtHome(final long id) throws IOException {
    return look(name(id)).map(BasicFileAttributes::isRegularFile).orElse(false);
  }

  /** The files on the fast device, the oldest first. */
  List<Log> fastLogs() throws IOException {
    final List<Log> found = new ArrayList<>();
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(fast)) {
      for (final Path file : stream) {
        final OptionalLong id = PlaceCheck.logNumber(file.getFileName().toString());
        if (id.isPresent()) {
          try {
            found.add(new Log(id.getAsLong(), Files.size(file)));
          } catch (final NoSuchFileException removedMeanwhile) {
            continue;
          }
        }
      }
    } catch (final DirectoryIteratorException e) {
      throw e.getCause();
    }
    found.sort(Comparator.comparingLong(Log::id));
    return found;
  }

  /** Bytes of the logs that lie in the ledger directory itself; as far as they can be looked at. */
  long homeLogBytes() {
    long bytes = 0;
    try (DirectoryStream<Path> names = Files.newDirectoryStream(home, "*.log")) {
      for (final Path name : names) {
        bytes +=
            look(name).filter(BasicFileAttributes::isRegularFile).map(it -> it.size()).orElse(0L);
      }
    } catch (final IOException | DirectoryIteratorException e) {
      LOG.debug("{}: can't be listed", home, e);
    }
    return bytes;
  }

  /** Bytes that the fast device still has; none if it can't be written to any more. */
  long fastUsableBytes() {
    return Files.isWritable(fast) ? fast.toFile().getUsableSpace() : 0;
  }

  /** Bytes that the ledger directory's file system still has. */
  long homeUsableBytes() {
    return home.toFile().getUsableSpace();
  }

  /**
   * Gives a log that BookKeeper has created its name at home, if it was created on the fast device.
   * {@link #forceNames} makes that name durable, and the one of a log that was created at home. Any
   * other force at home may do so earlier, so the file on the fast device is durably there before.
   *
   * @return is it on the fast device?
   * @throws IOException if the name can't be made: nothing of the log may be indexed then
   */
  synchronized boolean link(final long id) throws IOException {
    unforced = true;
    final Path file = fastFile(id);
    if (look(file).isEmpty()) {
      if (look(name(id)).isEmpty()) { // as of a fast device that was unmounted just now
        throw new NoSuchFileException(file + ", which was created as that log, is gone");
      }
      return false;
    }
    forces.force(fast);
    try {
      Files.createSymbolicLink(name(id), file);
    } catch (final FileAlreadyExistsException e) {
      if (!leadsToFast(id)) {
        throw new IOException(
            name(id) + " is there already and is not " + file + ", which was created as that log",
            e);
      }
    }
    return true;
  }

  /**
   * Gives the log that a transactional compaction has completed its name at home, unless it has it,
   * and makes that name durable.
   *
   * @param id of the log
   * @param compacted the log whose entries it has
   */
  synchronized void complete(final long id, final long compacted) throws IOException {
    unforced = true;
    final String suffix = "." + Long.toHexString(compacted) + COMPACTED;
    if (look(name(id)).isEmpty()) {
      Files.createLink(name(id), home.resolve(fileName(id) + suffix));
    }
    forceNames();
  }

  /**
   * Returns when the names at home of all logs that {@link #link} was told of are durable.
   *
   * @throws IOException if a force failed, now or ever: what a second one says isn't trusted
   */
  synchronized void forceNames() throws IOException {
    if (unforced) {
      forces.force(home);
      unforced = false;
    }
  }

  /**
   * Removes a log: its name first, then, when that is durable, its file.
   *
   * @param removal BookKeeper's own removal of what it finds first: the name at home; or, if an
   *     earlier one has left that, the file. 4.16's says that it succeeded if it finds anything
   * @return is there no such log any more?
   */
  boolean remove(final long id, final BooleanSupplier removal) {
    begin(id);
    try {
      if (look(name(id)).isEmpty()) {
        forces.force(home);
      }
      if (!removal.getAsBoolean() || look(name(id)).isPresent()) {
        return false; // without its file the name would end the next start
      }
    } catch (final IOException e) {
      BackgroundCodes.FILE_KEPT.log(fastFile(id), e);
      return false;
    } finally {
      end(id);
    }
    try {
      if (look(fastFile(id)).isPresent()) {
        dropFastFile(id);
      }
    } catch (final IOException | RuntimeException | Error e) { // the name is gone all the same
      BackgroundCodes.FILE_KEPT.log(fastFile(id), e);
    }
    return true;
  }

  /** Waits until nobody else changes the log's name. */
  private void begin(final long id) {
    synchronized (changing) {
      boolean interrupted = false;
      while (!changing.add(id)) {
        try {
          changing.wait();
        } catch (final InterruptedException e) {
          interrupted = true;
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void end(final long id) {
    synchronized (changing) {
      changing.remove(id);
      changing.notifyAll();
    }
  }

  /**
   * A durable copy of a log on the fast device becomes the log.
   *
   * @param copy its temporary name
   * @return false if the log was removed in the meantime; the copy is still there then
   * @throws IOException if the name can't be replaced
   */
  boolean publishHome(final long id, final Path copy) throws IOException {
    begin(id);
    try {
      if (!leadsToFast(id)) {
        return false;
      }
      SegmentMove.publishHome(name(id), fastFile(id), copy);
      return true;
    } finally {
      end(id);
    }
  }

  /**
   * Deletes the file on the fast device of a log whose name doesn't lead there any more.
   *
   * @throws IOException if that name can't be made durable, now or ever, or the file not be deleted
   */
  void dropFastFile(final long id) throws IOException {
    forces.force(home);
    Files.deleteIfExists(fastFile(id));
  }

  @Override
  public String toString() {
    return ledgerDirectory + " with " + tier.path();
  }
}
