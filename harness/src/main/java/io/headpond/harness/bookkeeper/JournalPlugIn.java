// SPDX-License-Identifier: Apache-2.0
package io.headpond.harness.bookkeeper;

import io.headpond.harness.process.EngineRelease;
import io.headpond.harness.process.OwnJar;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The jars that a bookie needs for Headpond's journal.
 *
 * @param jars headpond-bookkeeper and those of Headpond's modules that it uses
 */
public record JournalPlugIn(List<Path> jars) {

  /** As {@code journalChannelProvider} names it. */
  public static final String PROVIDER = "io.headpond.bookkeeper.PmemJournalChannelProvider";

  public JournalPlugIn {
    jars = List.copyOf(jars);
  }

  /** The jars of a bookie with {@code headpond}, or unmodified if that is null. */
  public static List<Path> classPath(JournalPlugIn headpond, EngineRelease release) {
    List<Path> jars = new ArrayList<>(headpond == null ? List.of() : headpond.jars());
    jars.addAll(release.jars());
    return jars;
  }

  /** The plug-in that belongs to this build. */
  public static JournalPlugIn find() throws IOException {
    return new JournalPlugIn(
        List.of(
            OwnJar.find("bookkeeper"),
            OwnJar.find("observe"),
            OwnJar.find("store"),
            OwnJar.find("pmem")));
  }
}
