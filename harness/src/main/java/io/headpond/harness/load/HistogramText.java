// SPDX-License-Identifier: Apache-2.0
package io.headpond.harness.load;

import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/** A histogram as text, for a value of a dialogue: HdrHistogram's own compressed form in Base64. */
public final class HistogramText {

  private HistogramText() {}

  /** For {@link #decode}. */
  public static String encode(Histogram histogram) {
    ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
    byte[] bytes = new byte[histogram.encodeIntoCompressedByteBuffer(buffer)];
    buffer.flip().get(bytes);
    return Base64.getEncoder().encodeToString(bytes);
  }

  /** Reads what {@link #encode} wrote. */
  public static Histogram decode(String text) {
    try {
      byte[] bytes = Base64.getDecoder().decode(text);
      return Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(bytes), 0);
    } catch (DataFormatException e) {
      throw new IllegalStateException("the client's histogram can't be read", e);
    }
  }
}
