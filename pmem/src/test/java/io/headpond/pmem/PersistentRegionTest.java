// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Persistent memory by NFIT and by CXL, as the kernel's drivers describe both. */
class PersistentRegionTest {
  private static final String CXL = "platform/ACPI0017:00/root0/nvdimm-bridge0/ndbus0";
  private static final String NFIT = "LNXSYSTM:00/LNXSYBUS:00/ACPI0012:00/ndbus0";

  @AutoClose private FakeKernel kernel;

  @BeforeEach
  void makeUp() throws IOException {
    kernel = new FakeKernel();
    kernel.mount("259:1", kernel.directory(), "xfs");
  }

  /** A region of two modules. */
  private void region(String bus, String provider) throws IOException {
    kernel.block("259:1", bus + "/region0/namespace0.0/block/pmem0");
    kernel.attribute(bus + "/provider", provider);
    kernel.attribute(bus + "/region0/persistence_domain", "memory_controller");
    kernel.attribute(bus + "/region0/mapping0", "nmem0,0,17179869184,0");
    kernel.attribute(bus + "/region0/mapping1", "nmem1,0,17179869184,1");
  }

  private void called(Durability word, String... reasons) throws IOException {
    Device device = kernel.detect(true);
    assertThat(device.durability()).as(device.explanation()).isEqualTo(word);
    assertThat(List.of(reasons)).allMatch(device.explanation()::contains, device.explanation());
  }

  @Test
  void memoryBehindCxlIsDurableByItsPersistenceDomain() throws IOException {
    region(CXL, "CXL");
    called(Durability.DURABLE, "pmem0", "memory_controller");

    kernel.attribute(CXL + "/nmem0/cxl/dirty_shutdown", "0");
    kernel.attribute(CXL + "/nmem1/cxl/dirty_shutdown", "3");
    kernel.attribute(CXL + "/nmem1/cxl/id", "1234");
    assertThat(kernel.detect(true).dirtyShutdowns()).isEqualTo(Map.of("nmem0", 0L, "1234", 3L));
  }

  @Test
  void modulesThatDoNotCountShutdownsAreTrustedByNfit() throws IOException {
    region(NFIT, "ACPI.NFIT");
    called(Durability.DURABLE, "persistence domain memory_controller");
    assertThat(kernel.detect(true).dirtyShutdowns()).isEmpty();

    kernel.attribute(NFIT + "/nmem1/nfit/dirty_shutdown", "7");
    assertThat(kernel.detect(true).dirtyShutdowns()).isEqualTo(Map.of("nmem1", 7L));
  }

  @Test
  void aModuleThatIsNotArmedIsUnknown() throws IOException {
    region(NFIT, "ACPI.NFIT");
    kernel.attribute(NFIT + "/nmem1/nfit/flags", "smart_event smart_notify ");
    called(Durability.DURABLE);
    kernel.attribute(NFIT + "/nmem1/nfit/flags", "not_armed smart_notify ");
    called(Durability.UNKNOWN, "nmem1 isn't armed");
  }

  @Test
  void countsOfAllPartsOfAMappedDeviceAreRead() throws IOException {
    region(NFIT, "ACPI.NFIT");
    kernel.attribute(NFIT + "/nmem0/nfit/dirty_shutdown", "1");
    Path part = kernel.beside("sys/devices/" + NFIT + "/region0/namespace0.0/block/pmem0");
    kernel.block("253:0", "virtual/block/dm-0");
    kernel.link("devices/virtual/block/dm-0/slaves/pmem0", part);
    kernel.mount("253:0", kernel.directory(), "ext4");
    assertThat(kernel.detect(true).dirtyShutdowns()).isEqualTo(Map.of("nmem0", 1L));
    called(Durability.DURABLE, "ext4 on dm-0 of pmem0: DAX on pmem0");
  }
}
