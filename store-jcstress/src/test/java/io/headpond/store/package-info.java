// SPDX-License-Identifier: Apache-2.0
/** Races of two threads on one segment, provoked by jcstress, and defects that it must find. */
package io.headpond.store;
