// SPDX-License-Identifier: Apache-2.0
/**
 * Programs that run in the guest of power cuts: {@link
 * io.headpond.torture.powercut.guest.PowerCutWriter} writes through the store, {@link
 * io.headpond.torture.powercut.guest.PowerCutCheck} reads plain files, {@link
 * io.headpond.torture.powercut.guest.FullDevice} fills a device. They need Headpond's own jars and
 * slf4j, nothing else.
 */
package io.headpond.torture.powercut.guest;
