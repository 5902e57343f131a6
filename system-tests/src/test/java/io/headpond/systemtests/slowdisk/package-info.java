// SPDX-License-Identifier: Apache-2.0
/** A home on a disk that the kernel limits, for real: root, loop devices, control groups. */
package io.headpond.systemtests.slowdisk;
