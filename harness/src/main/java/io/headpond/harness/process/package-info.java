// SPDX-License-Identifier: Apache-2.0
/**
 * Engines as child processes: where their jars and the Java to run them are ({@link
 * io.headpond.harness.process.Engine}, {@link io.headpond.harness.process.JavaHome}), a process
 * that doesn't outlive this one ({@link io.headpond.harness.process.ChildProcess}), ports, logging,
 * and the folders they leave.
 */
package io.headpond.harness.process;
