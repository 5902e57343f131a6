// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.mirror;

import io.headpond.store.event.PlainText;
import java.io.IOException;
import java.nio.file.FileSystemException;

/** An append isn't safe at home, because a tier file can't be read to be mirrored. */
public final class UnmirroredException extends IOException {
  private static final long serialVersionUID = 1L;

  private final transient SegmentMirror awaited;
  private final transient SegmentMirror unread;
  private final FileSystemException failure;

  /**
   * The loss of the tier would lose the append.
   *
   * @param awaited the mirror of the segment that was appended to
   * @param unread the mirror that lacks bytes: the same, or that of a segment before it in its log
   * @param failure names the tier file
   */
  UnmirroredException(
      final SegmentMirror awaited, final SegmentMirror unread, final FileSystemException failure) {
    super(
        (awaited == unread ? "its mirror" : "the mirror of a segment before it in its log")
            + " lacks bytes that its tier doesn't give back: "
            + PlainText.reason(failure),
        failure);
    this.awaited = awaited;
    this.unread = unread;
    this.failure = failure;
  }

  /** The mirror of the segment that was appended to. */
  public SegmentMirror awaited() {
    return awaited;
  }

  /** True if that is the one that lacks bytes. */
  public boolean isItsOwn() {
    return awaited == unread;
  }

  /** The error of the tier file's device. */
  public FileSystemException failure() {
    return failure;
  }
}
