// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Zeros by a system call, as far as it works, and written otherwise. */
class ZeroWayTest {
  private static final int ENOENT = 2;
  private static final int MANY = 40 << 20;
  private static final String DISK = "pci0000:00/0000:00:04.0/nvme/nvme0/nvme0n1";

  private final ZeroCalls calls = new ZeroCalls();
  private Path folder;
  private Path file;

  @BeforeEach
  void createFile() throws IOException {
    folder = Folders.onDisk().toRealPath();
    file = Files.createFile(folder.resolve("00000000000000000000.log"));
  }

  @AfterEach
  void deleteFolder() throws IOException {
    Folders.delete(folder);
  }

  private static byte[] ones(int bytes) {
    byte[] content = new byte[bytes];
    Arrays.fill(content, (byte) 1);
    return content;
  }

  private boolean zero(long from, long to, ZeroWay way, StopSignal stop) throws IOException {
    try (BackingFile backing = new BackingFile(file, true)) {
      return backing.zero(from, to, way, stop);
    }
  }

  @Test
  void wholeBlocksAreZeroedByTheCallAndTheirEdgesWritten() throws IOException {
    Files.write(file, ones(20_000));

    assertThat(zero(5_000, 15_000, calls.way(folder), StopSignal.NEVER)).isTrue();

    assertThat(calls.calls()).containsExactly(new ZeroCalls.Call(file, 8_192, 4_096));
    byte[] expected = ones(20_000);
    Arrays.fill(expected, 5_000, 15_000, (byte) 0);
    assertThat(Files.readAllBytes(file)).isEqualTo(expected);
  }

  @Test
  void lessThanABlockIsWritten() throws IOException {
    Files.write(file, ones(20_000));

    zero(5_000, 9_000, calls.way(folder), StopSignal.NEVER);

    assertThat(calls.calls()).isEmpty();
    byte[] expected = ones(20_000);
    Arrays.fill(expected, 5_000, 9_000, (byte) 0);
    assertThat(Files.readAllBytes(file)).isEqualTo(expected);
  }

  @Test
  void aFileGetsLongerByTheCall() throws IOException {
    Files.write(file, ones(100));

    zero(100, 64 << 10, calls.way(folder), StopSignal.NEVER);

    assertThat(calls.bytes(file)).isEqualTo(60 << 10);
    assertThat(Files.readAllBytes(file)).isEqualTo(Arrays.copyOf(ones(100), 64 << 10));
  }

  @Test
  void betweenTwoCallsItCanBeStopped() throws IOException {
    int[] asked = {0};

    assertThat(zero(0, MANY, calls.way(folder), () -> asked[0]++ > 0)).isFalse();

    assertThat(calls.calls()).hasSize(1);
    assertThat(calls.bytes(file)).isEqualTo(Files.size(file)).isLessThan(MANY);
  }

  @Test
  void aDeviceThatRefusesIsNotAskedAgain() throws IOException {
    ZeroWay way = calls.way(folder);
    calls.refuse(ZeroCalls.EOPNOTSUPP);
    assertThat(way.explanation()).isEqualTo("write-zeroes");

    assertThat(zero(0, 8_192, way, StopSignal.NEVER)).isTrue();

    assertThat(Files.size(file)).isEqualTo(8_192);
    assertThat(way.explanation())
        .isEqualTo("written: FALLOC_FL_WRITE_ZEROES was refused (error 95)");
    calls.refuse(0);
    zero(8_192, 16_384, way, StopSignal.NEVER);
    assertThat(calls.calls()).isEmpty();
    assertThat(Files.size(file)).isEqualTo(16_384);
  }

  @Test
  void anyOtherErrorIsLeftToTheWrite() throws IOException {
    ZeroWay way = calls.way(folder);
    for (int error : new int[] {ENOENT, ZeroCalls.EIO, ZeroCalls.ENOSPC}) {
      calls.refuse(error);
      zero(0, 8_192, way, StopSignal.NEVER);
    }
    assertThat(Files.size(file)).isEqualTo(8_192);
    assertThat(way.byCall()).isTrue();

    calls.refuse(0);
    zero(8_192, 16_384, way, StopSignal.NEVER);
    assertThat(calls.bytes(file)).isEqualTo(8_192);
  }

