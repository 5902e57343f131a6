// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.results;

/**
 * The published result of one of the systems that Headpond implements, beside what was measured
 * here.
 *
 * @param seed whose experiment it is
 * @param experiment in words
 * @param published their result
 * @param measured ours, with the rounds' spread, or why there is none
 * @param limits why this machine can't show theirs, or where ours differs
 */
public record PublishedRow(
    String seed, String experiment, String published, String measured, String limits) {}
