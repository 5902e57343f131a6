// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Tells a device that has no room, and a process that has no file descriptor left, from a device
 * that fails. Any thread.
 *
 * <p>Java passes on what the C library says of an error, in the language of the process. So nothing
 * is looked for in those words. What counts are facts of the moment: the room that the file system
 * names, whether something else can be opened; and whether the words are, to the letter, those that
 * this process is told by a device that is always full.
 *
 * <p>A quota that the file system doesn't subtract from its free space can't be told from a fault.
 */
public final class Shortage {
  /** Blocks are larger than what is written, and a file system keeps some for itself. */
  private static final long MARGIN_BYTES = 1 << 20;

  /** Message of the operating system for a full device, in its language; null: not known yet. */
  private static volatile String fullWords;

  /** Message of the operating system for a lack of descriptors; null: there was none yet. */
  private static volatile String descriptorWords;

  private Shortage() {}

  /**
   * True if a call failed because the device has no room.
   *
   * @param at on the device
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
    return says(failure, fullWords(at)) || usableBytes(at) < bytes + MARGIN_BYTES;
  }

  /**
   * True if a call failed because the process has no file descriptor left; the device has not
   * failed then.
   *
   * @param at on the device
   */
  public static boolean ofDescriptors(IOException failure, Path at) {
    try (FileChannel any = open(at, "/dev/null", StandardOpenOption.READ)) {
      return any.isOpen() && says(failure, descriptorWords);
    } catch (FileSystemException e) {
      descriptorWords = e.getReason();
      return true;
    } catch (IOException e) {
      return true;
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
