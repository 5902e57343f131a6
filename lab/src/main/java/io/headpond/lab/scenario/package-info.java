/**
 * The parts that serve all engines: a {@link io.headpond.lab.scenario.Rig} is one started engine of
 * one variant; it takes {@link io.headpond.lab.scenario.Point}s of load, which {@link
 * io.headpond.lab.scenario.PointRun} measures second by second; {@link
 * io.headpond.lab.scenario.ClientLoad} is one that a client's process makes; {@link
 * io.headpond.lab.scenario.Turns} lets several rigs take turns, {@link
 * io.headpond.lab.scenario.Starts} starts them afresh, and {@link
 * io.headpond.lab.scenario.PointMetrics} says what they are compared by.
 */
package io.headpond.lab.scenario;
