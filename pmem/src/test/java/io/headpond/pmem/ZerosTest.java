// SPDX-License-Identifier: Apache-2.0
package io.headpond.pmem;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ZerosTest {
  private static ByteBuffer taken;

  /** The JVM's limit for buffers outside the heap is reached just when the first zeros are due. */
  @Test
  void aLackOfMemoryAtTheFirstZerosPasses() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:MaxDirectMemorySize=1536k",
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                ZerosTest.class.getName())
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    assertThat(said).isEqualTo("OutOfMemoryError, then 4096 zeros");
  }

  public static void main(String[] arguments) {
    taken = ByteBuffer.allocateDirect(1 << 20);
    try {
      Zeros.slice(taken.capacity());
    } catch (OutOfMemoryError e) {
      System.out.print("OutOfMemoryError, then ");
    }
    taken = null;
    System.out.print(Zeros.slice(4_096).remaining() + " zeros");
  }
}
