// SPDX-License-Identifier: Apache-2.0
/**
 * Persistent memory below caches that are lost: what a guest's processor did to it, and what of
 * that a cut of the power leaves.
 */
package io.headpond.torture.powercut.memory;
