// SPDX-License-Identifier: Apache-2.0

/**
 * The texts for operators: codes with their meaning and remedy, refusals, and the kinds of
 * incidents that are counted. Depends on nothing else of the store.
 */
package io.headpond.store.event;
