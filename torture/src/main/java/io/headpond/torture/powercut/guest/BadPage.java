// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut.guest;

import io.headpond.store.TieredStore;
import io.headpond.store.config.StoreConfig;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * In the guest: a page of persistent memory goes bad below a segment that is being appended to, as
 * the kernel has it after a machine check: the page is unmapped everywhere, its blocks are marked
 * bad, and whoever touches it again gets SIGBUS, or EIO from a system call.
 *
 * <p>Arguments: log directory, configuration file, the report's port, and {@code read}: a page that
 * holds acknowledged records; {@code append}: the next page that is written to; {@code end}: the
 * page that both is true of; {@code check}: what a new process finds in the segment. Says what a
 * reader gets ({@code READ}), and what an append does ({@code APPEND}).
 */
public final class BadPage {
  private static final int PAGE_BYTES = 4096;
  private static final int PAGEMAP_ENTRY_BYTES = 8;
  private static final long PAGEMAP_FRAME = (1L << 55) - 1;
  private static final int SECTOR_BYTES = 512;
  private static final int SEGMENT_BYTES = 100_000;
  private static final long SEED = 1;
  private static final long RECORDS_AFTER = 200;
  private static final String POISON = "/sys/kernel/debug/hwpoison/corrupt-pfn";
  private static final Set<StandardOpenOption> OPEN =
      Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);

  private final Report report;
  private final FileChannel channel;
  private final Path name;

  /** Holds how many bytes were acknowledged. */
  private final Path acknowledged;

  private long nextOffset;

  private BadPage(Report report, FileChannel channel, Path name) {
    this.acknowledged = name.resolveSibling("acknowledged");
    this.report = report;
    this.channel = channel;
    this.name = name;
  }

  public static void main(String[] args) throws Exception {
    Path partition = Files.createDirectories(Path.of(args[0]).resolve("bad-0"));
    Path name = CutSegment.name(partition, 0);
    try (Report report = new Report(args[2]);
        TieredStore store = new TieredStore(StoreConfig.load(Path.of(args[1])))) {
      store.claim();
      try (FileChannel channel = store.open(name, OPEN)) {
        BadPage page = new BadPage(report, channel, name);
        if (args[3].equals("check")) {
          page.read();
        } else {
          page.fill();
          report.say("FILLED", channel.size(), "B", page.nextOffset, "records");
          page.poison(page.chosen(args[3]));
          if (args[3].equals("read")) {
            page.read();
          }
          page.append();
          page.read();
        }
      }
    }
  }

  /** The position of the page that goes bad. */
  private long chosen(String which) throws IOException {
    long last = channel.size() / PAGE_BYTES * PAGE_BYTES;
    return switch (which) {
      case "read" -> 2 * PAGE_BYTES;
      case "append" -> last + PAGE_BYTES;
      case "end" -> last;
      default -> throw new IllegalArgumentException(which);
    };
  }

  private void fill() throws IOException {
    while (channel.size() < SEGMENT_BYTES) {
      write();
    }
  }

  private void write() throws IOException {
    ByteBuffer record = ByteBuffer.wrap(CutRecord.of(SEED, 0, nextOffset));
    while (record.hasRemaining()) {
      channel.write(record);
    }
    nextOffset++;
    Files.writeString(acknowledged, Long.toString(channel.size()));
  }

  /** As the kernel's own handling of a machine check leaves it; by another process. */
  private void poison(long at) throws IOException, InterruptedException {
    Path file = Files.readSymbolicLink(name);
    long frame = frame(file, at);
    long device = number(Path.of("/sys/block/pmem0/device/resource"));
    long sector = (frame * PAGE_BYTES - device) / SECTOR_BYTES;
    shell("echo " + sector + " " + PAGE_BYTES / SECTOR_BYTES + " > /sys/block/pmem0/badblocks");
    shell("echo " + frame + " > " + POISON);
    report.say("POISONED", file, "at", at, "B:", "frame", frame, "sector", sector);
  }

  private static long number(Path file) throws IOException {
    return Long.decode(Files.readString(file).strip());
  }

  private static void shell(String command) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder("/bin/sh", "-c", command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException(command + ": " + output);
    }
  }

  /** The page frame that a byte of a file lies in, by a mapping of its own. */
  private static long frame(Path file, long at) throws IOException {
    try (FileChannel own = FileChannel.open(file, StandardOpenOption.READ)) {
      MappedByteBuffer page = own.map(FileChannel.MapMode.READ_ONLY, at, PAGE_BYTES);
      page.get(0);
      for (String line : Files.readAllLines(Path.of("/proc/self/maps"))) {
        List<String> words = Arrays.asList(line.split(" +"));
        if (words.size() == 6
            && words.get(5).equals(file.toString())
            && words.get(1).startsWith("r--")
            && Long.parseLong(words.get(2), 16) == at) {
          return frame(Long.parseLong(words.get(0).split("-")[0], 16));
        }
      }
    }
    throw new IOException(file + " isn't in /proc/self/maps at " + at + " B");
  }

  private static long frame(long address) throws IOException {
    byte[] entry = new byte[PAGEMAP_ENTRY_BYTES];
    try (RandomAccessFile pagemap = new RandomAccessFile("/proc/self/pagemap", "r")) {
      pagemap.seek(address / PAGE_BYTES * PAGEMAP_ENTRY_BYTES);
      pagemap.readFully(entry);
    }
    return ByteBuffer.wrap(entry).order(ByteOrder.LITTLE_ENDIAN).getLong() & PAGEMAP_FRAME;
  }

  /** Page by page: what can be read must be what was written. */
  private void read() throws IOException {
    byte[] expected = new byte[0];
    long size = number(acknowledged);
    for (long offset = 0; expected.length < size; offset++) {
      byte[] record = CutRecord.of(SEED, 0, offset);
      byte[] longer = Arrays.copyOf(expected, expected.length + record.length);
      System.arraycopy(record, 0, longer, expected.length, record.length);
      expected = longer;
    }
    int bad = 0;
    long good = 0;
    String said = "-";
    for (long at = 0; at < size; at += PAGE_BYTES) {
      int bytes = (int) Math.min(PAGE_BYTES, size - at);
      ByteBuffer page = ByteBuffer.allocate(bytes);
      try {
        while (page.hasRemaining() && channel.read(page, at + page.position()) > 0) {}
      } catch (IOException e) {
        bad++;
        said = e.getMessage();
        continue;
      }
      if (!Arrays.equals(page.array(), Arrays.copyOfRange(expected, (int) at, (int) at + bytes))) {
        report.say("FAILED: other bytes at", at, "B of", name);
      }
      good += bytes;
    }
    report.say("READ", good, "B of", size, "B,", bad, "pages not:", said);
  }

  /** Goes on until it can't, as an engine would not. */
  private void append() throws IOException {
    long before = nextOffset;
    String said = "-";
    try {
      while (nextOffset < before + RECORDS_AFTER) {
        write();
      }
    } catch (IOException e) {
      said = e.getMessage();
    }
    String where = Files.isSymbolicLink(name) ? "tier" : "home";
    report.say(
        "APPEND", nextOffset - before, "records, at", where + ",", channel.size(), "B:", said);
  }
}
