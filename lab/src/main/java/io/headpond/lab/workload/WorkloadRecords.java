// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.workload;

import io.headpond.harness.load.Payload;
import io.headpond.lab.kafka.load.RecordRing;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;

/** The records of a workload, made before anything is measured; alike in every run. */
public final class WorkloadRecords {

  /** As many as the OpenMessaging Benchmark has. */
  private static final int KEYS = 10_000;

  /** Drawn from them where a key is any of them. */
  private static final int DRAWN_KEYS = 65_536;

  private static final long SEED = 0x6f6d_6277_6f72_6b6cL;

  private WorkloadRecords() {}

  /** The records that are sent, again and again. */
  public static RecordRing of(MessagingWorkload workload) {
    return new RecordRing(keys(workload.keys()), values(workload));
  }

  private static byte[][] keys(KeyDistribution distribution) {
    SplittableRandom random = new SplittableRandom(SEED);
    int count =
        switch (distribution) {
          case NO_KEY -> 0;
          case KEY_ROUND_ROBIN -> KEYS;
          case RANDOM_NANO -> DRAWN_KEYS;
        };
    byte[][] keys = new byte[count][];
    for (int i = 0; i < count; i++) {
      int key = distribution == KeyDistribution.RANDOM_NANO ? random.nextInt(KEYS) : i;
      keys[i] = String.format("key%04d", key).getBytes(StandardCharsets.US_ASCII);
    }
    return keys;
  }

  private static byte[][] values(MessagingWorkload workload) {
    MessagingWorkload.PayloadSource source = workload.payload();
    if (source.fixed().isPresent()) {
      return new byte[][] {source.fixed().get()};
    }
    Payload text = new Payload(SEED, workload.messageBytes(), false, KEYS);
    SplittableRandom random = new SplittableRandom(SEED);
    byte[][] values = new byte[source.pool()][];
    for (int i = 0; i < values.length; i++) {
      values[i] = text.value(i);
      byte[] noise = new byte[(int) (workload.messageBytes() * source.randomShare())];
      random.nextBytes(noise);
      System.arraycopy(noise, 0, values[i], 0, noise.length);
    }
    return values;
  }
}