  @Test
  void aProbeThatIsRefusedIsNamedAndLeavesNothing() throws IOException {
    calls.refuse(ZeroCalls.EOPNOTSUPP);

    assertThat(ZeroWay.probed(folder, calls).key()).isEqualTo("written");

    assertThat(names(folder)).containsExactly(file);
    assertThat(ZeroWay.probed(folder.resolve("absent"), calls).explanation())
        .startsWith("written: the call couldn't be tried");
  }

  /** Full at a start, it may have room when the first file grows. */
  @Test
  void aDeviceThatIsFullRefusesNothingForGood() throws IOException {
    calls.refuse(ZeroCalls.ENOSPC);
    ZeroWay way = ZeroWay.probed(folder, calls);
    assertThat(way.explanation()).isEqualTo("write-zeroes");

    calls.refuse(0);
    zero(0, 8_192, way, StopSignal.NEVER);
    assertThat(calls.bytes(file)).isEqualTo(8_192);
  }

  private static Stream<Path> names(Path directory) throws IOException {
    try (Stream<Path> all = Files.list(directory)) {
      return all.toList().stream();
    }
  }

  @Test
  void onlyADeviceThatZeroesByUnmappingIsTried() throws IOException {
    try (FakeKernel kernel = new FakeKernel()) {
      kernel.mount("259:0", kernel.directory(), "ext4");
      kernel.disk("259:0", DISK);
      assertThat(kernel.detect(false).zeroWay().explanation())
          .contains("no unmapping write-zeroes");

      kernel.attribute(DISK + "/queue/write_zeroes_unmap_max_bytes", "0");
      assertThat(kernel.detect(false).zeroWay().explanation())
          .contains("no unmapping write-zeroes");

      kernel.mount("259:0", kernel.directory(), "btrfs");
      kernel.attribute(DISK + "/queue/write_zeroes_unmap_max_bytes", "2199023255040");
      assertThat(kernel.detect(false).zeroWay().explanation()).contains("write in place");
      assertThat(names(kernel.directory())).isEmpty();
    }
  }

  /** The call itself, on a disk that sysfs doesn't describe so. */
  @Test
  void whatSysfsPromisesIsTried() throws IOException {
    try (FakeKernel kernel = new FakeKernel()) {
      kernel.mount("259:0", kernel.directory(), "ext4");
      kernel.disk("259:0", DISK);
      kernel.attribute(DISK + "/queue/write_zeroes_unmap_max_bytes", "2199023255040");

      ZeroWay way = kernel.detect(false).zeroWay();

      System.out.println("zeros ahead: " + way.explanation());
      if (WriteZeroes.unavailable().isPresent()) {
        assertThat(way.explanation()).isEqualTo("written: " + WriteZeroes.unavailable().get());
      } else {
        assertThat(way.explanation())
            .matches("write-zeroes|written: FALLOC_FL_WRITE_ZEROES was refused \\(error \\d+\\)");
      }
      assertThat(names(kernel.directory())).isEmpty();
    }
  }

  /** The kernel refuses, or zeroes; either way it has found the file. */
  @Test
  void theCallFindsAFileByAnyName() throws IOException {
    assumeThat(WriteZeroes.unavailable()).isEmpty();
    assertThat(WriteZeroes.zero(folder.resolve("absent"), 0, 4_096)).isEqualTo(ENOENT);
    for (String name : new String[] {"plain", "fast tier-ü %41+ß#?"}) {
      Path named = Files.write(folder.resolve(name), ones(10_000));

      int error = WriteZeroes.zero(named, 4_096, 8_192);

      assertThat(error).as(name).isIn(0, ZeroCalls.EOPNOTSUPP);
      byte[] expected = ones(error == 0 ? 12_288 : 10_000);
      Arrays.fill(expected, error == 0 ? 4_096 : 10_000, expected.length, (byte) 0);
      assertThat(Files.readAllBytes(named)).isEqualTo(expected);
    }
    assertThat(WriteZeroes.zero(Path.of("/dev/null"), 0, 4_096)).isPositive();
  }
}
