// SPDX-License-Identifier: Apache-2.0

/**
 * A simulated disk for guests that forgets, when the power is cut, what it was never asked to
 * flush. QEMU reaches it by the NBD protocol.
 */
package io.headpond.torture.powercut.disk;
