// SPDX-License-Identifier: Apache-2.0

/** {@code headpond plan}: the arithmetic of bursts above a slower home, for an operator. */
package io.headpond.cli.plan;
