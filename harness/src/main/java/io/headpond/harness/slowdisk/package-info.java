// SPDX-License-Identifier: Apache-2.0
/**
 * A home folder on a slow disk, made of a fast one: a {@link
 * io.headpond.harness.slowdisk.LimitedHome} is a file system on a loop device that the kernel's
 * block layer limits. What is set up stands in a {@link io.headpond.harness.slowdisk.HomeRecord}
 * before it is made, so that a {@link io.headpond.harness.slowdisk.TakeDown} also finds what a
 * killed process left.
 */
package io.headpond.harness.slowdisk;
