// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.segment;

import io.headpond.store.home.HomeSpace;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLockInterruptionException;
import java.util.function.Supplier;

/**
 * An engine's channel on a file at home that is no segment of the store: a producer snapshot, the
 * cluster's metadata, a log that stays home. Each write first waits for room ({@link
 * HomeSpace#awaitRoom}); everything else is the file's own channel.
 */
public final class HomeFileChannel extends ForwardingChannel {
  private final Supplier<HomeSpace> lookup;

  /** Null until it is owned. */
  private volatile HomeSpace home;

  public HomeFileChannel(final FileChannel file, final HomeSpace home) {
    this(file, () -> home);
  }

  /**
   * Of a home that may be owned later.
   *
   * @param lookup null: it isn't yet
   */
  public HomeFileChannel(final FileChannel file, final Supplier<HomeSpace> lookup) {
    super(file);
    this.lookup = lookup;
  }

  /** An interrupt closes the file's own channel, and so this one. */
  @Override
  protected <T> T run(final Operation<T> operation) throws IOException {
    try {
      return operation.run(file);
    } catch (final ClosedChannelException | FileLockInterruptionException e) {
      if (!file.isOpen()) {
        close();
      }
      throw e;
    }
  }

  @Override
  protected <T> T write(final Operation<T> operation) throws IOException {
    if (home == null) {
      home = lookup.get();
    }
    final HomeSpace owned = home;
    if (owned != null) {
      owned.awaitRoom();
    }
    return run(operation);
  }
}
