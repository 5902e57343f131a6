// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper;

import io.headpond.store.SimulatedDisks;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.bookkeeper.conf.ServerConfiguration;

/**
 * A bookie's journal on simulated devices: the calls that BookKeeper's Journal, JournalChannel and
 * BufferedChannel (4.16 to 4.18) make of the provider, in their order, on one thread and when told.
 * Its ledger storage loses nothing that was flushed.
 */
final class ScriptedBookie {
  static final int HEADER_BYTES = 512;

  /** The ledger of all entries. */
  static final long LEDGER = 1;

  static final int PADDING = -0x100;
  private static final int ALIGNMENT_BYTES = 512;
  private static final int BUFFER_BYTES = 2048;
  private static final int PREALLOCATED_BYTES = 16 << 10;
  private static final int JOURNAL_BYTES = 12 << 10;

  /** A journal grows as often as a real one, for its size. */
  private static final JournalGrowth GROWTH = new JournalGrowth(4 << 10, 8 << 10, 4 << 10, 8 << 10);

  /** So many that BookKeeper itself deletes no journal that the older of two checkpoints needs. */
  private static final int BACKUPS = 6;

  /** A place in the journals. */
  record Mark(long id, long position) {}

  /** What waits for the force-write thread. */
  private static final class Request {
    final FileChannel channel;
    final Mark end;
    final List<Long> entries;
    boolean shouldClose;
    boolean flushed;

    Request(FileChannel channel, Mark end, List<Long> entries, boolean shouldClose) {
      this.channel = channel;
      this.end = end;
      this.entries = entries;
      this.shouldClose = shouldClose;
    }
  }

  final Path journals;
  final Path ledgers;
  private final ServerConfiguration configuration;
  private final JournalDirectory directory;
  private final List<FileChannel> channels = new ArrayList<>();
  private final Deque<Request> waiting = new ArrayDeque<>();

  /** Told to clients; any thread asks. */
  final Set<Long> acknowledged;

  /** Safe in the ledger storage, whatever becomes of the journal. */
  final Set<Long> flushed;

  private FileChannel logFile;
  private FileChannel last;
  private long id;
  private long position;
  private long preallocated;
  private long next;
  private Mark mark;
  private final List<Long> marked = new ArrayList<>();
  private boolean forceFailed;
  boolean journalEnded;
  boolean forceEnded;

  /**
   * A bookie that starts.
   *
   * @param from where the replay ended
   * @param next the first entry to be added
   */
  ScriptedBookie(
      Path journals,
      Path ledgers,
      boolean reuse,
      Mark from,
      long next,
      Set<Long> acknowledged,
      Set<Long> flushed)
      throws IOException {
    this.journals = journals;
    this.ledgers = ledgers;
    this.acknowledged = acknowledged;
    this.flushed = flushed;
    this.next = next;
    configuration = new ServerConfiguration();
    configuration.setJournalDirName("/simulated");
    configuration.setMaxJournalSizeMB(0); // a spare is looked for at every write
    configuration.setMaxBackupJournals(BACKUPS);
    configuration.setJournalReuseFiles(reuse);
    mark = from;
    id = from.id();
    for (long each : journalIds()) {
      id = Math.max(id, each);
    }
    directory =
        JournalDirectory.of(
            journals, new LastMark(List.of(ledgers.resolve("lastMark"))), GROWTH, configuration);
  }

  /** A new bookie on empty devices. */
  static ScriptedBookie begin(SimulatedDisks disks, JournalPlace place, boolean reuse)
      throws IOException {
    return new ScriptedBookie(
        place.device(disks),
        disks.device("ledgers", false),
        reuse,
        new Mark(0, 0),
        0,
        ConcurrentHashMap.newKeySet(),
        ConcurrentHashMap.newKeySet());
  }

