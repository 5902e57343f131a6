// SPDX-License-Identifier: Apache-2.0
/**
 * Power cuts on real FSDAX: a QEMU guest with an emulated NVDIMM is killed while it writes, booted
 * again, and what it had acknowledged is compared with what its disks hold. {@link
 * io.headpond.torture.powercut.GuestImage} makes the guest, {@link
 * io.headpond.torture.powercut.Guest} boots it, {@link io.headpond.torture.powercut.ChannelCuts} is
 * a campaign with the bare store, {@link io.headpond.torture.powercut.EngineCuts} one with a real
 * engine: {@link io.headpond.torture.powercut.KafkaGuest} or {@link
 * io.headpond.torture.powercut.BookieGuest}. See docs/power-cut.md.
 */
package io.headpond.torture.powercut;
