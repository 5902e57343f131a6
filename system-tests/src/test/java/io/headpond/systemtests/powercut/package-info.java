// SPDX-License-Identifier: Apache-2.0
/**
 * Power cuts on real FSDAX: a QEMU guest with an emulated NVDIMM is killed while it writes, booted
 * again, and what it had acknowledged is compared with what its disks hold. The guest and the
 * campaigns are in {@code io.headpond.torture.powercut}. See docs/power-cut.md.
 */
package io.headpond.systemtests.powercut;
