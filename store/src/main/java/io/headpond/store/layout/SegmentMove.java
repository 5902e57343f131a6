// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.layout;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Moves one segment's bytes to another file and makes that file the authoritative one.
 *
 * <p>The steps, each of which leaves a readable log if the machine stops after it: copy to a
 * temporary name, forcing in steps; give the copy the source's mode, owner and modification time;
 * force it; compare its length; see that the name still resolves to the source; rename over the
 * name; force the directory. Deleting the source is the caller's, and only after that.
 *
 * <p>The caller holds the segment's lock, or the engine is not running.
 */
public final class SegmentMove {
  /** Ends every temporary name of a move; no engine takes it for one of its own. */
  private static final String TEMPORARY_SUFFIX = ".move";

  private static final String TEMPORARY_PREFIX = "headpond-";

  private SegmentMove() {}

  /** Makes names durable. */
  @FunctionalInterface
  public interface Force {
    /** Returns when they are. */
    void run() throws IOException;
  }

  /** True for the name of an unfinished move. Such a file is never authoritative. */
  public static boolean isTemporary(final String fileName) {
    return fileName.startsWith(TEMPORARY_PREFIX) && fileName.endsWith(TEMPORARY_SUFFIX);
  }

  /**
   * Brings a segment home: afterwards its name is a plain file.
   *
   * @param name the segment's link in the log directory
   * @param source the tier file that it resolves to
   * @param length bytes of the segment, from the start of the source
   * @param progress is told what was copied
   * @throws IOException if anything failed; the link and the source are untouched then
   */
  public static void home(
      final Path name, final Path source, final long length, final CopyProgress progress)
      throws IOException {
    publishOrDiscard(name, source, copyHome(name, source, length, progress), true);
  }

  /**
   * Copies a segment that doesn't change any more to a temporary name at home, past the page cache
   * where both file systems can. Afterwards the copy is durable; {@link #publishHome} makes it the
   * authoritative one, and until then the caller may delete it.
   *
   * @param name the segment's link in the log directory
   * @param source the tier file that it resolves to
   * @param length bytes of the segment, from the start of the source
   * @param steps of home's disk
   * @param progress is told what was copied
   * @return the copy's temporary name
   * @throws IOException if anything failed; no copy is left then
   */
  public static Path copyHome(
      final Path name,
      final Path source,
      final long length,
      final CopySteps steps,
      final CopyProgress progress)
      throws IOException {
    return copyHome(name, source, length, true, steps, progress);
  }

  /** As the other, through the page cache, and all at once. */
  public static Path copyHome(
      final Path name, final Path source, final long length, final CopyProgress progress)
      throws IOException {
    return copyHome(name, source, length, false, CopySteps.unmeasured(), progress);
  }

  private static Path copyHome(
      final Path name,
      final Path source,
      final long length,
      final boolean direct,
      final CopySteps steps,
      final CopyProgress progress)
      throws IOException {
    final Path temporary = temporary(name);
    try {
      copy(source, temporary, length, direct, steps, progress);
      return temporary;
    } catch (final Throwable e) {
      discard(e, temporary);
      throw e;
    }
  }

  /**
   * Moves a segment into a tier: afterwards its name is a link to the target.
   *
   * @param name the segment's name in the log directory
   * @param source the file that it resolves to; the name itself if it is a plain file
   * @param target the new tier file, not there yet: {@link HomeIdentity.TierRef#newFile}
   * @param length bytes of the segment, from the start of the source
   * @param progress is told what was copied
   * @throws IOException if anything failed; the name and the source are untouched then
   */
  public static void tier(
      final Path name,
      final Path source,
      final Path target,
      final long length,
      final CopyProgress progress)
      throws IOException {
    copyIntoTier(
        source, target, length, progress, () -> DirectoryForce.forceNow(target.getParent()));
    publishOrDiscard(name, source, target, false);
  }

  private static void publishOrDiscard(
      final Path name, final Path source, final Path copy, final boolean home) throws IOException {
    try {
      publish(name, source, copy, home);
    } catch (final UnclearNameException e) {
      throw e;
    } catch (final Throwable e) {
      discard(e, copy);
      throw e;
    }
    DirectoryForce.forceNow(name.getParent());
  }

