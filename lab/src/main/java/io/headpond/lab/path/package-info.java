// SPDX-License-Identifier: Apache-2.0

/**
 * The cost of the default provider where it diverts nothing: class loading, reading configuration,
 * asking for files.
 */
package io.headpond.lab.path;
