// SPDX-License-Identifier: Apache-2.0
package io.headpond.store.migrate;

/**
 * The facts that a policy may know of a segment.
 *
 * @param topic the topic's name
 * @param partition the partition directory's name, as {@code orders-3}
 * @param baseOffset the offset in the segment's name
 * @param bytes the segment's length, in bytes
 * @param lastAppendMs when it was last appended to, milliseconds since 1970; if what came was older
 *     than {@code headpond.placement.max.age}, the time of its newest record
 * @param readBytesLog2 the bytes that were read of it, decayed: log2 of the sum of {@code bytes *
 *     2^(time of the read / half-life)} (forward decay: Cormode et al., "Forward Decay", ICDE
 *     2009). Minus infinity if nothing was. It changes only when something is read, and two
 *     segments can be compared at any later time without knowing that time.
 * @param halfLifeMs the half-life that {@code readBytesLog2} was made with, in milliseconds
 */
public record SegmentFacts(
    String topic,
    String partition,
    long baseOffset,
    long bytes,
    long lastAppendMs,
    double readBytesLog2,
    long halfLifeMs) {}
