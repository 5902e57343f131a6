// SPDX-License-Identifier: Apache-2.0
/**
 * The shared parts of all engines' loads: content whose every byte follows from a seed, its check,
 * when messages are due, what a client's process is to send and how far it is, and latencies as
 * text.
 */
package io.headpond.harness.load;