  /**
   * Copies a segment that doesn't change any more into a tier. Afterwards the copy and its name
   * there are durable; {@link #publish} makes it the authoritative one, and until then the caller
   * may delete it.
   *
   * @param source the file that the segment's name resolves to
   * @param target the new tier file, not there yet
   * @param length bytes of the segment, from the start of the source
   * @param progress is told what was copied
   * @param force makes the new tier file's name durable
   * @throws IOException if anything failed; no copy is left then
   */
  public static void copyIntoTier(
      final Path source,
      final Path target,
      final long length,
      final CopyProgress progress,
      final Force force)
      throws IOException {
    final Path temporary = temporaryInTier(target);
    try {
      copy(source, temporary, length, false, CopySteps.unmeasured(), progress);
      Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE);
      force.run();
    } catch (final Throwable e) {
      discard(e, temporary, target);
      throw e;
    }
  }

  /**
   * A name for a copy in the making in a tier, beside the one that it will get when it is whole.
   */
  public static Path temporaryInTier(final Path target) {
    return target.resolveSibling(temporaryName());
  }

  /**
   * A name for a copy in the making: in the log directory, not in the partition directory, which
   * the engine may be deleting file by file. Only a partition directory behind a link may be on
   * another file system, where a rename wouldn't be one.
   */
  public static Path temporary(final Path name) throws IOException {
    final String fileName = temporaryName();
    final Path partition = name.getParent();
    return NameLook.isLink(partition)
        ? name.resolveSibling(fileName)
        : partition.resolveSibling(fileName);
  }

  /**
   * A durable copy becomes what the name means. Forcing the name's directory is left to the caller,
   * who holds whatever keeps others from renaming or deleting the name.
   *
   * @param name the segment's link in the log directory
   * @param source the tier file that it must still resolve to
   * @param temporary what {@link #copyHome} answered
   * @throws IOException if the name resolves to something else by now, or can't be replaced
   */
  public static void publishHome(final Path name, final Path source, final Path temporary)
      throws IOException {
    publish(name, source, temporary, true);
  }

  /**
   * A durable copy becomes what the name means, by a rename. When it returns the name leads to the
   * copy, also if the rename itself said otherwise; forcing the name's directory is left to the
   * caller.
   *
   * @param name the segment's name in the log directory
   * @param source the file that it must still resolve to
   * @param copy at home under a temporary name, or in a tier under a durable one
   * @param home does the copy lie at home?
   * @throws UnclearNameException if nobody can tell whether the name leads to the copy
   * @throws IOException if it doesn't
   */
  public static void publish(
      final Path name, final Path source, final Path copy, final boolean home) throws IOException {
    checkName(name, source);
    final Path replacement = home ? copy : linkTo(name, copy);
    try {
      Files.move(replacement, name, StandardCopyOption.ATOMIC_MOVE);
    } catch (final Throwable e) {
      if (!leadsToCopy(name, source, copy, home, e)) {
        if (!home) {
          discard(e, replacement);
        }
        throw e;
      }
    }
  }

  /** Deletes what a move that failed has made; a failure of that doesn't hide the reason. */
  private static void discard(final Throwable why, final Path... made) {
    for (final Path each : made) {
      try {
        Files.deleteIfExists(each);
      } catch (final IOException left) {
        why.addSuppressed(left);
      }
    }
  }

  private static Path linkTo(final Path name, final Path copy) throws IOException {
    final Path link = temporary(name);
    try {
      return Files.createSymbolicLink(link, copy);
    } catch (final Throwable e) {
      discard(e, link);
      throw e;
    }
  }

  /** True if the rename was done although its call failed. */
  private static boolean leadsToCopy(
      final Path name, final Path source, final Path copy, final boolean home, final Throwable e)
      throws UnclearNameException {
    try {
      final Path target = NameLook.target(name);
      return home ? target == null && !NameLook.exists(copy) : copy.equals(target);
    } catch (final IOException | RuntimeException | Error unknown) {
      e.addSuppressed(unknown);
      throw new UnclearNameException(name, source, copy, e);
    }
  }

  private static String temporaryName() {
    return TEMPORARY_PREFIX + randomHex() + TEMPORARY_SUFFIX;
  }

  static String randomHex() {
    return HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
  }

  private static void checkName(final Path name, final Path source) throws IOException {
    final Path target = NameLook.target(name);
    final Path resolved = target == null ? name : target;
    if (!resolved.equals(source)) {
      throw new IOException(
          name + " resolves to " + resolved + " and no longer to " + source + "; left as it is");
    }
  }

  private static void copy(
      final Path source,
      final Path target,
      final long length,
      final boolean direct,
      final CopySteps steps,
      final CopyProgress progress)
      throws IOException {
    try (SegmentCopy copy = new SegmentCopy(source, target, direct, steps, progress)) {
      copy.copyRest(length);
      copy.keepAttributes(); // first: appends may wait for each force, and one is enough
      copy.force();
      copy.checkLength();
    }
  }
}
