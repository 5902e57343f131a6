// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.logdir;

import io.headpond.pmem.Device;
import io.headpond.store.layout.ShutdownCounts;
import java.io.IOException;
import java.nio.file.Path;

/** Counts of power failures at which the device of a tier directory lost writes. */
interface DeviceCounts {
  /** Those that the kernel shows. */
  DeviceCounts KERNEL = directory -> ShutdownCounts.of(Device.detect(directory));

  String of(Path directory) throws IOException;
}
