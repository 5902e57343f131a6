// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HexFormat;
import java.util.SplittableRandom;

/**
 * Tells a device that has no room, and a process that has no file descriptor left, from a device
 * that fails. Any thread.
 *
 * <p>Java passes on what the C library says of an error, in the language of the process. So nothing
 * is looked for in those words. What counts are facts of the moment: the room that the file system
 * names, whether something else can be opened or written; and whether the words are, to the letter,
 * those that this process is told by a device that is always full.
 *
 * <p>A quota, or a lack of inodes, shows in no size of the file system. Where a new file takes no
 * bytes although what needs none succeeds, the device is full.
 */
public final class Shortage {
  /** Blocks are larger than what is written, and a file system keeps some for itself. */
  private static final long MARGIN_BYTES = 1 << 20;

  private static final int PROBE_WRITE_BYTES = 64 << 10;

  /** Message of the operating system for a full device, in its language; null: not known yet. */
  private static volatile String fullWords;

  /** Message of the operating system for a lack of descriptors; null: there was none yet. */
  private static volatile String descriptorWords;

  private Shortage() {}

  /**
   * True if a call failed because the device has no room.
   *
   * @param at the directory of what failed
   * @param bytes what was asked for
   */
  public static boolean ofSpace(IOException failure, Path at, long bytes) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof DeviceFullException) {
        return true;
      }
      if (cause instanceof DeviceFaultException) {
        return false;
      }
    }
    if (says(failure, fullWords(at)) || usableBytes(at) < bytes + MARGIN_BYTES) {
      return true;
    }
    return !takesBytes(at, MARGIN_BYTES);
  }

  /**
   * False if a directory surely doesn't take so many bytes now, whatever its file system names as
   * free: a new file, which loses its name at once, gets none although the device answers.
   */
  public static boolean takesBytes(Path directory, long wanted) {
    boolean interrupted = Thread.interrupted();
    SplittableRandom random = new SplittableRandom(); // zeros may be left out
    byte[] bytes = new byte[PROBE_WRITE_BYTES];
    Path probe =
        directory.resolve(SyncMapProbe.PREFIX + HexFormat.of().toHexDigits(random.nextLong()));
    try (FileChannel channel =
        FileChannel.open(probe, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      Files.delete(probe);
      for (long at = 0; at < wanted; ) {
        random.nextBytes(bytes);
        at += channel.write(ByteBuffer.wrap(bytes), at);
      }
      return true;
    } catch (ClosedByInterruptException e) {
      interrupted = true;
      return true;
    } catch (AccessDeniedException e) {
      return true;
    } catch (IOException e) {
      return !descriptorsLeft(directory) || !changes(directory);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** True if a change that needs no room succeeds: a device that fails refuses it, too. */
  private static boolean changes(Path directory) {
    try {
      Files.setAttribute(directory, "lastModifiedTime", Files.getLastModifiedTime(directory));
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * True if a call failed because the process has no file descriptor left; the device has not
   * failed then.
   *
   * @param at on the device
   */
  public static boolean ofDescriptors(IOException failure, Path at) {
    return !descriptorsLeft(at) || says(failure, descriptorWords);
  }

  private static boolean descriptorsLeft(Path at) {
    try (FileChannel any = open(at, "/dev/null", StandardOpenOption.READ)) {
      return any.isOpen();
    } catch (FileSystemException e) {
      descriptorWords = e.getReason();
      return false;
    } catch (IOException e) {
      return false;
    }
  }

  private static FileChannel open(Path at, String special, StandardOpenOption option)
      throws IOException {
    return FileChannel.open(at.getFileSystem().getPath(special), option);
  }

  private static boolean says(IOException failure, String words) {
    for (Throwable cause = failure; words != null && cause != null; cause = cause.getCause()) {
      String said =
          cause instanceof FileSystemException failed ? failed.getReason() : cause.getMessage();
      if (words.equals(said)) {
        return true;
      }
    }
    return false;
  }

  private static String fullWords(Path at) {
    if (fullWords == null) {
      try (FileChannel full = open(at, "/dev/full", StandardOpenOption.WRITE)) {
        full.write(ByteBuffer.allocate(1));
      } catch (FileSystemException absent) {
        return null;
      } catch (IOException e) {
        fullWords = e.getMessage();
      }
    }
    return fullWords;
  }

  private static long usableBytes(Path at) {
    try {
      return Files.getFileStore(at).getUsableSpace();
    } catch (IOException e) {
      return Long.MAX_VALUE; // not to be asked: it fails
    }
  }
}
