// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.demo;

/**
 * The times and rates of a {@link JournalDemo}, whatever the engine. They are those of the journal
 * on the fast device unless they begin with {@code disk}.
 *
 * @param produceSeconds length of its turns, without the one with the kill
 * @param produceMbPerS acknowledged bytes in them, 10^6 bytes per second
 * @param produceP50Ms median from send to acknowledgement in them
 * @param produceP99Ms its 99th percentile
 * @param produceMaxOverRestartMs longest wait over the restart
 * @param diskProduceSeconds length of the turns of the journal on disk
 * @param diskProduceMbPerS as {@code produceMbPerS}
 * @param diskProduceP50Ms as {@code produceP50Ms}
 * @param diskProduceP99Ms as {@code produceP99Ms}
 */
record JournalFigures(
    double produceSeconds,
    double produceMbPerS,
    double produceP50Ms,
    double produceP99Ms,
    double produceMaxOverRestartMs,
    double diskProduceSeconds,
    double diskProduceMbPerS,
    double diskProduceP50Ms,
    double diskProduceP99Ms) {

  static JournalFigures of(SideFigures fast, SideFigures disk) {
    return new JournalFigures(
        fast.seconds(),
        fast.mbPerS(),
        fast.latencyMs(50),
        fast.latencyMs(99),
        fast.outage().waitedMaxMs(),
        disk.seconds(),
        disk.mbPerS(),
        disk.latencyMs(50),
        disk.latencyMs(99));
  }
}
