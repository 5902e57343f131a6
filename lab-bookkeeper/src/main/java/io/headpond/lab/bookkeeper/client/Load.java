// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.bookkeeper.client;

import io.headpond.harness.bookkeeper.LedgerLoadSettings;
import io.headpond.harness.bookkeeper.LedgerQuorum;
import io.headpond.harness.load.AckGap;
import io.headpond.harness.load.ContentReport;
import io.headpond.harness.load.Pace;
import io.headpond.harness.load.Payload;
import io.headpond.harness.load.SendingOrder;
import io.headpond.harness.load.SentFigures;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Recorder;
import org.apache.bookkeeper.client.api.BKException;
import org.apache.bookkeeper.client.api.BookKeeper;
import org.apache.bookkeeper.client.api.DigestType;
import org.apache.bookkeeper.client.api.LedgerMetadata;
import org.apache.bookkeeper.client.api.WriteHandle;
import org.apache.bookkeeper.conf.ClientConfiguration;
import org.apache.bookkeeper.net.BookieId;

/** One client and its writers. {@link #start} to {@link #verify} are for one thread. */
final class Load implements AutoCloseable {

  static final DigestType DIGEST = DigestType.CRC32C;
  static final byte[] PASSWORD = "headpond".getBytes(StandardCharsets.US_ASCII);

  private static final long LATENCY_MAX_NANOS = 600_000_000_000L;
  private static final int CREATE_SECONDS = 30;
  private static final long IDS_UNKNOWN = 1_000_000;

  private final Payload payload;
  private LedgerLoadSettings settings;
  private byte[][] prepared;
  private final BookKeeper client;
  private final List<WrittenLedger> ledgers = new CopyOnWriteArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private final AtomicLong nextId = new AtomicLong();
  private final LongAdder acknowledged = new LongAdder();
  private final LongAdder bytes = new LongAdder();
  private final LongAdder failures = new LongAdder();
  private final Recorder latency = new Recorder(LATENCY_MAX_NANOS, 3);
  private volatile String lastError = "";
  private Pace pace;
  private long startedNanos;
  private volatile AckGap gap = new AckGap(System.nanoTime());
  private volatile boolean running;

  Load(LedgerLoadSettings settings) throws IOException, InterruptedException {
    this.settings = settings;
    this.pace = settings.pace();
    this.payload =
        new Payload(settings.seed(), settings.entryBytes(), settings.varied(), Long.MAX_VALUE);
    this.prepared = settings.prepared() ? payload.prepared() : new byte[0][];
    ClientConfiguration configuration = new ClientConfiguration();
    configuration.setMetadataServiceUri(settings.metadataUri());
    configuration.setZkTimeout(10_000);
    // The default lets 5000 adds a second through.
    configuration.setThrottleValue(0);
    configuration.setClientConnectTimeoutMillis(2_000);
    configuration.setDelayEnsembleChange(settings.quorum().goesOn());
    try {
      this.client = BookKeeper.newBuilder(configuration).build();
    } catch (BKException e) {
      throw new IOException("no BookKeeper client for " + settings.metadataUri(), e);
    }
  }

  /**
   * Other entries, writers and times from the next start on, of a load that makes entries before.
   */
  void change(SendingOrder order) {
    if (!threads.isEmpty() || prepared.length == 0) {
      throw new IllegalStateException("only a stopped load of prepared entries can be changed");
    }
    settings =
        settings
            .entries(order.messageBytes(), false, true)
            .writers(order.senders(), order.window());
    pace = order.pace();
    prepared = new Payload(settings.seed(), order.messageBytes(), false, Long.MAX_VALUE).prepared();
  }

  /** Deletes what was written. */
  void forget() throws IOException, InterruptedException {
    if (!threads.isEmpty()) {
      throw new IllegalStateException("the load still runs");
    }
    for (WrittenLedger ledger : ledgers) {
      delete(ledger);
    }
    ledgers.clear();
  }

  /**
   * Deletes half of the ledgers, closed ones and others, and doesn't look for them any more.
   *
   * @param file what is left is kept in it, as by {@link #save}, before anything is deleted
   * @return entries that were acknowledged in those
   */
  long thin(Path file) throws IOException, InterruptedException {
    List<WrittenLedger> half = new ArrayList<>();
    for (int i = 0; i < ledgers.size(); i++) {
      if ((i + 1) / 2 % 2 == 1) {
        half.add(ledgers.get(i));
      }
    }
    ledgers.removeAll(half);
    save(file);
    long entries = 0;
    for (WrittenLedger ledger : half) {
      delete(ledger);
      entries += ledger.ids().length;
    }
    return entries;
  }

