// SPDX-License-Identifier: Apache-2.0
package io.headpond.bookkeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.bookkeeper.conf.ServerConfiguration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A journal on a disk of which a power cut keeps any sectors of what wasn't forced: a start finds
 * all that was forced, then whole groups, then nothing.
 */
class WholeGroupsTest {
  private static final int SECTOR_BYTES = 512;
  private static final int HEADER_BYTES = 512;
  private static final int PADDING = -0x100;
  private static final int FILES = 40;
  private static final int CUTS = 100;

  @TempDir Path folder;
  private final long seed = Long.getLong("headpond.test.seed", System.nanoTime());
  private final Random random = new Random(seed);
  private ServerConfiguration configuration;
  private JournalDirectory directory;
  private Path file;
  private FileChannel channel;

  private final List<byte[]> entries = new ArrayList<>();

  /** Number of entries up to the end of each group. */
  private final List<Integer> groups = new ArrayList<>();

  /** The file since the last force: the disk may have kept each sector as any of these has it. */
  private final List<byte[]> states = new ArrayList<>();

  @BeforeEach
  void aJournal() throws IOException {
    System.out.println("seed " + seed);
    BookieDirectories bookie = new BookieDirectories(folder);
    configuration = bookie.configuration(BookieDirectories.OURS);
    directory = JournalDirectory.of(bookie.journals.toFile(), configuration);
    file = bookie.journalFile(0x20);
    begin();
  }

  private void begin() throws IOException {
    Files.deleteIfExists(file);
    Files.createFile(file);
    channel = directory.writing(file, configuration);
    channel.write(ByteBuffer.allocate(HEADER_BYTES).put("BKLG".getBytes()).putInt(6).clear());
    channel.force(true);
    groups.clear();
    entries.clear();
    states.clear();
  }

  @AfterEach
  void end() throws IOException {
    directory.forces().failed(file, "the test ends");
    try {
      channel.close();
    } catch (IOException expected) {
      return;
    } finally {
      directory.close();
    }
  }

