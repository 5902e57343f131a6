// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import java.util.Optional;

/** The flags of a HotSpot JVM, by name. */
interface VmFlags {
  /** The flag's value; empty if this JVM has no such flag or doesn't tell. */
  Optional<String> value(String name);

  /** The flags of this JVM. A run-time image without the module jdk.management tells none. */
  static VmFlags read() {
    try {
      HotSpotDiagnosticMXBean bean =
          ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
      return name -> {
        try {
          return Optional.of(bean.getVMOption(name).getValue());
        } catch (RuntimeException e) {
          return Optional.empty();
        }
      };
    } catch (LinkageError | RuntimeException e) {
      return name -> Optional.empty();
    }
  }
}
