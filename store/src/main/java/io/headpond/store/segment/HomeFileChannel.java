// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.segment;

import io.headpond.store.home.HomeSpace;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLockInterruptionException;

/**
 * An engine's channel on a file at home that is no segment of the store: a producer snapshot, the
 * cluster's metadata, a log that stays home. Each write first waits for room ({@link
 * HomeSpace#awaitRoom}); everything else is the file's own channel.
 */
public final class HomeFileChannel extends ForwardingChannel {
  private final HomeSpace home;

  public HomeFileChannel(final FileChannel file, final HomeSpace home) {
    super(file);
    this.home = home;
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
    home.awaitRoom();
    return run(operation);
  }
}
