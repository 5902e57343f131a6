// SPDX-License-Identifier: Apache-2.0
/**
 * {@code headpond soak}: everything that may happen to a broker, for hours. {@link
 * io.headpond.cli.soak.Soak} goes from lap to lap, {@link io.headpond.cli.soak.SoakBroker} is what
 * it happens to, {@link io.headpond.cli.soak.SoakLoad} what is written meanwhile.
 */
package io.headpond.cli.soak;
