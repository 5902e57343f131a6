// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import java.util.List;

/**
 * A force of {@code pmem} or of the store that is left out, and what finds it. Calls are named as
 * {@link ProductCalls#forces} names them.
 *
 * @param calls left out together; of more than one each alone isn't found, because another does the
 *     same later
 * @param by what finds it
 * @param why nothing finds it, where nothing does; or why one alone isn't found
 */
record Omission(List<String> calls, Finder by, String why) {
  /** Where what is left out shows itself. */
  enum Finder {
    /** Power cuts of {@link StoreModelTest}'s devices. */
    CUTS,
    /** The same of {@link OfflineMoves}. */
    OFFLINE_CUTS,
    /** The same between threads whose order a seed decides: {@link ScheduleTest}. */
    SCHEDULES,
    /** The same of {@link CutScenario}s. */
    SCENARIOS,
    /** Nothing here: the reason says what else, or why it isn't there for a power cut. */
    NOTHING
  }

  private static final String OPENS_ALL =
      "the engine here has opened each segment that it found before it appends";

  private static Omission found(final Finder by, final String call) {
    return new Omission(List.of(call), by, "");
  }

  private static Omission notFound(final String call, final String why) {
    return new Omission(List.of(call), Finder.NOTHING, why);
  }

  /** All of them. */
  static final List<Omission> ALL =
      List.of(
          found(Finder.CUTS, "BackingFile.force"),
          notFound("BackingFile.force 2", "of a bookie's journals: JournalOmissionTest"),
          notFound("Ballast.cut", "the file says nothing: it is forced to give the room back now"),
          notFound(
              "Ballast.remove", "the file says nothing: it is forced to give the room back now"),
          notFound("Ballast.take", "the file says nothing: it is forced to have the room now"),
          notFound("BufferWindow.store", "real mappings: powercut --memory forgets"),
          notFound("BufferWindow.store 2", "real mappings: powercut --memory forgets"),
          found(Finder.OFFLINE_CUTS, "DirectoryForce.forceNow"),
          notFound("DirectoryForce.forceAgain", "as Ballast.remove"),
          found(Finder.CUTS, "DirectoryForce.lead"),
          notFound(
              "FileGrowth.confirm",
              "it asks whether zeros that found no room failed otherwise too; nothing is new then"),
          found(Finder.CUTS, "FileGrowth.extend"),
          found(Finder.CUTS, "FileGrowth.force"),
          notFound("HomeIdentity.remove", "of commands, when no segment is left in a tier"),
          notFound(
              "ForwardingChannel.force", "the engine's own, of a file that is none of the store's"),
          notFound("LogChain.forceBefore", OPENS_ALL),
          notFound("LogChain.forceUnopened", OPENS_ALL),
          notFound("LogChain.forceUnopened 2", OPENS_ALL),
          notFound("LogChain.forceUnopened 3", OPENS_ALL),
          found(Finder.CUTS, "LogChain.forced"),
          notFound("MappedFile.appendUnmapped", "of mappings that the kernel refuses"),
          found(Finder.CUTS, "MappedFile.force"),
          found(Finder.CUTS, "MappedFile.overwrite"),
          found(Finder.CUTS, "MappedFile.trim"),
          found(Finder.CUTS, "MappedSegmentFile.force"),
          found(Finder.CUTS, "MappedSegmentFile.forceHere"),
          found(Finder.CUTS, "MappedSegmentFile.forcedByWriter"),
          notFound(
              "MappedSegmentFile.writeThrough",
              "of a process without descriptors: FewDescriptorsTest"),
          found(Finder.CUTS, "NameForces.force"),
          found(Finder.CUTS, "NameForces.forceNow"),
          found(Finder.CUTS, "NameForces.forceNow 2"),
          found(Finder.CUTS, "Namespace.forceBefore"),
          found(Finder.SCHEDULES, "Namespace.forceNamesNow"),
          found(Finder.CUTS, "OrphanSweep.forceNames"),
          found(Finder.SCENARIOS, "OrphanSweep.forceNames 2"),
          found(Finder.CUTS, "OrphanSweep.quarantine"),
          found(Finder.CUTS, "OrphanSweep.sweep"),
          found(Finder.CUTS, "OrphanSweep.sweep 2"),
          found(Finder.CUTS, "PartitionDirectory.force"),
          notFound("PartitionDirectory.force 2", "of a directory whose name another has taken"),
          found(Finder.CUTS, "Placement.forceFiles"),
          found(Finder.CUTS, "Placement.pooled"),
          found(Finder.CUTS, "PlainSegmentFile.force"),
          found(Finder.CUTS, "PlainSegmentFile.forceHere"),
          found(Finder.CUTS, "PlainSegmentFile.write"),
          found(Finder.SCHEDULES, "Precondition.forceNameHere"),
          found(Finder.CUTS, "PropertiesFile.replace"),
          notFound(
              "PropertiesFile.replace 2",
              "the claim forces the same directory again, before a segment is made: OrphanSweep"),
          found(Finder.CUTS, "Reclaimer.force"),
          found(Finder.CUTS, "Reclaimer.forceAndGiveBack"),
          notFound("Reclaimer.reclaim", "of more than 65,536 files at once"),
          found(Finder.CUTS, "Reclaimer.reclaim 2"),
          found(Finder.CUTS, "Relocation.moveInto"),
          found(Finder.CUTS, "Segment.force"),
          found(Finder.CUTS, "Segment.forceCut"),
          found(Finder.CUTS, "Segment.forceCut 2"),
          found(Finder.CUTS, "Segment.sealForSuccessor"),
          found(Finder.CUTS, "SegmentAccess.forcedOrMoved"),
          found(Finder.CUTS, "SegmentAccess.forcedOrMoved 2"),
          notFound(
              "SegmentAccess.writeAnywhere",
              "of channels opened with SYNC, which Kafka has none of"),
          found(Finder.CUTS, "SegmentChannel.force"),
          notFound("SegmentCopy.copy", "in steps, so that no other force waits for all of a copy"),
          found(Finder.OFFLINE_CUTS, "SegmentCopy.force"),
          notFound(
              "SegmentCopy.forceStep", "in steps, so that no other force waits for all of a copy"),
          found(Finder.SCHEDULES, "SegmentDurability.forceMove"),
          found(Finder.CUTS, "SegmentFile.forceOnce"),
          found(Finder.CUTS, "SegmentFile.forceOnceHere"),
          notFound(
              "SegmentFile.rememberFailedForce",
              "it forces nothing: it remembers a force that failed"),
          found(Finder.CUTS, "SegmentMigration.copy"),
          found(Finder.CUTS, "SegmentMigration.makeSure"),
          found(Finder.OFFLINE_CUTS, "SegmentMove.copy"),
          found(Finder.OFFLINE_CUTS, "SegmentMove.publishOrDiscard"),
          found(Finder.OFFLINE_CUTS, "SegmentMove.tier"),
          found(Finder.SCENARIOS, "SegmentSwitch.giveUpSourceHere"),
          found(Finder.CUTS, "SuccessorForce.force"),
          found(Finder.SCHEDULES, "SuccessorForce.force 2"),
          found(Finder.CUTS, "SuccessorForce.forceBytes"),
          found(Finder.CUTS, "SuccessorForce.forceBytes 2"),
          found(Finder.CUTS, "TierDirectory.create"),
          notFound("UninterruptedForce.ask", "after an interrupt: FaultSweepTest"),
          notFound("UninterruptedForce.askElsewhere", "after an interrupt: FaultSweepTest"),
          found(Finder.CUTS, "UninterruptedForce.force"),
          notFound("UninterruptedForce.force 2", "of a bookie's journals: JournalOmissionTest"),
          notFound("UninterruptedForce.forceElsewhere", "after an interrupt: FaultSweepTest"),
          found(Finder.CUTS, "ZeroFill.create"),
          notFound("ZeroFill.overwrite", "of a bookie's journals: JournalOmissionTest"));

  /** The names of all calls. */
  static List<String> names() {
    return ALL.stream().flatMap(each -> each.calls.stream()).sorted().toList();
  }

  @Override
  public String toString() {
    return String.join(" and ", calls);
  }
}
