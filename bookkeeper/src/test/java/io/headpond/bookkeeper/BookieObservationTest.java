// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Set;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.bookkeeper.bookie.BookieFileChannel;
import org.apache.bookkeeper.bookie.FileChannelProvider;
import org.apache.bookkeeper.conf.ServerConfiguration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What JMX shows of a journal that is written to, and when it does. */
class BookieObservationTest {
  private static final int GROUP_BYTES = 4096;

  private final MBeanServer beans = ManagementFactory.getPlatformMBeanServer();

  @TempDir Path folder;
  private BookieDirectories bookie;
  private ServerConfiguration configuration;

  @BeforeEach
  void directories() throws IOException {
    bookie = new BookieDirectories(folder);
    configuration = bookie.configuration(BookieDirectories.OURS);
  }

  /** A journal with its header. */
  private FileChannel create(FileChannelProvider provider) throws IOException {
    File file = bookie.journalFile(0x20).toFile();
    BookieFileChannel opened = provider.open(file, configuration);
    assertThat(file.createNewFile()).isTrue();
    FileChannel channel = opened.getFileChannel();
    channel.write(ByteBuffer.allocate(512));
    return channel;
  }

  private static void append(FileChannel channel, int groups) throws IOException {
    ByteBuffer group = ByteBuffer.allocateDirect(GROUP_BYTES).putInt(0, GROUP_BYTES - 4);
    for (int i = 0; i < groups; i++) {
      channel.write(group.rewind());
    }
  }

  private Set<ObjectName> names() throws Exception {
    return beans.queryNames(new ObjectName("io.headpond:*"), null);
  }

  private ObjectName journal() throws Exception {
    return new ObjectName("io.headpond:type=Journal,journal=" + bookie.journals.getParent());
  }

  private double value(String attribute) throws Exception {
    return (double) beans.getAttribute(journal(), attribute);
  }

  @Test
  void aJournalIsShownFromItsFirstFileUntilItsProviderIsClosed() throws Exception {
    FileChannelProvider provider = new PmemJournalChannelProvider();
    try (FileChannel channel = create(provider)) {
      Await.until(() -> beans.isRegistered(journal())); // times are of what comes after it
      append(channel, 100);
      channel.force(false);
      Await.until(() -> value("writes-total") == 101);
      assertThat(value("bytes-total")).isEqualTo(512 + 100 * GROUP_BYTES);
      assertThat(value("files-total")).isEqualTo(1);
      assertThat(value("reused-files-total")).isZero();
      assertThat(value("failures-total")).isZero();
      assertThat(value("time-ms-p99")).isPositive();
      assertThat(value("force-time-ms-max")).isPositive();
      assertThat(beans.getAttribute(journal(), "durability")).isNotEqualTo("");
    }
    provider.close();
    assertThat(names()).isEmpty();
  }

  @Test
  void whoOnlyReadsShowsNothing() throws Exception {
    try (FileChannelProvider writer = new PmemJournalChannelProvider();
        FileChannel channel = create(writer)) {
      append(channel, 1);
    }
    try (FileChannelProvider reader = new PmemJournalChannelProvider();
        FileChannel channel =
            reader.open(bookie.journalFile(0x20).toFile(), configuration).getFileChannel()) {
      assertThat(channel.read(ByteBuffer.allocate(512))).isEqualTo(512);
      assertThat(names()).isEmpty();
    }
  }

  @Test
  void countingAnAppendAllocatesNothing() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    JournalCounters counters = new JournalCounters();
    count(counters, 20_000); // compiled, and with all its adders made
    long before = threads.getCurrentThreadAllocatedBytes();
    count(counters, 100_000);
    assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(10_000);
  }

  private static void count(JournalCounters counters, int appends) {
    for (int i = 0; i < appends; i++) {
      counters.appended(GROUP_BYTES, i);
    }
  }
}
