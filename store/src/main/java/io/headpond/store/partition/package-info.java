// SPDX-License-Identifier: Apache-2.0

/**
 * The partition directories: the open segments of each log, the forces of their names and of the
 * segments before one that promises, the files that are made for the next roll, and those that are
 * given back.
 */
package io.headpond.store.partition;
