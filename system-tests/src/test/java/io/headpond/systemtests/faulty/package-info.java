// SPDX-License-Identifier: Apache-2.0
/** A file system of a process of its own, by FUSE, that fails or is slow when it is told to. */
package io.headpond.systemtests.faulty;
