// SPDX-License-Identifier: Apache-2.0
/**
 * {@code headpond-lab soak}: everything that may happen to a broker, for hours. {@link
 * io.headpond.torture.soak.Soak} goes from lap to lap, {@link io.headpond.torture.soak.SoakBroker}
 * is what it happens to, {@link io.headpond.torture.soak.SoakLoad} what is written meanwhile.
 */
package io.headpond.torture.soak;