  private void delete(WrittenLedger ledger) throws IOException, InterruptedException {
    try {
      client
          .newDeleteLedgerOp()
          .withLedgerId(ledger.ledgerId())
          .execute()
          .get(CREATE_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new IOException("ledger " + ledger.ledgerId() + " can't be deleted", e);
    }
  }

  /** The pace of a writer's adds; at full speed they are due whenever there is room. */
  Pace pace() {
    return pace;
  }

  /** The time when the writers were started, by {@link System#nanoTime}. */
  long startedNanos() {
    return startedNanos;
  }

  LedgerLoadSettings settings() {
    return settings;
  }

  boolean running() {
    return running;
  }

  void start() {
    if (!threads.isEmpty()) {
      throw new IllegalStateException("the load runs already");
    }
    running = true;
    startedNanos = System.nanoTime();
    gap = new AckGap(startedNanos);
    for (int i = 0; i < settings.writers(); i++) {
      Thread thread = new Thread(new LedgerWriter(this, i), "writer-" + i);
      thread.setDaemon(true);
      thread.start();
      threads.add(thread);
    }
  }

  void stop() throws InterruptedException {
    running = false;
    for (Thread thread : threads) {
      thread.join();
    }
    threads.clear();
  }

  SentFigures figures() {
    return new SentFigures(
        acknowledged.sum(), bytes.sum(), failures.sum(), latency.getIntervalHistogram(), lastError);
  }

  /** The longest time without any acknowledgement since the last call, nanoseconds. */
  long gapNanos() {
    return gap.take(System.nanoTime());
  }

  /** The bookies that the latest ledger is written to now. */
  List<String> ensemble() throws IOException, InterruptedException {
    if (ledgers.isEmpty()) {
      throw new IOException("no ledger was begun");
    }
    long ledgerId = ledgers.get(ledgers.size() - 1).ledgerId();
    try {
      LedgerMetadata metadata =
          client.getLedgerMetadata(ledgerId).get(CREATE_SECONDS, TimeUnit.SECONDS);
      return metadata.getAllEnsembles().lastEntry().getValue().stream()
          .map(BookieId::toString)
          .toList();
    } catch (ExecutionException | TimeoutException e) {
      throw new IOException("the ensemble of ledger " + ledgerId + " isn't known", e);
    }
  }

  /** True if so many bookies, each of them, take an entry of a new ledger. */
  boolean allAnswer(int bookies) throws InterruptedException {
    try {
      WriteHandle probe = create(new LedgerQuorum(bookies, bookies, bookies, false));
      try {
        probe.appendAsync(PASSWORD).get(CREATE_SECONDS, TimeUnit.SECONDS);
        return true;
      } finally {
        client.newDeleteLedgerOp().withLedgerId(probe.getId()).execute();
      }
    } catch (ExecutionException | TimeoutException e) {
      return false; // too few are registered, or one can't be reached yet
    }
  }

  ContentReport verify() throws InterruptedException {
    requireStopped();
    return new LedgerCheck(client, payload).check(ledgers, settings.entryBytes());
  }

  /** Reads every copy of what {@link #verify} has found, from each bookie that should have it. */
  ContentReport verifyReplicas() throws InterruptedException {
    requireStopped();
    return new ReplicaCheck((org.apache.bookkeeper.client.BookKeeper) client, payload)
        .check(ledgers);
  }

  /** And that each entry tells which one it is. */
  private void requireStopped() {
    requireDistinct();
    if (!threads.isEmpty()) {
      throw new IllegalStateException("the load still runs");
    }
  }

  private void requireDistinct() {
    if (settings.prepared()) {
      throw new IllegalStateException("its entries were prepared, so that they repeat");
    }
  }

  /** Keeps what was acknowledged so far: the next id, then a line for each ledger with its ids. */
  void save(Path file) throws IOException {
    requireDistinct();
    try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(file))) {
      out.println(nextId.get());
      for (WrittenLedger ledger : ledgers) {
        out.print(ledger.ledgerId());
        for (long id : ledger.ids()) {
          out.print(" " + id);
        }
        out.println();
      }
    }
  }

  /** Takes up what {@link #save} kept. The file says at once that more ids are in use. */
  void load(Path file) throws IOException {
    List<String> lines = Files.readAllLines(file);
    // Adds since the last save aren't known, and must not be sent again.
    nextId.set(Long.parseLong(lines.get(0)) + IDS_UNKNOWN);
    for (String line : lines.subList(1, lines.size())) {
      String[] words = line.split(" ");
      WrittenLedger ledger = begun(Long.parseLong(words[0])).ledger();
      for (int entry = 0; entry < words.length - 1; entry++) {
        long id = Long.parseLong(words[entry + 1]);
        ledger.acknowledged(entry, id);
        acknowledged.increment();
        bytes.add(content(id).length);
      }
    }
    save(file);
  }

  /** A new ledger, or an error that is worth another try. */
  WriteHandle create() throws ExecutionException, TimeoutException, InterruptedException {
    return create(settings.quorum());
  }

  private WriteHandle create(LedgerQuorum quorum)
      throws ExecutionException, TimeoutException, InterruptedException {
    return client
        .newCreateLedgerOp()
        .withEnsembleSize(quorum.ensemble())
        .withWriteQuorumSize(quorum.written())
        .withAckQuorumSize(quorum.answered())
        .withDigestType(DIGEST)
        .withPassword(PASSWORD)
        .execute()
        .get(CREATE_SECONDS, TimeUnit.SECONDS);
  }

  /** Notes a new ledger. */
  synchronized Begun begun(long ledgerId) {
    WrittenLedger ledger = new WrittenLedger(ledgerId);
    ledgers.add(ledger);
    return new Begun(ledger, ledgers.size() - 1);
  }

  /**
   * A ledger that was begun.
   *
   * @param number how many were before
   */
  record Begun(WrittenLedger ledger, int number) {}

  long nextId() {
    long id = nextId.getAndIncrement();
    return prepared.length == 0 ? id : id % prepared.length;
  }

  byte[] content(long id) {
    return prepared.length == 0 ? payload.value(id) : prepared[(int) id];
  }

  void acknowledged(int entryBytes, long nanos) {
    gap.acknowledged(System.nanoTime());
    latency.recordValue(Math.min(Math.max(nanos, 1), LATENCY_MAX_NANOS));
    acknowledged.increment();
    bytes.add(entryBytes);
  }

  void failed(Throwable e) {
    failures.increment();
    lastError = e.toString();
  }

  @Override
  public void close() {
    running = false;
    try {
      client.close();
    } catch (BKException e) {
      // The process ends anyway.
      lastError = e.toString();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
