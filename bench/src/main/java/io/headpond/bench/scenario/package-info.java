/**
 * What goes across engines: a {@link io.headpond.bench.scenario.Rig} is one started engine of one
 * variant; it takes {@link io.headpond.bench.scenario.Point}s of load, which {@link
 * io.headpond.bench.scenario.PointRun} measures second by second; {@link
 * io.headpond.bench.scenario.ClientLoad} is one that a client's process makes; {@link
 * io.headpond.bench.scenario.Turns} lets several rigs take turns, and {@link
 * io.headpond.bench.scenario.PointMetrics} says what they are compared by.
 */
package io.headpond.bench.scenario;