  /** The entry's bytes follow from its number. */
  static byte[] entry(long number) {
    byte[] bytes = new byte[16 + (int) (number * 389 % 1500)];
    for (int i = 16; i < bytes.length; i++) {
      bytes[i] = (byte) (number * 31 + i);
    }
    ByteBuffer.wrap(bytes).putLong(LEDGER).putLong(number);
    return bytes;
  }

  long next() {
    return next;
  }

  JournalDirectory directory() {
    return directory;
  }

  /**
   * The journal thread writes a group of so many entries, and begins a new file before if due.
   * Without any it flushes an empty buffer, as for a client's {@code force} of a ledger.
   */
  void group(int entries) throws IOException {
    try {
      if (logFile == null) {
        roll();
      }
      List<Long> written = new ArrayList<>();
      ByteBuffer group = ByteBuffer.allocate(entries * 2000 + 2 * ALIGNMENT_BYTES);
      for (int i = 0; i < entries; i++, next++) {
        byte[] entry = entry(next);
        group.putInt(entry.length).put(entry);
        written.add(next);
      }
      pad(group);
      write(group.flip());
      boolean full = position > JOURNAL_BYTES;
      waiting.add(new Request(logFile, new Mark(id, position), written, full));
      logFile = full ? null : logFile;
    } catch (IOException e) {
      endJournal();
      throw e;
    } catch (RuntimeException | Error e) {
      journalEnded = true; // an uncaught error: the process exits
      throw e;
    }
  }

  private void pad(ByteBuffer group) {
    int over = (int) ((position + group.position()) % ALIGNMENT_BYTES);
    if (over != 0) {
      int bytes = ALIGNMENT_BYTES - over;
      bytes += bytes < 8 ? ALIGNMENT_BYTES - 8 : -8;
      group.putInt(PADDING).putInt(bytes).position(group.position() + bytes);
    }
  }

  private void write(ByteBuffer group) throws IOException {
    if (position + group.remaining() > preallocated) {
      preallocated += PREALLOCATED_BYTES;
      logFile.write(ByteBuffer.allocate(ALIGNMENT_BYTES), preallocated - ALIGNMENT_BYTES);
    }
    do {
      int part = Math.min(BUFFER_BYTES, group.remaining());
      ByteBuffer buffer = ByteBuffer.allocateDirect(part);
      logFile.write(buffer.put(group.slice().limit(part)).flip());
      group.position(group.position() + part);
      position += part;
    } while (group.hasRemaining());
  }

  private void roll() throws IOException {
    id++;
    Path file = journals.resolve(Long.toHexString(id) + ".txn");
    List<Long> ids = journalIds();
    boolean reuses = directory.spareReady() && ids.size() >= BACKUPS && ids.get(0) < mark.id();
    if (reuses && directory.spareReady()) {
      Path old = journals.resolve(Long.toHexString(ids.get(0)) + ".txn");
      Files.move(old, file);
      directory.spareTaken(old, file);
      directory.refuseUnwritable();
    } else {
      directory.refuseUnwritable();
      Files.createFile(file);
    }
    FileChannel channel = directory.writing(file, configuration);
    channels.add(channel);
    ByteBuffer header = ByteBuffer.allocate(HEADER_BYTES);
    channel.write(header.put("BKLG".getBytes()).putInt(6).clear());
    force(channel, true);
    preallocated = PREALLOCATED_BYTES;
    channel.write(ByteBuffer.allocate(ALIGNMENT_BYTES), preallocated - ALIGNMENT_BYTES);
    position = HEADER_BYTES;
    logFile = channel;
    last = channel;
  }

