// SPDX-License-Identifier: Apache-2.0
/**
 * Power cuts on real FSDAX: a QEMU guest with an emulated NVDIMM is killed while it writes, booted
 * again, and what it had acknowledged is compared with what its disks hold.
 *
 * <p>On the host: {@link io.headpond.systemtests.powercut.PowerCutIT} and what it uses. In the
 * guest: the programs {@link io.headpond.systemtests.powercut.PowerCutWriter}, {@link
 * io.headpond.systemtests.powercut.PowerCutCheck} and {@link
 * io.headpond.systemtests.powercut.FullDevice}. See docs/power-cut.md.
 */
package io.headpond.systemtests.powercut;
