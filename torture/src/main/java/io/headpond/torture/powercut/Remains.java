// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut;

import com.fasterxml.jackson.annotation.JsonIgnore;

/**
 * What home's disk alone holds after a cut of the power with which the fast disk was lost.
 *
 * @param fileSystem whether e2fsck found it whole, mended it, or could not
 * @param repairs that e2fsck made, besides totals that only an unmount writes
 * @param records acknowledged ones that vanilla Kafka still has, with every byte
 * @param corrupt records that it has with other bytes, or in another one's place
 * @param kafka what vanilla Kafka says if it can't read any of them; empty if it can
 */
record Remains(FileSystem fileSystem, int repairs, long records, long corrupt, String kafka) {

  /** The verdict of e2fsck after it has replayed the file system's journal. */
  enum FileSystem {
    WHOLE,
    MENDED,
    BEYOND_REPAIR
  }

  private static final String EXIT = "EXIT ";
  private static final int MENDED_MAX = 3;

  /**
   * The command whose output {@link #check} understands, for a shell; its argument is the image.
   * The journal's replay alone, as by any mount, mends nothing.
   */
  static final String CHECK =
      "\"$0\" -y -E journal_only \"$1\"; \"$0\" -f -y \"$1\"; echo \"" + EXIT + "$?\"";

  /** As e2fsck has left a file system; nothing is known of the records yet. */
  static Remains check(String output) {
    int code = Integer.parseInt(output.substring(output.lastIndexOf(EXIT) + EXIT.length()).strip());
    int repairs = 0;
    String before = "";
    for (String line : output.lines().toList()) {
      repairs += line.endsWith("? yes") && !total(before) ? 1 : 0;
      before = line;
    }
    FileSystem verdict =
        code > MENDED_MAX
            ? FileSystem.BEYOND_REPAIR
            : repairs == 0 ? FileSystem.WHOLE : FileSystem.MENDED;
    return new Remains(verdict, repairs, 0, 0, "");
  }

  /** ext4 writes the totals of free blocks and inodes when it is unmounted; a mount makes them. */
  private static boolean total(String line) {
    return line.startsWith("Free blocks count wrong (")
        || line.startsWith("Free inodes count wrong (");
  }

  /** The same with what Kafka has found. */
  Remains with(long found, long wrong) {
    return new Remains(fileSystem, repairs, found, wrong, "");
  }

  /** The same if Kafka found nothing. */
  Remains without(String reason) {
    return new Remains(fileSystem, repairs, 0, 0, reason);
  }

  /** For people. */
  @JsonIgnore
  String words() {
    String disk =
        switch (fileSystem) {
          case WHOLE -> "file system whole";
          case MENDED -> "e2fsck made " + repairs + " repairs";
          case BEYOND_REPAIR -> "file system beyond repair";
        };
    return disk + (kafka.isEmpty() ? "" : "; Kafka: " + kafka);
  }
}