  private List<Long> journalIds() throws IOException {
    List<Long> ids = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(journals)) {
      for (Path file : files) {
        String name = file.getFileName().toString();
        if (name.endsWith(".txn")) {
          ids.add(Long.parseLong(name.substring(0, name.length() - 4), 16));
        }
      }
    }
    ids.sort(null);
    return ids;
  }

  /** A force after one that failed is a defect, whatever it returns for. */
  private void force(FileChannel channel, boolean metadata) throws IOException {
    boolean open = channel.isOpen();
    try {
      channel.force(metadata);
    } catch (IOException | RuntimeException | Error e) {
      forceFailed |= open;
      throw e;
    }
    if (forceFailed) {
      throw new AssertionError("a force succeeded after one that failed");
    }
  }

  /** The force-write thread takes all that waits. */
  void forceAll() throws IOException {
    if (waiting.isEmpty()) {
      return;
    }
    List<Request> batch = new ArrayList<>(waiting);
    waiting.clear();
    try {
      Request end = batch.get(batch.size() - 1);
      flush(end);
      mark = end.end;
      for (Request request : batch) {
        closeIfNecessary(request);
        acknowledged.addAll(request.entries);
        marked.addAll(request.entries);
      }
    } catch (IOException | RuntimeException | Error e) {
      forceEnded = true;
      throw e;
    }
  }

  private void flush(Request request) throws IOException {
    if (!request.flushed) {
      force(request.channel, false);
      request.flushed = true;
    }
  }

  /** BookKeeper logs this failure, and goes on to acknowledge. */
  private void closeIfNecessary(Request request) {
    if (request.shouldClose) {
      try {
        flush(request);
        request.channel.close();
        request.shouldClose = false;
      } catch (IOException logged) {
        return;
      }
    }
  }

  /** What is needed to end it later. */
  record Checkpoint(Mark mark, List<Long> entries) {}

  /** What a checkpoint begins with. */
  Checkpoint newCheckpoint() {
    return new Checkpoint(mark, List.copyOf(marked));
  }

  /** The ledgers are flushed so far, the mark is written, journals that aren't needed go. */
  void complete(Checkpoint checkpoint) throws IOException {
    flushed.addAll(checkpoint.entries());
    Path file = ledgers.resolve("lastMark");
    try (FileChannel channel =
        FileChannel.open(
            file,
            StandardOpenOption.WRITE,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING)) {
      ByteBuffer bytes = ByteBuffer.allocate(16).putLong(checkpoint.mark().id());
      channel.write(bytes.putLong(checkpoint.mark().position()).flip());
      channel.force(true);
    }
    try (FileChannel names = FileChannel.open(ledgers, StandardOpenOption.READ)) {
      names.force(true);
    }
    List<Long> old = journalIds().stream().filter(each -> each < checkpoint.mark().id()).toList();
    for (int i = 0; i < old.size() - BACKUPS; i++) {
      Files.delete(journals.resolve(Long.toHexString(old.get(i)) + ".txn"));
    }
  }

  /** After an error, and at the end: only the last file is closed. */
  void endJournal() {
    journalEnded = true;
    try {
      if (last != null) {
        last.close();
      }
    } catch (IOException logged) {
      return;
    }
  }

  /** Bookie.shutdown closes the provider first. */
  void closeProvider() {
    directory.close();
  }

  /** Does the directory refuse everything, since a force failed? */
  boolean refusing() {
    try {
      directory.forces().refuseAfterFailure();
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  /** What a directory must do that failed: nothing, and say why. */
  void assertRefusing() {
    if (!forceFailed) {
      return;
    }
    for (FileChannel channel : channels) {
      if (channel.isOpen()) {
        refused(() -> channel.force(false));
        refused(() -> channel.write(ByteBuffer.allocateDirect(ALIGNMENT_BYTES).putInt(0, 508)));
      }
    }
  }

  private interface Call {
    void run() throws IOException;
  }

  private static void refused(Call call) {
    try {
      call.run();
    } catch (IOException e) {
      if (e.getMessage().contains("HP0712") || e.getMessage().contains("HP0705")) {
        return; // HP0705: an earlier write to the same file failed
      }
      throw new AssertionError("refused without the reason: " + e, e);
    }
    throw new AssertionError("not refused after a force that failed");
  }

  /** Frees what the process's end frees. */
  void kill() {
    directory.close();
    for (FileChannel channel : channels) {
      try {
        channel.close();
      } catch (IOException | RuntimeException | Error killed) {
        continue;
      }
    }
  }
}
