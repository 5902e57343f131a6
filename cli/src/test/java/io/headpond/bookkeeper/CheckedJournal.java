// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * A journal as the plug-in writes it to a disk, by its own checks of groups, which only its package
 * sees; without a bookie, which isn't on this module's class path.
 */
public final class CheckedJournal {
  private static final int SECTOR_BYTES = 512;
  private static final int PADDING = -0x100;

  /**
   * A group.
   *
   * @param start its position
   * @param end the next one's
   * @param entries number of them
   */
  public record Group(int start, int end, int entries) {}

  private final ByteBuffer file = ByteBuffer.allocate(1 << 20);
  private final GroupChecks checks = new GroupChecks();
  private final RecordTrail trail = new RecordTrail(SECTOR_BYTES);
  private final List<Group> groups = new ArrayList<>();

  /** A header alone. */
  public CheckedJournal() {
    ByteBuffer header = ByteBuffer.allocate(SECTOR_BYTES);
    header.put("BKLG".getBytes(StandardCharsets.US_ASCII)).putInt(6).clear();
    file.put(GroupChecks.stamped(header));
  }

  /**
   * Entries of any length.
   *
   * @param room has the padding room for a trailer? Else the header lists the group
   */
  public void group(int entries, boolean room, Random random) {
    int start = file.position();
    for (int i = 0; i < entries; i++) {
      byte[] entry = new byte[20 + random.nextInt(1500)];
      random.nextBytes(entry);
      file.putInt(entry.length).put(entry);
    }
    int count = entries;
    if (!room) {
      byte[] entry = new byte[2 * SECTOR_BYTES - file.position() % SECTOR_BYTES - 4];
      random.nextBytes(entry);
      file.putInt(entry.length).put(entry);
      count++;
    } else {
      int padding = 2 * SECTOR_BYTES - file.position() % SECTOR_BYTES - 8;
      file.putInt(PADDING).putInt(padding).position(file.position() + padding);
    }
    int end = file.position();
    trail.follow(file.duplicate().limit(end).position(start));
    if (trail.room() > 0) {
      put(checks.trailer(trail, start, end), end - GroupTrailer.BYTES);
    } else if (checks.headerFull()) {
      throw new IllegalStateException("too many groups that aren't forced");
    } else {
      put(checks.nextHeader(trail, start, end), (int) checks.headerAt());
    }
    trail.begin(end);
    checks.whole(end);
    groups.add(new Group(start, end, count));
  }

  private void put(ByteBuffer bytes, int at) {
    file.put(at, bytes, 0, bytes.limit());
  }

  /** All groups are durable, and later ones know it. */
  public void force() {
    checks.forced(checks.whole());
  }

  /** The groups so far. */
  public List<Group> groups() {
    return groups;
  }

  /** The file, with zeros ahead. */
  public byte[] content() {
    return Arrays.copyOf(file.array(), file.position() + 8 * SECTOR_BYTES);
  }
}
