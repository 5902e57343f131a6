// SPDX-License-Identifier: Apache-2.0
/**
 * The cost of an old backlog's replay for those who publish, with entry logs in one place and in
 * two.
 */
package io.headpond.lab.ledgers;
