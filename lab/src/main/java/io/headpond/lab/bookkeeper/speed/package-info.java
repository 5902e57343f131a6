// SPDX-License-Identifier: Apache-2.0
/**
 * Measures bookies with Headpond's journal against unmodified bookies: the same real client, one
 * journal each, all of them alive beside each other and one working at a time, in turns of seconds,
 * so that a machine that gets slower does so for all. {@link
 * io.headpond.lab.bookkeeper.speed.BookKeeperBench} runs it.
 */
package io.headpond.lab.bookkeeper.speed;
