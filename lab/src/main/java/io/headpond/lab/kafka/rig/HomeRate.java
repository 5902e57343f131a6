// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.kafka.rig;

/**
 * The rate at which home takes what migrates.
 *
 * @param bytesPerSecond what migration brings home at most
 * @param throttled is migration limited to it, in place of a slow home? False: home's own disk is
 *     as slow, for whoever writes to it
 */
public record HomeRate(long bytesPerSecond, boolean throttled) {

  /** Headpond's default: as fast as home takes it. */
  private static final String UNLIMITED = "-1";

  /** In place of a slow home. */
  public static HomeRate throttled(long bytesPerSecond) {
    return new HomeRate(bytesPerSecond, true);
  }

  /** Of a home whose disk is slow. */
  public static HomeRate ofDisk(long bytesPerSecond) {
    return new HomeRate(bytesPerSecond, false);
  }

  /** The value of the setting {@code headpond.migrate.bytes.per.second}. */
  String setting() {
    return throttled ? bytesPerSecond + "B" : UNLIMITED;
  }
}
