// SPDX-License-Identifier: Apache-2.0
/**
 * Other machines that make a load, each by one long-lived process that is reached through SSH:
 * {@link io.headpond.lab.hosts.LoadHosts} asks all of them at once, measures their clocks ({@link
 * io.headpond.lab.hosts.HostClock}), and goes on without one that fails. What they are asked for is
 * the engine's matter.
 */
package io.headpond.lab.hosts;
