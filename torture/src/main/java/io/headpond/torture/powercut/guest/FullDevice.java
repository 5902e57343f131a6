// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut.guest;

import io.headpond.pmem.Device;
import io.headpond.store.TieredStore;
import io.headpond.store.config.StoreConfig;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;

/**
 * In the guest: a DAX device that is really full in the middle of a segment, although the
 * configured capacity says there is room. The segment has to go on at home, with no fault.
 *
 * <p>Arguments: log directory, configuration file, tier directory, the report's port. Says {@code
 * WHY} the device is called what it is called, and {@code FULL moved whole N B} when all is well.
 */
public final class FullDevice {
  private static final int LEFT_BYTES = 400_000;
  private static final int SEGMENT_BYTES = 1_200_000;

  private FullDevice() {}

  public static void main(String[] args) throws Exception {
    Path home = Path.of(args[0]);
    Path filler = Path.of(args[2]).resolveSibling("filler");
    Path partition = Files.createDirectories(home.resolve("full-0"));
    Path name = CutSegment.name(partition, 0);
    long bytes = 0;
    try (Report report = new Report(args[3]);
        TieredStore store = new TieredStore(StoreConfig.load(Path.of(args[1])))) {
      report.device(Path.of(args[2]));
      report.say("WHY", Device.detect(Path.of(args[2])).explanation());
      store.claim();
      try (FileChannel channel =
          store.open(
              name,
              Set.of(
                  StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE))) {
        channel.write(ByteBuffer.wrap(CutRecord.of(1, 0, 0)));
        boolean began = Files.isSymbolicLink(name);
        fill(filler);
        long offset = 1;
        while (channel.size() < SEGMENT_BYTES) {
          ByteBuffer record = ByteBuffer.wrap(CutRecord.of(1, 0, offset++));
          while (record.hasRemaining()) {
            channel.write(record);
          }
        }
        bytes = channel.size();
        boolean moved = began && !Files.isSymbolicLink(name);
        CutSegment read = CutSegment.read(name, 0);
        boolean whole = read.nextOffset() == offset && read.endBytes() == bytes;
        report.say("FULL", moved ? "moved" : "stayed", whole ? "whole" : "damaged", bytes, "B");
      } finally {
        Files.deleteIfExists(filler);
      }
      store.delete(name);
      store.delete(partition);
    }
  }

  private static void fill(Path filler) throws IOException {
    try (FileChannel channel =
        FileChannel.open(filler, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      ByteBuffer zeros = ByteBuffer.allocate(1 << 20);
      while (Files.getFileStore(filler).getUsableSpace() > LEFT_BYTES) {
        long room = Files.getFileStore(filler).getUsableSpace() - LEFT_BYTES;
        channel.write(zeros.clear().limit((int) Math.min(zeros.capacity(), room)));
      }
      channel.force(true);
    }
  }
}
