// SPDX-License-Identifier: Apache-2.0
package io.headpond.torture.powercut.guest;

import io.headpond.pmem.Device;
import io.headpond.pmem.Persist;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The guest's way out: a virtio serial port whose bytes are in a file of the host when a write
 * returns. So what was said before something was done is known outside even if the power is cut
 * right after.
 */
public final class Report implements AutoCloseable {
  /** Begins the line of an acknowledged record: partition, offset, CRC in hexadecimal. */
  public static final String ACKNOWLEDGED = "A";

  static final String LOG_START = "L";
  static final String TRUNCATED_TO = "T";
  static final String PARTITION_DELETED = "X";

  private final OutputStream port;

  Report(String path) throws IOException {
    port = Files.newOutputStream(Path.of(path), StandardOpenOption.WRITE);
  }

  /** One line, words separated by blanks. Any thread. */
  synchronized void say(Object... words) {
    StringBuilder line = new StringBuilder();
    for (Object word : words) {
      line.append(line.length() == 0 ? "" : " ").append(word);
    }
    try {
      port.write(line.append('\n').toString().getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new IllegalStateException("the host doesn't listen any more", e);
    }
  }

  /** A step that a cut may be aimed at. */
  interface Step {
    void run() throws IOException;
  }

  /** Does something, and says when it begins and when it is over. */
  void during(Moment moment, Step step) throws IOException {
    say(moment.begins());
    step.run();
    say(moment.ends());
  }

  /** Reports a tier's device and the back end that is chosen for it. */
  void device(Path tier) throws IOException {
    Device device = Device.detect(tier);
    say(
        "DEVICE",
        Persist.choose(device).key(),
        device.durability(),
        device.fileSystemType(),
        "dax=" + device.dax(),
        "domain=" + device.persistenceDomain());
  }

  @Override
  public void close() throws IOException {
    port.close();
  }
}
