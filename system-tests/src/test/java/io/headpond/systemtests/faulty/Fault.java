// SPDX-License-Identifier: Apache-2.0
package io.headpond.systemtests.faulty;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;

/**
 * Calls that are to fail. Several threads.
 *
 * @param call what fails
 * @param errno with which error
 * @param left how often still; negative: from now on
 * @param path of which files and directories, whole, from the file system's root on
 * @param hits how often it did
 */
public record Fault(Call call, int errno, AtomicInteger left, Pattern path, AtomicInteger hits) {

  /** What can fail. */
  public enum Call {
    READ,
    WRITE,
    /** Of a file: {@code fsync} and {@code fdatasync}. */
    FORCE,
    /** Of a directory. */
    FORCE_DIRECTORY,
    /** Of a file that isn't there yet. */
    CREATE
  }

  Fault(Call call, int errno, int times, String path) {
    this(call, errno, new AtomicInteger(times), Pattern.compile(path), new AtomicInteger());
  }

  /** Is this call to fail? It counts then. */
  boolean takes(Call made, String name) {
    if (made != call || !path.matcher(name).matches()) {
      return false;
    }
    if (left.getAndUpdate(times -> times > 0 ? times - 1 : times) == 0) {
      return false;
    }
    hits.incrementAndGet();
    return true;
  }
}
