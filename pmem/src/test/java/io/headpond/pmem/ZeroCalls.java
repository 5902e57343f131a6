// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * Stands for the system call alone, on a device that can't do it: records each call, and writes the
 * zeros. Any thread.
 */
final class ZeroCalls implements ZeroRange {
  static final int EIO = 5;
  static final int ENOSPC = 28;
  static final int EOPNOTSUPP = 95;

  /** One call. */
  record Call(Path file, long from, long bytes) {}

  private final List<Call> calls = new ArrayList<>();
  private int error;

  /** A way that was tried and works. */
  ZeroWay way(Path directory) {
    ZeroWay way = ZeroWay.probed(directory, this);
    clear();
    return way;
  }

  /** From now on each call fails with that number; 0: none does. */
  synchronized void refuse(int number) {
    error = number;
  }

  synchronized void clear() {
    calls.clear();
  }

  synchronized List<Call> calls() {
    return List.copyOf(calls);
  }

  /** Of one file, by calls that succeeded. */
  synchronized long bytes(Path file) {
    return calls.stream().filter(call -> call.file.equals(file)).mapToLong(Call::bytes).sum();
  }

  @Override
  public synchronized int zero(Path file, long from, long bytes) throws IOException {
    if (error != 0) {
      return error;
    }
    calls.add(new Call(file, from, bytes));
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.allocate((int) bytes), from);
    }
    return 0;
  }
}
