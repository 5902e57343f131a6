// SPDX-License-Identifier: Apache-2.0
package io.headpond.store;

import io.headpond.store.config.StoreConfig;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** A process that appends and says so after each append, to be watched from outside. */
final class ForceProbe {
  private ForceProbe() {}

  /** Arguments: configuration file, partition directory, number of appends. */
  public static void main(final String[] arguments) throws Exception {
    final FileOutputStream out = new FileOutputStream(FileDescriptor.out);
    try (TieredStore store = new TieredStore(StoreConfig.load(Path.of(arguments[0])));
        FileChannel channel =
            store.open(StoreFixture.segment(Path.of(arguments[1]), 0), StoreFixture.CREATE)) {
      for (int i = 0; i < Integer.parseInt(arguments[2]); i++) {
        StoreFixture.append(channel, StoreFixture.bytes(500, i));
        out.write(("acknowledged " + i + "\n").getBytes(StandardCharsets.US_ASCII));
      }
    }
  }
}
