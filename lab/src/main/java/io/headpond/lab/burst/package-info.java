// SPDX-License-Identifier: Apache-2.0
/**
 * A low rate with bursts above what home takes: a {@link io.headpond.lab.burst.BurstProfile} says
 * when they come, a {@link io.headpond.lab.burst.TierForecast} how full the tier should be then,
 * and {@link io.headpond.lab.burst.BurstBench} measures it with real brokers.
 */
package io.headpond.lab.burst;
