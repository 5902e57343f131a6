// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.bookkeeper.journal;

import java.io.File;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.bookkeeper.bookie.BookieFileChannel;
import org.apache.bookkeeper.bookie.FileChannelProvider;
import org.apache.bookkeeper.conf.ServerConfiguration;

/**
 * A provider behind another: hands every call on, and counts the files that are reused. There is
 * one journal in a process here.
 */
public final class CountedReuse implements FileChannelProvider {
  private static final AtomicLong REUSED = new AtomicLong();
  private static volatile String providerClass;

  private final FileChannelProvider provider;

  /** As BookKeeper calls it. */
  public CountedReuse() throws IOException {
    provider = FileChannelProvider.newProvider(providerClass);
  }

  /** The class that is handed on to. */
  static void provider(String className) {
    providerClass = className;
  }

  static long count() {
    return REUSED.get();
  }

  @Override
  public BookieFileChannel open(File file, ServerConfiguration configuration) throws IOException {
    return provider.open(file, configuration);
  }

  @Override
  public void close(BookieFileChannel channel) throws IOException {
    provider.close(channel);
  }

  @Override
  public boolean supportReuseFile() {
    return provider.supportReuseFile();
  }

  @Override
  public void notifyRename(File source, File target) {
    REUSED.incrementAndGet();
    provider.notifyRename(source, target);
  }

  @Override
  public void close() throws IOException {
    provider.close();
  }
}
