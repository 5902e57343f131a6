// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

import java.util.concurrent.atomic.AtomicLong;

/** A space account with a limit, which can be compared with what files really hold. */
final class Account implements Space {
  private final AtomicLong reserved = new AtomicLong();
  private volatile long capacity;

  Account(long capacity) {
    this.capacity = capacity;
  }

  static Account unlimited() {
    return new Account(Long.MAX_VALUE / 2);
  }

  void capacity(long bytes) {
    capacity = bytes;
  }

  long reserved() {
    return reserved.get();
  }

  @Override
  public boolean reserve(long bytes) {
    if (bytes <= 0) {
      throw new AssertionError("reserves " + bytes);
    }
    if (reserved.addAndGet(bytes) > capacity) {
      reserved.addAndGet(-bytes);
      return false;
    }
    return true;
  }

  @Override
  public void release(long bytes) {
    if (bytes <= 0 || reserved.addAndGet(-bytes) < 0) {
      throw new AssertionError("releases " + bytes + ", leaving " + reserved.get());
    }
  }
}
