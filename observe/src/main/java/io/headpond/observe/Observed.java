// SPDX-License-Identifier: Apache-2.0
package io.headpond.observe;

import java.util.List;

/**
 * Something that is observed: its facts, the table of metrics that are read from them, its status
 * document and its part of the live page. {@link Observation} registers and serves them.
 *
 * @param <F> the facts, immutable
 * @param metrics in the order of the reference page
 * @param looks takes the facts
 * @param status the document with its alerts
 * @param page its part of the live page
 */
public record Observed<F>(
    List<Metric<F>> metrics, Looks<F> looks, StatusJson status, PagePart page) {}
