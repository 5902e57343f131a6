// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.plan;

/**
 * An outage of the remote store of Kafka's tiered storage (KIP-405). What isn't uploaded isn't
 * deleted, whatever retention says: all that is written meanwhile stays, on top of what local
 * retention keeps. Migration goes on, so home fills; the fast tier needs nothing more until home is
 * down to its reserve.
 *
 * <p>Units as in {@link CapacityPlan}; what isn't known is not a number.
 *
 * @param length seconds
 * @param written the most that is written during it
 * @param atHome what home must hold at its end, local retention included
 * @param homeLasts the longest outage until home is down to its reserve
 * @param tierLasts the longest until the tier's room for bursts is used up too
 */
record RemoteOutage(
    double length, double written, double atHome, double homeLasts, double tierLasts) {

  /**
   * The outage of a plan whose retention is the local one.
   *
   * @param homeCapacity of home's file system; null if it isn't known
   */
  static RemoteOutage of(final Plan plan, final double length, final Double homeCapacity) {
    final double written = plan.written(length);
    final double kept = plan.averageRate * plan.retention;
    final double room =
        homeCapacity == null ? Double.NaN : Plan.usable(homeCapacity) + plan.stays() - kept;
    return new RemoteOutage(
        length,
        written,
        Math.max(0, kept + written - plan.stays()),
        plan.lasts(room),
        plan.lasts(room + plan.reserved()));
  }

  /** The file system that home needs, with its reserve. */
  double homeSize() {
    return Plan.fileSystem(atHome);
  }
}
