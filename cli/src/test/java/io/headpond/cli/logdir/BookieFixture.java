// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import io.headpond.store.layout.HomeIdentity;
import io.headpond.store.layout.HomeIdentity.TierRef;
import io.headpond.store.layout.TierIdentity;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;

/** The directories of a bookie below a folder, as BookKeeper and Headpond lay them out. */
final class BookieFixture {
  static final int ENTRY_BYTES = 1000;

  final Path ledgers;
  final Path home;
  final Path fast;
  final Path fastLogs;
  final Path journal;
  final Path conf;
  private final HomeIdentity identity;

  BookieFixture(Path root) throws IOException {
    ledgers = Files.createDirectory(root.resolve("ledgers"));
    home = Files.createDirectory(ledgers.resolve("current"));
    Files.createFile(Files.createDirectory(home.resolve("locations")).resolve("CURRENT"));
    fast = Files.createDirectory(root.resolve("fast"));
    journal = Files.createDirectories(root.resolve("journal/current"));
    identity = HomeIdentity.create(ledgers);
    TierRef tier = new TierRef("fast", TierIdentity.create(fast, "fast").id(), fast);
    identity.writeTiers(List.of(tier));
    fastLogs = Files.createDirectories(tier.segments(identity.id()).resolve("current"));
    Files.writeString(fastLogs.resolve("lastId"), "b\n");
    conf =
        Files.writeString(
            root.resolve("bk_server.conf"),
            "ledgerDirectories="
                + ledgers
                + "\njournalDirectories="
                + journal.getParent()
                + "\njournalChannelProvider=io.headpond.bookkeeper.PmemJournalChannelProvider"
                + "\nledgerStorageClass=io.headpond.bookkeeper.ledger.TieredDbLedgerStorage"
                + "\nheadpond.ledger.fast.directories="
                + fast
                + "\nheadpond.ledger.fast.capacity=64MiB\n");
  }

  /** A log on the fast device, with its name at home. */
  Path fastLog(int id, byte[] content) throws IOException {
    Path file = Files.write(fastLogs.resolve(name(id)), content);
    Files.createSymbolicLink(home.resolve(name(id)), file);
    return file;
  }

  /** A log that was migrated, or that had no room on the fast device. */
  Path homeLog(int id, byte[] content) throws IOException {
    return Files.write(home.resolve(name(id)), content);
  }

  Path quarantine() {
    return fast.resolve("quarantine").resolve(identity.id().toString());
  }

  private static String name(int id) {
    return Integer.toHexString(id) + ".log";
  }

  /**
   * What {@code DefaultEntryLogger} writes: a header, entries, and if it is complete, their map.
   */
  static byte[] entryLog(int entries, boolean complete) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.write(new byte[1024]);
    for (int entry = 0; entry < entries; entry++) {
      byte[] content = new byte[ENTRY_BYTES - 20];
      new Random(entry).nextBytes(content);
      out.writeInt(ENTRY_BYTES - 4);
      out.writeLong(7);
      out.writeLong(entry);
      out.write(content);
    }
    int map = bytes.size();
    if (complete) {
      out.writeInt(20 + 16);
      out.writeLong(-1);
      out.writeLong(-2);
      out.writeInt(1);
      out.writeLong(7);
      out.writeLong((long) entries * ENTRY_BYTES);
    }
    byte[] log = bytes.toByteArray();
    ByteBuffer header = ByteBuffer.wrap(log).put("BKLO".getBytes(StandardCharsets.US_ASCII));
    header.putInt(1).putLong(complete ? map : 0).putInt(complete ? 1 : 0);
    return log;
  }

  /** A journal of records of 100 bytes, with padding between two groups, and zeros behind. */
  Path journal(int id, int records) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeBytes("BKLG");
    out.writeInt(6);
    out.write(new byte[504]);
    for (int record = 0; record < records; record++) {
      out.writeInt(100);
      out.write(new byte[100]);
      out.writeInt(-0x100);
      out.writeInt(12);
      out.write(new byte[12]);
    }
    out.write(new byte[4096]);
    return Files.write(journal.resolve(Integer.toHexString(id) + ".txn"), bytes.toByteArray());
  }

  /** What a checkpoint leaves. */
  void mark(long journalId) throws IOException {
    byte[] mark = ByteBuffer.allocate(16).putLong(journalId).putLong(512).array();
    Files.write(home.resolve("lastMark"), mark);
  }
}
