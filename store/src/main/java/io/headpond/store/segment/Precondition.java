// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.segment;

import io.headpond.pmem.DeviceFaultException;
import io.headpond.store.layout.ForceFailedException;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * The condition for a segment's bytes to count as durable: its name, and the segments before it in
 * its log, are durable. A segment gets a new one each time that its name comes to lead to another
 * file.
 *
 * <p>Design note: a log is as long as its first gap, because a recovery deletes every segment after
 * a short one. A tier that keeps every append may hold the successor of a segment that lies in the
 * page cache of a slower one, so the predecessor is forced before the successor's first append is
 * acknowledged. Any thread.
 */
public final class Precondition implements SegmentDurability.Condition {
  private final SegmentHost host;
  private final Segment segment;

  /** The name is durable; null: its force hasn't begun. Guarded by this. */
  private CompletableFuture<Void> name;

  /** And so is what this process wrote to the segments before it. Guarded by this. */
  private CompletableFuture<Void> written;

  /** And so are those that were found. Guarded by this. */
  private CompletableFuture<Void> all;

  public Precondition(final SegmentHost host, final Segment segment) {
    this.host = host;
    this.segment = segment;
  }

  /** As {@link #beginEarly(Runnable)}, with nothing behind it. */
  void beginEarly() {
    beginEarly(() -> {});
  }

  @Override
  @SuppressWarnings("FutureReturnValueIgnored") // kept in a field
  public void beginEarly(final Runnable then) {
    try {
      (segment.file().promisesWrites() ? beginAll() : beginName())
          .whenComplete((done, failure) -> then.run());
    } catch (final IOException | RuntimeException | Error e) {
      // No thread, no memory: whoever waits begins it again, and is told.
      return;
    }
  }

  private synchronized CompletableFuture<Void> beginName() throws IOException {
    if (name == null) {
      name = host.forceNames(segment);
    }
    return name;
  }

  private synchronized CompletableFuture<Void> beginWritten() throws IOException {
    if (written == null) {
      written = withName(host.forceBefore(segment, false));
    }
    return written;
  }

  private synchronized CompletableFuture<Void> beginAll() throws IOException {
    if (all == null) {
      all = withName(host.forceBefore(segment, true));
    }
    return all;
  }

  /** Beside one another: where they are of one file system, one commit of its journal does both. */
  private CompletableFuture<Void> withName(final CompletableFuture<Void> before)
      throws IOException {
    return CompletableFuture.allOf(beginName(), before);
  }

  /**
   * Waits until the name is durable.
   *
   * @throws IOException if the force of its directory failed
   */
  void awaitName() throws IOException {
    await(this::beginName);
  }

  @Override
  public void awaitWritten() throws IOException {
    await(this::beginWritten);
  }

  @Override
  public void awaitAll() throws IOException {
    await(this::beginAll);
  }

  @Override
  public synchronized boolean nameDurable() {
    return name != null && name.isDone() && !name.isCompletedExceptionally();
  }

  @Override
  public void forceNameHere() throws IOException {
    host.forceNamesNow(segment);
    synchronized (this) {
      name = CompletableFuture.completedFuture(null);
    }
  }

  private interface Begin {
    CompletableFuture<Void> run() throws IOException;
  }

  private void await(final Begin begin) throws IOException {
    final CompletableFuture<Void> begun;
    try {
      begun = begin.run();
    } catch (final OutOfMemoryError e) {
      throw new IOException(segment.name() + ": no thread to make it durable with: " + e, e);
    }
    try {
      begun.join();
    } catch (final CompletionException e) {
      throw failed(e.getCause() == null ? e : e.getCause());
    }
  }

  private IOException failed(final Throwable cause) {
    if (!(cause instanceof ForceFailedException) && !(cause instanceof DeviceFaultException)) {
      forget(); // it wasn't even tried
    }
    return new IOException(
        segment.name() + ": can't count as durable: " + cause.getMessage(), cause);
  }

  private synchronized void forget() {
    name = null;
    written = null;
    all = null;
  }
}
