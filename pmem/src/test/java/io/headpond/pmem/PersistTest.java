// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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

  private static Optional<PersistBackend> named(PersistBackend backend) {
    return Optional.of(backend);
  }

  @Test
  void theBestThatWorksIsChosen() throws IOException {
    Optional<PersistBackend> none = Optional.empty();
    Device dax = device("ext4", true);
    assertThat(Persist.decide(dax, none, WORKS, WORKS).backend()).isEqualTo(PersistBackend.LIBPMEM);
    assertThat(Persist.decide(dax, none, NO_LIBRARY, WORKS).backend())
        .isEqualTo(PersistBackend.JEP352);
    PersistChoice last = Persist.decide(dax, none, NO_LIBRARY, UNSAFE);
    assertThat(last.backend()).isEqualTo(PersistBackend.MSYNC);
    assertThat(last.reason()).contains("libpmem1").contains("-Xint");

    assertThat(Persist.decide(device("xfs", false), none, WORKS, WORKS).backend())
        .isEqualTo(PersistBackend.MSYNC);
    assertThat(Persist.decide(device("tmpfs", false), none, WORKS, WORKS).backend())
        .isEqualTo(PersistBackend.WRITE);
  }

  @Test
  void aNamedBackEndThatCannotWorkIsRefusedWithTheRemedy() throws IOException {
    Device disk = device("xfs", false);
    assertThatThrownBy(() -> Persist.decide(disk, named(PersistBackend.LIBPMEM), WORKS, WORKS))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("-o dax");
    assertThatThrownBy(() -> Persist.decide(disk, named(PersistBackend.JEP352), WORKS, WORKS))
        .hasMessageContaining("'msync'");
    assertThatThrownBy(() -> Persist.decide(disk, named(PersistBackend.NONE), WORKS, WORKS))
        .hasMessageContaining("tmpfs");

    Device memory = device("tmpfs", false);
    assertThatThrownBy(
            () -> Persist.decide(memory, named(PersistBackend.LIBPMEM), NO_LIBRARY, WORKS))
        .hasMessageContaining("libpmem1");
    assertThat(Persist.decide(memory, named(PersistBackend.LIBPMEM), WORKS, WORKS).backend())
        .isEqualTo(PersistBackend.LIBPMEM);
    assertThat(Persist.decide(memory, named(PersistBackend.MSYNC), WORKS, WORKS).backend())
        .isEqualTo(PersistBackend.MSYNC);

    Device dax = device("ext4", true);
    assertThatThrownBy(() -> Persist.decide(dax, named(PersistBackend.JEP352), WORKS, UNSAFE))
        .hasMessageContaining("-Xint");
  }

  @Test
  void anUnknownNameIsRefusedNamingAllThereAre() {
    assertThat(PersistBackend.of(" LibPmem ")).isEqualTo(PersistBackend.LIBPMEM);
    assertThatThrownBy(() -> PersistBackend.of("pmdk"))
        .hasMessageContaining("libpmem, jep352, msync, none");
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
