// SPDX-License-Identifier: Apache-2.0

/** The entry point of the {@code headpond-lab} command; rigs and scenarios lie below. */
package io.headpond.lab;
