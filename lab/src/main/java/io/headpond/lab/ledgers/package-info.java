// SPDX-License-Identifier: Apache-2.0
/**
 * What the replay of an old backlog costs those who publish, with entry logs in one place and in
 * two.
 */
package io.headpond.lab.ledgers;
