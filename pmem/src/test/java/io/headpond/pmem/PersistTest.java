// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PersistTest {
  private static final Optional<String> WORKS = Optional.empty();
  private static final Optional<String> NO_LIBRARY = Optional.of("install the package libpmem1");
  private static final Optional<String> UNSAFE = Optional.of("remove -Xint");

  private Path folder;

  @BeforeEach
  void createFolder() throws IOException {
    folder = Folders.onDisk().toRealPath();
  }

  @AfterEach
  void deleteFolder() throws IOException {
    Folders.delete(folder);
  }

  private Device device(String type, boolean dax) throws IOException {
    Path mountInfo = folder.resolve("mountinfo");
    Files.writeString(mountInfo, "27 1 9:9 / / rw - " + type + " /dev/x rw\n");
    return Device.detect(
        folder,
        folder.resolve("sys"),
        mountInfo,
        new SyncMapProbe() {
          @Override
          boolean succeeds(Path ignored) {
            return dax;
          }
        });
  }

  @Test
  void theDeviceDecides() throws IOException {
    Device dax = device("ext4", true);
    assertThat(Persist.decide(dax, WORKS, WORKS).backend()).isEqualTo(PersistBackend.LIBPMEM);
    assertThat(Persist.decide(dax, NO_LIBRARY, WORKS).backend()).isEqualTo(PersistBackend.JEP352);
    PersistChoice last = Persist.decide(dax, NO_LIBRARY, UNSAFE);
    assertThat(last.backend()).isEqualTo(PersistBackend.WRITE);
    assertThat(last.reason()).contains("libpmem1").contains("-Xint");

    for (String type : List.of("xfs", "tmpfs")) {
      assertThat(Persist.decide(device(type, false), WORKS, WORKS).backend())
          .isEqualTo(PersistBackend.WRITE);
    }
  }

  @Test
  void anExperimentMapsMemoryAndNoDisk() throws IOException {
    assertThat(Persist.decide(device("tmpfs", false), true).backend())
        .isEqualTo(PersistBackend.NONE);
    assertThat(Persist.decide(device("xfs", false), true).backend())
        .isEqualTo(PersistBackend.WRITE);
  }

  @Test
  void aMappingThatCannotWorkIsNamedWithItsReason() throws IOException {
    Device disk = device("xfs", false);
    for (PersistBackend mapped : List.of(PersistBackend.LIBPMEM, PersistBackend.JEP352)) {
      assertThat(Persist.unavailable(disk, mapped).orElseThrow()).contains("MAP_SYNC");
    }
    assertThat(Persist.unavailable(disk, PersistBackend.NONE).orElseThrow()).contains("tmpfs");
    assertThat(Persist.unavailable(device("tmpfs", false), PersistBackend.NONE)).isEmpty();
  }

  @Test
  void writeBackIsUsedOnlyWhereItCannotCrashTheJvm() {
    VmFlags full = flags(Map.of("TieredStopAtLevel", "4"));
    assertThat(WriteBack.unsafeReason(17, "interpreted mode", flags(Map.of()))).isEmpty();
    assertThat(WriteBack.unsafeReason(25, "mixed mode, sharing", full)).isEmpty();
    assertThat(WriteBack.unsafeReason(25, "interpreted mode", full).orElseThrow())
        .contains("-Xint");
    assertThat(
            WriteBack.unsafeReason(25, "mixed mode", flags(Map.of("TieredStopAtLevel", "1")))
                .orElseThrow())
        .contains("-XX:TieredStopAtLevel=1");
    assertThat(WriteBack.unsafeReason(25, "mixed mode", flags(Map.of())).orElseThrow())
        .contains("jdk.management");
  }

  @Test
  void theFlagsOfThisJvmAreRead() {
    assertThat(VmFlags.read().value("TieredStopAtLevel")).isPresent();
    assertThat(VmFlags.read().value("NoSuchFlagAtAll")).isEmpty();
  }

  private static VmFlags flags(Map<String, String> values) {
    return name -> Optional.ofNullable(values.get(name));
  }
}
