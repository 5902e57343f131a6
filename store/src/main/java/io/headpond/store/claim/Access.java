// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.claim;

import io.headpond.pmem.Mount;
import io.headpond.pmem.Shortage;
import io.headpond.store.event.ProcessUser;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Path;

/** What to do about a directory that can't be read or written. */
public final class Access {
  public static final String WRITABLE =
      "look at dmesg, because the kernel does that after an I/O error; then: mount -o remount,rw, or"
          + " where that is refused: umount, fsck, mount";

  public static final String DEVICE = "look at dmesg, and repair or replace its device";

  private Access() {}

  /** What to do about an error there. */
  public static String remedy(final Path directory, final IOException why) {
    if (why instanceof AccessDeniedException) {
      return "give the user the directory with all that is in it: chown -R "
          + ProcessUser.owner()
          + " "
          + directory;
    }
    try {
      if (Mount.of(directory).readOnly()) {
        return WRITABLE;
      }
    } catch (final IOException unknown) {
      return DEVICE;
    }
    return Shortage.ofSpace(why, directory, 0) ? "make room there (df, df -i)" : DEVICE;
  }
}
