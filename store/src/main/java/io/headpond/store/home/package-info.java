// SPDX-License-Identifier: Apache-2.0

/**
 * The room at home: the log directories that are claimed, the space in each, and the ballast that
 * is given back when a disk is full.
 */
package io.headpond.store.home;
