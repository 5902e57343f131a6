// SPDX-License-Identifier: Apache-2.0
package io.headpond.nio;

import io.headpond.pmem.Uninterrupted;
import io.headpond.store.segment.ForwardingChannel;
import java.io.IOException;
import java.nio.channels.FileChannel;

/** A channel that no interrupt closes, for the streams of {@link java.nio.file.Files}. */
final class UninterruptedChannel extends ForwardingChannel {
  static final String THREAD = "headpond-stream";

  private UninterruptedChannel(final FileChannel file) {
    super(file);
  }

  /** Its result's type keeps a missing jar from ending the JVM before that is reported. */
  static FileChannel of(final FileChannel file) {
    return new UninterruptedChannel(file);
  }

  @Override
  protected <T> T run(final Operation<T> operation) throws IOException {
    return Uninterrupted.call(THREAD, () -> operation.run(file));
  }
}
