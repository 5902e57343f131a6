// SPDX-License-Identifier: Apache-2.0
package io.headpond.cli.demo;

import java.util.List;

/**
 * The terms of a {@link JournalDemo}, and what it needs.
 *
 * @param fastBytes bytes that must be free where the fast folder lies
 * @param homeBytes bytes that must be free at home
 * @param subject what runs, as {@code unmodified bookies}
 * @param terms how the two are compared, in lines
 * @param meanwhile what else goes on in a turn, with a comma before it; may be empty
 * @param back what happens after the restart
 * @param rate name of the line with the rates
 * @param killed what was killed, and how often
 * @param waiting what waited for the restart
 */
record JournalWords(
    long fastBytes,
    long homeBytes,
    String subject,
    List<String> terms,
    String meanwhile,
    String back,
    String rate,
    String killed,
    String waiting) {}