  /** Of one length in two no room is left for a trailer. */
  private void group(int contentBytes) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(contentBytes + 2 * SECTOR_BYTES);
    while (bytes.position() < contentBytes) {
      int length = Math.min(20 + random.nextInt(3000), contentBytes - bytes.position() - 4);
      if (length < 8) {
        break;
      }
      byte[] entry = new byte[length];
      if (random.nextInt(4) > 0) { // else zeros
        random.nextBytes(entry);
      }
      bytes.putInt(length).put(entry);
      entries.add(entry);
    }
    int over = bytes.position() % SECTOR_BYTES;
    if (over != 0) {
      int padding = SECTOR_BYTES - over;
      padding += padding < 8 ? SECTOR_BYTES - 8 : -8;
      bytes.putInt(PADDING).putInt(padding).position(bytes.position() + padding);
    }
    for (bytes.flip(); bytes.hasRemaining(); ) {
      int part = Math.min(bytes.remaining(), 1 + random.nextInt(4000));
      channel.write(bytes.slice().limit(part));
      bytes.position(bytes.position() + part);
      if (random.nextInt(4) == 0) {
        states.add(Files.readAllBytes(file));
      }
    }
    groups.add(entries.size());
  }

  private int anyLength() {
    int sectors = 1 + random.nextInt(8);
    return switch (random.nextInt(4)) {
      case 0 -> sectors * SECTOR_BYTES; // no padding
      case 1 -> sectors * SECTOR_BYTES - 8 - random.nextInt(GroupTrailer.BYTES); // too little
      default -> 16 + random.nextInt(sectors * SECTOR_BYTES);
    };
  }

  /** Entries that a scan finds through a channel. */
  private static List<byte[]> scan(FileChannel journal, long from) throws IOException {
    List<byte[]> found = new ArrayList<>();
    journal.position(from);
    ByteBuffer length = ByteBuffer.allocate(4);
    while (journal.read(length.clear()) == 4 && length.getInt(0) != 0) {
      boolean padding = length.getInt(0) == PADDING;
      if (padding) {
        journal.read(length.clear());
      }
      ByteBuffer record = ByteBuffer.allocate(length.getInt(0));
      journal.read(record);
      if (!padding) {
        found.add(record.array());
      }
    }
    return found;
  }

  private static List<String> named(List<byte[]> entries) {
    List<String> names = new ArrayList<>();
    for (byte[] entry : entries) {
      names.add(entry.length + " B, " + Arrays.hashCode(entry));
    }
    return names;
  }

  private List<byte[]> replayed(byte[] bytes) throws IOException {
    Path left = folder.resolve("left.txn");
    Files.write(left, bytes);
    try (FileChannel journal = JournalReadChannel.open(left);
        FileChannel theirs = FileChannel.open(left)) {
      List<byte[]> found = scan(journal, HEADER_BYTES);
      // The mark of a checkpoint without new entries, and then a start without Headpond.
      assertThat(scan(theirs, journal.position())).isEmpty();
      return found;
    }
  }

  /** Number of groups that a start finds; of the next one it may find entries that were written. */
  private int groupsFound(byte[] bytes) throws IOException {
    List<byte[]> found = replayed(bytes);
    assertThat(found.size()).isLessThanOrEqualTo(entries.size());
    for (int i = 0; i < found.size(); i++) {
      assertThat(found.get(i)).isEqualTo(entries.get(i));
    }
    int whole = 0;
    while (whole < groups.size() && groups.get(whole) <= found.size()) {
      whole++;
    }
    return whole;
  }

  private byte[] torn(byte[] forced, byte[] now) {
    byte[] torn = now.clone();
    int lostOneIn = 1 + random.nextInt(20);
    for (int at = 0; at < torn.length; at += SECTOR_BYTES) {
      if (random.nextInt(lostOneIn) == 0) {
        byte[] kept =
            states.isEmpty() || random.nextBoolean()
                ? forced
                : states.get(random.nextInt(states.size()));
        for (int i = at; i < Math.min(at + SECTOR_BYTES, torn.length); i++) {
          torn[i] = i < kept.length ? kept[i] : 0;
        }
      }
    }
    return torn;
  }

  /** A header has no room for more groups until some are forced, which it then says. */
  private boolean forcedByItself(long since) throws IOException {
    HeaderGroups.Found header = HeaderGroups.read(ByteBuffer.wrap(Files.readAllBytes(file)));
    return header.forced() > since;
  }

  @Test
  void aCutLeavesWhatWasForcedAndThenWholeGroups() throws Exception {
    int leftOut = 0;
    int byItself = 0;
    for (int i = 0; i < FILES; i++) {
      int durable = 0;
      long durableTo = HEADER_BYTES;
      byte[] forced = Files.readAllBytes(file);
      for (int round = 0; round < 5; round++) {
        for (int left = 1 + random.nextInt(round == 2 ? 60 : 6); left > 0; left--) {
          byte[] before = Files.readAllBytes(file);
          long position = channel.position();
          int statesBefore = states.size();
          group(anyLength());
          if (forcedByItself(durableTo)) {
            byItself++;
            states.subList(0, statesBefore).clear();
            forced = before;
            durable = groups.size() - 1;
            durableTo = position;
          }
        }
        byte[] now = Files.readAllBytes(file);
        assertThat(groupsFound(now)).as("after a kill").isEqualTo(groups.size());
        for (int cut = 0; cut < CUTS / 5; cut++) {
          int found = groupsFound(torn(forced, now));
          assertThat(found).as("file %d, round %d", i, round).isGreaterThanOrEqualTo(durable);
          leftOut += found < groups.size() ? 1 : 0;
        }
        channel.force(false);
        durable = groups.size();
        durableTo = channel.position();
        states.clear();
        forced = Files.readAllBytes(file);
        assertThat(groupsFound(forced)).isEqualTo(durable);
      }
      channel.close();
      begin();
    }
    System.out.printf(
        "%d of %d cuts left something out, %d headers were full%n",
        leftOut, FILES * CUTS, byItself);
    assertThat(leftOut).isPositive();
    assertThat(byItself).isPositive();
  }

  /** The device is to blame, and BookKeeper's digests find it. */
  @Test
  void damageOfWhatWasDurableIsLeftToBookKeeper() throws Exception {
    List<Long> at = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      at.add(channel.position() + 4);
      group(2000);
      channel.force(false);
    }
    byte[] whole = Files.readAllBytes(file);
    for (int i = 0; i < 18; i++) { // what the last ones hold isn't known to be durable
      byte[] changed = whole.clone();
      changed[Math.toIntExact(at.get(i)) + random.nextInt(8)] ^= 1;
      List<byte[]> found = replayed(changed);
      assertThat(found).hasSameSizeAs(entries);
      int first = i == 0 ? 0 : groups.get(i - 1);
      assertThat(found.get(first)).isNotEqualTo(entries.get(first));
    }
  }

  /** No later group knows what the last one was, and a start must not leave it out for that. */
  @Test
  void aLastGroupThatWasStoredIsNotLeftOut() throws Exception {
    for (int contentBytes : new int[] {100, 2 * SECTOR_BYTES, 5000, 500}) {
      entriesWithoutZeros(contentBytes);
      channel.force(false);
      byte[] whole = Files.readAllBytes(file);
      int begin = Math.toIntExact(channel.position()) - sectors(contentBytes) * SECTOR_BYTES;
      for (int at = begin + 4; at < begin + contentBytes; at += 1 + random.nextInt(50)) {
        byte[] changed = whole.clone();
        changed[at] ^= 1;
        assertThat(replayed(changed)).as("%d B, byte %d", contentBytes, at).hasSameSizeAs(entries);
      }
    }
  }

  private static int sectors(int contentBytes) {
    return (contentBytes + SECTOR_BYTES - 1) / SECTOR_BYTES;
  }

  /** A group of one entry. */
  private void entriesWithoutZeros(int contentBytes) throws IOException {
    byte[] entry = new byte[contentBytes - 4];
    for (int i = 0; i < entry.length; i++) {
      entry[i] = (byte) ('a' + random.nextInt(26));
    }
    ByteBuffer bytes = ByteBuffer.allocate(sectors(contentBytes) * SECTOR_BYTES);
    bytes.putInt(entry.length).put(entry);
    if (bytes.hasRemaining()) {
      bytes.putInt(PADDING).putInt(bytes.remaining() - 4);
    }
    channel.write(bytes.clear());
    entries.add(entry);
    groups.add(entries.size());
  }

  /** A write ended in a sector, which the disk kept; it lost what the next write put there. */
  @Test
  void aSectorThatWasStoredHalfLeavesItsGroupOut() throws Exception {
    entriesWithoutZeros(3000);
    channel.force(false);
    entriesWithoutZeros(5000);
    byte[] cut = Files.readAllBytes(file);
    int end = Math.toIntExact(channel.position());
    Arrays.fill(cut, end - 3 * SECTOR_BYTES - 100, end - 3 * SECTOR_BYTES, (byte) 0);
    assertThat(replayed(cut)).hasSize(1);
  }

  /** Sectors that read as zeros, or a length that leads nowhere, end BookKeeper's own scan. */
  @Test
  void whatIsDurableBehindDamageIsReplayed() throws Exception {
    List<Long> at = new ArrayList<>();
    int groupsForced = 20;
    for (int i = 0; i < groupsForced; i++) {
      at.add(channel.position());
      group(i % 5 == 4 ? SECTOR_BYTES * 3 : 2000); // one in five is known to the header alone
      if (i % 3 > 0) {
        channel.force(false);
      }
    }
    byte[] whole = Files.readAllBytes(file);
    int lost = 0;
    for (int i = 0; i < groupsForced - 4; i++) {
      byte[] changed = whole.clone();
      int begin = Math.toIntExact(at.get(i));
      int bytes = Math.toIntExact(at.get(i + 1)) - begin;
      switch (random.nextInt(3)) {
        case 0 -> ByteBuffer.wrap(changed).put(begin, new byte[SECTOR_BYTES]);
        case 1 -> ByteBuffer.wrap(changed).put(begin, new byte[bytes]);
        default -> ByteBuffer.wrap(changed).putInt(begin, random.nextInt(1 << 30) - (1 << 28));
      }
      List<String> found = named(replayed(changed));
      List<String> before = named(entries.subList(0, i == 0 ? 0 : groups.get(i - 1)));
      int next = i % 5 == 3 ? i + 1 : i; // nothing says where a group without a trailer begins
      List<String> behind = named(entries.subList(groups.get(next), entries.size()));
      assertThat(found).as("group %d", i).hasSizeGreaterThanOrEqualTo(before.size());
      assertThat(found.subList(0, before.size())).as("group %d", i).isEqualTo(before);
      assertThat(found).as("group %d", i).endsWith(behind.toArray(String[]::new));
      lost += entries.size() - found.size();
    }
    System.out.printf("%d of %d entries were lost one group at a time%n", lost, entries.size());
    assertThat(lost).isPositive();
  }

  /** BookKeeper's own scan reads no further than to the length zero. */
  @Test
  void aSectorBehindTheEndThatCannotBeReadEndsNoStart() throws Exception {
    for (int i = 0; i < 5; i++) {
      group(2000);
    }
    channel.force(false);
    int end = Math.toIntExact(channel.position());
    byte[] bytes = Arrays.copyOf(Files.readAllBytes(file), end + 20 * SECTOR_BYTES);
    for (int bad = end + SECTOR_BYTES; bad < bytes.length; bad += SECTOR_BYTES) {
      assertThat(end(bytes, bad)).as("bad at %d", bad).isEqualTo(end);
    }
    for (int bad = HEADER_BYTES; bad < end; bad += SECTOR_BYTES) {
      int needed = bad;
      assertThatThrownBy(() -> end(bytes, needed)).hasMessage("no sector at " + needed);
    }
  }

  /** Where a start ends if the device can't read on from somewhere. */
  private static long end(byte[] bytes, int bad) throws IOException {
    WholeGroups.Source readable = JournalJudge.source(Arrays.copyOf(bytes, bad));
    WholeGroups.Source source =
        (target, at) -> {
          if (at >= bad) {
            throw new IOException("no sector at " + bad);
          }
          return readable.read(target, at);
        };
    WholeGroups journal = WholeGroups.of(source, JournalJudge.UNTOLD);
    long end = HEADER_BYTES;
    while (journal.next(end) >= 0) {
      end = RecordTrail.end(ByteBuffer.wrap(bytes).position((int) end), end);
    }
    return end;
  }

  @Test
  void aStartInTheMiddleOfAGroupFindsTheRest() throws Exception {
    group(5000);
    int first = ByteBuffer.wrap(Files.readAllBytes(file)).getInt(HEADER_BYTES);
    try (FileChannel journal = JournalReadChannel.open(file).position(HEADER_BYTES + 4 + first)) {
      ByteBuffer length = ByteBuffer.allocate(4);
      assertThat(journal.read(length)).isEqualTo(4);
      assertThat(length.getInt(0)).isEqualTo(entries.get(1).length);
    }
  }

  @Test
  void aRecordThatNobodyKnowsEndsTheChecks() throws Exception {
    group(2000);
    channel.write(ByteBuffer.allocate(SECTOR_BYTES).putInt(-0x200).putInt(7).clear());
    byte[] now = Files.readAllBytes(file);
    assertThat(WholeGroups.of(JournalJudge.source(now), JournalJudge.UNTOLD)).isNull();
  }
}
