// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.kafka.load;

import io.headpond.harness.load.Payload;

/**
 * Records made before the measurement and sent again and again, so that making them costs the load
 * generator nothing while it is measured. They are real text; see {@link Payload}. Safe for use by
 * several threads.
 */
public final class RecordRing {

  private static final long RING_BYTES_MAX = 64 << 20;
  private static final int RING_RECORDS_MAX = 16_384;
  private static final int RING_RECORDS_MIN = 16;
  private static final long SEED = 0x6865_6164_706f_6e64L;

  private final Payload payload;
  private final byte[][] keys;
  private final byte[][] values;

  /** Of records with values of this size. */
  public RecordRing(int recordBytes) {
    int records =
        (int) Math.max(RING_RECORDS_MIN, Math.min(RING_RECORDS_MAX, RING_BYTES_MAX / recordBytes));
    payload = new Payload(SEED, recordBytes, false, records);
    keys = new byte[records][];
    values = new byte[records][];
    for (int i = 0; i < records; i++) {
      keys[i] = payload.key(i);
      values[i] = payload.value(i);
    }
  }

  /**
   * Of records that somebody else has made.
   *
   * @param keys one after the other, again and again; none: records without a key
   * @param values likewise, at least one
   */
  public RecordRing(byte[][] keys, byte[][] values) {
    this.payload = null;
    this.keys = keys.clone();
    this.values = values.clone();
  }

  /** A record's key; null if it has none. */
  public byte[] key(long number) {
    return keys.length == 0 ? null : keys[(int) (number % keys.length)];
  }

  /** A record's value. */
  public byte[] value(long number) {
    return values[(int) (number % values.length)];
  }

  /** Bytes of key and value. */
  public int bytes(long number) {
    byte[] key = key(number);
    return (key == null ? 0 : key.length) + value(number).length;
  }

  /** True if a record that was read is one of the ring's, to the last byte. */
  public boolean holds(byte[] key, byte[] value) {
    if (payload == null) {
      throw new IllegalStateException("the ring didn't make its records");
    }
    long id = payload.verify(key, value);
    return id >= 0 && id < values.length;
  }
}
