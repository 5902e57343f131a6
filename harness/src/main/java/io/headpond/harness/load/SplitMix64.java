// SPDX-License-Identifier: Apache-2.0
package io.headpond.harness.load;

/**
 * The finaliser of SplitMix64: neighbouring numbers get unrelated values, different ones others.
 */
public final class SplitMix64 {

  private SplitMix64() {}

  /** Of one number. */
  public static long mix(long z) {
    long a = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    long b = (a ^ (a >>> 27)) * 0x94d049bb133111ebL;
    return b ^ (b >>> 31);
  }
}
