// SPDX-License-Identifier: Apache-2.0
package io.headpond.lab.scenario;

import io.headpond.lab.comparison.ComparedVariant;
import io.headpond.lab.comparison.RoundFigures;

/**
 * One turn of one variant.
 *
 * @param load {@link Point#text}, or what a scenario calls it
 * @param round from 1 on
 */
public record PointTurn(
    String load, int round, ComparedVariant variant, Point point, PointFigures figures)
    implements RoundFigures<String, ComparedVariant> {}
