// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

/**
 * The account of a device's bytes, kept by whoever owns the device. Every physical growth of a
 * {@link MappedFile} reserves first, every physical shrinking releases afterwards; the bytes that a
 * file has when it is opened are the opener's business, and so are those it has when it is deleted.
 * Called from any thread; must not block for long and must not throw.
 */
public interface Space {
  /** Sets {@code bytes} aside, or answers false and changes nothing. */
  boolean reserve(long bytes);

  /** Gives {@code bytes} back that were reserved. */
  void release(long bytes);
}
