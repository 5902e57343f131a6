// SPDX-License-Identifier: Apache-2.0

/**
 * What the default provider costs where it diverts nothing: class loading, reading configuration,
 * asking for files.
 */
package io.headpond.lab.path;
